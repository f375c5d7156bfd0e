/// The line end of a text file. Editors have line feeds; a file keeps its own line ends.
package enum LineEnd: Equatable, Sendable {
  case lineFeed, carriageReturnLineFeed

  /// The first line end in a file's bytes; a line feed if there is none.
  package init(of bytes: some Sequence<UInt8>) {
    var before: UInt8 = 0
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        self = before == UInt8(ascii: "\r") ? .carriageReturnLineFeed : .lineFeed
        return
      }
      before = byte
    }
    self = .lineFeed
  }

  /// Returns the text of a file with the editor's line ends: `a\nb` for `a\r\nb`.
  package static func lineFeeds(in text: String) -> String { text.replacing("\r\n", with: "\n") }

  /// Returns an editor's text with the line ends of the file.
  package func applied(to text: String) -> String {
    switch self {
    case .lineFeed: text
    case .carriageReturnLineFeed: Self.lineFeeds(in: text).replacing("\n", with: "\r\n")
    }
  }
}
