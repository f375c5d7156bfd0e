/// A link on a part of a row, which terminals that support hyperlinks (OSC 8) make clickable.
package struct FrameLink: Equatable, Sendable {
  package let row: Int
  package let columns: Range<Int>
  package let target: String

  /// The maximum length of a link. Longer ones must be copied.
  private static let limit = 2000

  /// Creates a link; `nil` unless the target is a plain http or https URL. Terminals pass it to other programs, and it
  /// must not contain characters that end the sequence.
  package init?(row: Int, columns: Range<Int>, target: String) {
    guard !columns.isEmpty, target.hasPrefix("https://") || target.hasPrefix("http://"),
      target.utf8.count <= Self.limit, target.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.row = row
    self.columns = columns
    self.target = target
  }
}
