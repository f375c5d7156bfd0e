import ApusGraphQLLanguage

/// A source map: maps positions in an edited text, which is sent, to positions in its source.
package struct SourceMap: Sendable {
  /// A range of bytes that was copied from the source unchanged.
  private struct Piece {
    let sent: Range<Int>
    let source: Int
  }

  private let pieces: [Piece]
  private let source: Source
  /// The map of the source itself if it is an edited text too: one element or none, since a structure cannot contain itself.
  private let earlier: [SourceMap]

  /// Builds an edited text and its map from ranges of the source, in order, and added text.
  struct Builder {
    private let source: [UInt8]
    private var pieces: [Piece] = []
    private(set) var bytes: [UInt8] = []

    init(source: [UInt8]) { self.source = source }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func append(_ range: Range<Int>) {
      guard !range.isEmpty else { return }
      pieces.append(Piece(sent: bytes.count..<(bytes.count + range.count), source: range.lowerBound))
      bytes.append(contentsOf: source[range])
    }

    func map(after earlier: SourceMap? = nil) -> SourceMap {
      SourceMap(
        pieces: pieces, source: Source(bytes: source, name: ""), earlier: earlier.map { [$0] } ?? [])
    }
  }

  private init(pieces: [Piece], source: Source, earlier: [SourceMap]) {
    (self.pieces, self.source, self.earlier) = (pieces, source, earlier)
  }

  /// Applies edits to a text; returns the edited text and its map. The ranges are UTF-8 offsets and must not overlap.
  package static func edited(
    _ text: String, by edits: [(range: Range<Int>, text: String)], after earlier: SourceMap?
  ) -> (text: String, map: SourceMap) {
    let source = Array(text.utf8)
    var builder = Builder(source: source)
    var offset = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      builder.append(offset..<edit.range.lowerBound)
      builder.append(edit.text)
      offset = edit.range.upperBound
    }
    builder.append(offset..<source.count)
    return (String(decoding: builder.bytes, as: UTF8.self), builder.map(after: earlier))
  }

  /// Returns the position in the source for a position in the sent text. A position in added text maps to the end of the
  /// copied text before it. Lines and columns count from 1, columns in UTF-16 code units.
  package func location(line: Int, column: Int, inSent sent: String) -> (line: Int, column: Int) {
    let offset = Source(bytes: Array(sent.utf8), name: "").offset(line: line, column: column)
    let index = pieces.lastIndex { $0.sent.lowerBound <= offset }
    let sourceOffset =
      index.map { pieces[$0].source + min(offset - pieces[$0].sent.lowerBound, pieces[$0].sent.count) } ?? 0
    let location = source.location(at: sourceOffset)
    guard let earlier = earlier.first else { return (location.line, location.column) }
    return earlier.location(line: location.line, column: location.column, inSent: source.text)
  }
}
