import ApusAlgorithms
import ApusGraphQLLanguage

extension LanguageService {
  /// Returns the byte ranges for expanding a selection from an offset: the word, its parent nodes, the contents of brackets,
  /// the brackets, the definition and the document. Each range contains the previous one.
  package func selectionRanges(at offset: Int) -> [Range<Int>] {
    let size = document.source.bytes.count
    let offset = max(0, min(offset, size))
    var ranges = document.nodes(containing: offset).map(\.range)
    ranges.append(0..<size)
    for pair in Brackets.pairs(in: document) where pair.opening < offset && offset <= pair.closing {
      ranges.append((pair.opening + 1..<pair.closing).trimming { document.source.bytes[$0] <= 0x20 })
      ranges.append(pair.opening..<pair.closing + 1)
    }
    if let token = document.tokens(in: max(0, offset - 1)..<offset + 1).last(where: {
      $0.range.lowerBound <= offset && offset <= $0.range.upperBound && $0.kind != .comment
    }) {
      ranges.append(token.range)
    }
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.count < $1.count })
    where !range.isEmpty && range.lowerBound <= offset && offset <= range.upperBound {
      guard let last = result.last else {
        result.append(range)
        continue
      }
      let holdsLast = range.lowerBound <= last.lowerBound && last.upperBound <= range.upperBound
      if holdsLast, range != last { result.append(range) }
    }
    return result
  }
}
