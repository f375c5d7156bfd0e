import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// A document with `|` at the cursor, or with two at the ends of a selection.
struct Marked {
  let text: String
  let range: Range<Int>

  init(_ marked: String) {
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
    text = parts.joined()
    let start = parts[0].utf8.count
    range = start..<start + (parts.count > 2 ? parts[1].utf8.count : 0)
  }

  var offset: Int { range.lowerBound }

  func service(_ schema: Schema? = CompletionTests.schema) -> LanguageService {
    LanguageService(document: Document(parsing: text), schema: schema)
  }

  /// Returns the document with brackets around byte ranges.
  static func bracketed(_ text: String, _ ranges: [Range<Int>]) -> String {
    var bytes = Array(text.utf8)
    for range in ranges.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      bytes.insert(UInt8(ascii: "]"), at: range.upperBound)
      bytes.insert(UInt8(ascii: "["), at: range.lowerBound)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
