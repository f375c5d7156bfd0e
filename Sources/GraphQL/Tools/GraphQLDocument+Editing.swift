import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Editing support at a position of a document. It works in incomplete text and, with less information, without a
/// schema. In a document with type definitions, these are used.
extension GraphQLDocument {
  /// A completion at a position.
  public struct Completion: Sendable, Hashable {
    /// The text to display.
    public let label: String
    /// The kind of the completion.
    public let kind: CompletionKind
    /// The type in GraphQL notation, such as `[Bird!]!`; `nil` if there is none or it is unknown.
    public let type: String?
    /// The description and deprecation reason as Markdown.
    public let documentation: String?
    /// Whether the element is deprecated.
    public let isDeprecated: Bool
    /// The text to insert instead of `replacementRange`, including required arguments.
    public let insertText: String
    /// Positions in `insertText` at which the user continues typing, in characters from its start; empty for its
    /// end.
    public let placeholderOffsets: [Int]
    /// The range of the word being typed.
    public let replacementRange: Range<DocumentPosition>
  }

  /// Information about the element at a position.
  public struct Hover: Sendable, Hashable {
    /// Markdown with the declaration as code, the description, and the deprecation reason.
    public let contents: String
    /// The range of the element.
    public let range: Range<DocumentPosition>
  }

  /// Returns the completions at a position, best first.
  public func completions(at position: DocumentPosition, schema: GraphQLSchema? = nil) -> [Completion] {
    let service = LanguageService(document: document, schema: schema?.schema)
    return service.complete(at: document.source.offset(at: position)).map { item in
      Completion(
        label: item.label, kind: item.kind, type: item.type, documentation: item.documentation,
        isDeprecated: item.isDeprecated, insertText: item.insertText, placeholderOffsets: item.snippet.stops,
        replacementRange: document.source.positions(of: item.replacementRange))
    }
  }

  /// Returns information about the element at a position: a field, argument, type, directive, variable, fragment or
  /// operation; `nil` if there is none.
  public func hover(at position: DocumentPosition, schema: GraphQLSchema? = nil) -> Hover? {
    let service = LanguageService(document: document, schema: schema?.schema)
    return service.hover(at: document.source.offset(at: position)).map { hover in
      Hover(contents: hover.contents, range: document.source.positions(of: hover.range))
    }
  }
}
