import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// What an editor asks of a document at a place. Both work in a text that is half typed, and without a schema as far as that
/// goes; in a document that defines types, its own are known.
extension GraphQLDocument {
  /// Something that may be written at a place.
  public struct Completion: Sendable, Hashable {
    /// What something that may be written is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// What the schema has.
      case field, argument, type, enumValue, directive, inputField
      /// What the document has.
      case variable, fragment
      /// A word of the language.
      case keyword
    }

    /// What to show.
    public let label: String
    /// What it is.
    public let kind: Kind
    /// Its type as GraphQL writes it, such as `[Bird!]!`; `nil` where it has none, or none is known.
    public let type: String?
    /// The description and the reason of a deprecation, as Markdown.
    public let documentation: String?
    /// Whether the schema says that it should not be used any more.
    public let isDeprecated: Bool
    /// What to write in the place of `replaces`: plain text, arguments that must be given included.
    public let insertText: String
    /// Where its writer goes on in `insertText`, in characters from its start, one place after the other; empty for its end.
    public let stops: [Int]
    /// The word that is being typed.
    public let replaces: Range<DocumentPosition>
  }

  /// What is known of the thing at a place.
  public struct Hover: Sendable, Hashable {
    /// Markdown: the declaration as code, the description, and the reason of a deprecation.
    public let contents: String
    /// Where the thing stands.
    public let range: Range<DocumentPosition>
  }

  /// What may be written at a place, best first.
  public func completions(at position: DocumentPosition, schema: GraphQLSchema? = nil) -> [Completion] {
    let service = LanguageService(document: document, schema: schema?.schema)
    return service.complete(at: document.source.offset(at: position)).map { item in
      Completion(
        label: item.label, kind: Completion.Kind(item.kind), type: item.type, documentation: item.documentation,
        isDeprecated: item.isDeprecated, insertText: item.insertText, stops: item.snippet.stops,
        replaces: document.source.positions(of: item.replaces))
    }
  }

  /// What is at a place: a field, an argument, a type, a directive, a variable, a fragment or an operation; `nil` for nothing
  /// that something is known of.
  public func hover(at position: DocumentPosition, schema: GraphQLSchema? = nil) -> Hover? {
    let service = LanguageService(document: document, schema: schema?.schema)
    return service.hover(at: document.source.offset(at: position)).map { hover in
      Hover(contents: hover.contents, range: document.source.positions(of: hover.range))
    }
  }
}

extension GraphQLDocument.Completion.Kind {
  fileprivate init(_ kind: CompletionItem.Kind) {
    switch kind {
    case .field: self = .field
    case .argument: self = .argument
    case .type: self = .type
    case .enumValue: self = .enumValue
    case .variable: self = .variable
    case .directive: self = .directive
    case .fragment: self = .fragment
    case .inputField: self = .inputField
    case .keyword: self = .keyword
    }
  }
}
