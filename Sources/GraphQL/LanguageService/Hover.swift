import GraphQLLanguage
import GraphQLSchema

/// What is known of the thing at a place.
package struct Hover: Sendable, Hashable {
  /// Markdown: the declaration as code, then the description and the reason of a deprecation.
  package let contents: String
  /// The byte range of the thing.
  package let range: Range<Int>
}

extension LanguageService {
  /// What is at a byte offset: a field, an argument, a type, a directive, a variable or a fragment.
  package func hover(at offset: Int) -> Hover? {
    guard let token = document.tokens(in: 0..<document.source.bytes.count).first(where: { $0.range.contains(offset) }),
      token.kind == .name
    else { return nil }
    let name = document.source.text(token.range)
    // Completing the word at its end gives its candidates; the one of its name is what stands there.
    let items = complete(at: token.range.upperBound)
    guard
      let item = items.first(where: { $0.label == name || $0.label == "$\(name)" || $0.label == "@\(name)" })
    else { return nil }
    var contents = "```graphql\n\(item.label)\(item.type.map { ": \($0)" } ?? "")\n```"
    if let documentation = item.documentation { contents += "\n\n\(documentation)" }
    return Hover(contents: contents, range: token.range)
  }
}
