/// The document text to send: the source with added fields and without unused definitions.
struct SentText {
  struct Insertion {
    let offset: Int
    let text: String
  }

  private let source: [UInt8]
  private let insertions: [Insertion]

  init(source: [UInt8], insertions: [Insertion]) {
    self.source = source
    self.insertions = insertions.sorted { $0.offset < $1.offset }
  }

  /// Returns the text of several ranges, separated by blank lines.
  func text(of ranges: [Range<Int>]) -> String {
    ranges.map { text(of: $0) }.joined(separator: "\n\n")
  }

  private func text(of range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    var offset = range.lowerBound
    for insertion in insertions where range.contains(insertion.offset) {
      bytes.append(contentsOf: source[offset..<insertion.offset])
      bytes.append(contentsOf: insertion.text.utf8)
      offset = insertion.offset
    }
    bytes.append(contentsOf: source[offset..<range.upperBound])
    return String(decoding: bytes, as: UTF8.self)
  }
}
