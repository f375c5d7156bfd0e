/// Where a stretch of a frame's row leads: a terminal that knows hyperlinks (OSC 8) lets it be clicked.
package struct FrameLink: Equatable, Sendable {
  package let row: Int
  package let columns: Range<Int>
  package let target: String

  /// Longer addresses are left to be copied.
  private static let limit = 2000

  /// `nil` for what is no plain address on the web: nothing else may be handed to what a terminal opens it with, and
  /// nothing with a character that could end the sequence.
  package init?(row: Int, columns: Range<Int>, target: String) {
    guard !columns.isEmpty, target.hasPrefix("https://") || target.hasPrefix("http://"),
      target.utf8.count <= Self.limit, target.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return nil }
    self.row = row
    self.columns = columns
    self.target = target
  }
}
