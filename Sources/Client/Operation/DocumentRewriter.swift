/// The document that is sent: the source text with added fields and without unused definitions. `bird { name }` is sent
/// as `bird { __typename id name }`.
struct DocumentRewriter {
  struct Insertion {
    let offset: Int
    let text: String
  }

  let text: String
  /// The map from offsets in the text to offsets in the source; `nil` if the text equals the source.
  let map: SourceMap?

  /// Creates the document from ranges of the source with insertions, separated by blank lines.
  init(source: [UInt8], ranges: [Range<Int>], insertions: [Insertion]) {
    let insertions = insertions.sorted { $0.offset < $1.offset }
    var builder = SourceMap.Builder(source: source)
    for (index, range) in ranges.enumerated() {
      if index > 0 { builder.append("\n\n") }
      var offset = range.lowerBound
      for insertion in insertions where range.contains(insertion.offset) {
        builder.append(offset..<insertion.offset)
        builder.append(insertion.text)
        offset = insertion.offset
      }
      builder.append(offset..<range.upperBound)
    }
    text = String(decoding: builder.bytes, as: UTF8.self)
    map = builder.bytes == source ? nil : builder.map()
  }
}
