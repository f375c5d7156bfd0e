import CApusSimdjson

/// A parser that works while the text arrives, so that little work remains after the last byte.
///
/// Syntax errors are thrown only by `finish`, as if the text had arrived in one piece.
package final class JSONReader {
  /// The size from which parsing ahead is worthwhile. Shorter texts are parsed in `finish`.
  package static let worthwhileByteCount = 1 << 20

  private let reader: OpaquePointer?
  private let maximumDepth: Int

  package init(maximumDepth: Int = JSONDocument.defaultMaximumDepth) {
    reader = apus_json_reader_create(UInt32(maximumDepth))
    self.maximumDepth = maximumDepth
  }

  deinit { apus_json_reader_free(reader) }

  /// Parses ahead. `text` is everything received so far, from the beginning.
  package func read(_ text: [UInt8]) {
    // A byte order mark is rare, so such a text is parsed in `finish`.
    guard text.count >= Self.worthwhileByteCount, !text.starts(with: JSONDocument.byteOrderMark) else { return }
    text.withUnsafeBufferPointer { apus_json_reader_read(reader, $0.baseAddress, $0.count) }
  }

  /// Bytes that are already parsed.
  package var parsedByteCount: Int { apus_json_reader_place(reader) }

  /// Returns the document of the complete text. Call this only once.
  package func finish(_ text: [UInt8]) throws(JSONSyntaxError) -> JSONDocument {
    if text.starts(with: JSONDocument.byteOrderMark) {
      return try JSONDocument(parsing: text, maximumDepth: maximumDepth)
    }
    return try JSONDocument(text, maximumDepth) {
      apus_json_reader_finish(reader, $0.baseAddress, $0.count, $1, $2)
    }
  }
}
