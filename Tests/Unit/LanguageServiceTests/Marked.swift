import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// A text with `|` where the cursor is, or with two where a selection begins and ends.
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

  /// The text with brackets around ranges of bytes.
  static func bracketed(_ text: String, _ ranges: [Range<Int>]) -> String {
    var bytes = Array(text.utf8)
    for range in ranges.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      bytes.insert(UInt8(ascii: "]"), at: range.upperBound)
      bytes.insert(UInt8(ascii: "["), at: range.lowerBound)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
