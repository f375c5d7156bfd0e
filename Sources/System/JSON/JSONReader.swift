import CApusSimdjson

/// Parses a JSON text while it arrives, so that little is left to do when its last byte is there.
///
/// What is wrong with the text is told at its end, as if it had come in one piece.
package final class JSONReader {
  /// Shorter texts are parsed at their end; nothing would be won.
  package static let worthwhileByteCount = 1 << 20

  private let reader: OpaquePointer?
  private let maximumDepth: Int

  package init(maximumDepth: Int = JSONDocument.defaultMaximumDepth) {
    reader = apus_json_reader_create(UInt32(maximumDepth))
    self.maximumDepth = maximumDepth
  }

  deinit { apus_json_reader_free(reader) }

  /// Takes all of the text that has arrived so far, from its beginning.
  package func read(_ text: [UInt8]) {
    // A text with a byte order mark, which few send, is parsed at its end.
    guard text.count >= Self.worthwhileByteCount, !text.starts(with: JSONDocument.byteOrderMark) else { return }
    text.withUnsafeBufferPointer { apus_json_reader_read(reader, $0.baseAddress, $0.count) }
  }

  /// How much of the text needs no more work.
  package var parsedByteCount: Int { apus_json_reader_place(reader) }

  /// The whole text's document. Once only.
  package func finish(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
    if text.starts(with: JSONDocument.byteOrderMark) {
      return try JSONDocument(parsing: text, maximumDepth: maximumDepth)
    }
    return try JSONDocument(text, maximumDepth) {
      apus_json_reader_finish(reader, $0.baseAddress, $0.count, $1, $2)
    }
  }
}
