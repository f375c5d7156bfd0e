/// The text of a document as it is sent: as it was written, with what was added and without what is not needed.
struct SentText {
  struct Insertion {
    let offset: Int
    let text: String
  }

  let text: String
  /// The places of the source that the places of the text are; nil where the text is the source.
  let map: SourceMap?

  /// The texts of some ranges with insertions in them, a blank line between them.
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
