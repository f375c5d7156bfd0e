import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Navigation and renaming. Related documents, such as the files of an application, are passed as `others`; this
/// document is searched first, then the others in order. Without a schema, only names that the documents define are
/// found: operations, fragments, variables, aliases and types.
extension GraphQLDocument {
  /// The location of a definition.
  public struct Definition: Sendable, Hashable {
    /// The name of the document or of the schema.
    public let source: String
    /// The range of the whole definition.
    public let range: Range<DocumentPosition>
    /// The range of the name.
    public let nameRange: Range<DocumentPosition>
  }

  /// An occurrence of a name.
  public struct Reference: Sendable, Hashable {
    /// The name of the document.
    public let source: String
    /// The range of the name.
    public let range: Range<DocumentPosition>
    /// Whether this is the definition rather than a use.
    public let isDefinition: Bool
  }

  /// An edit of a document.
  public struct Edit: Sendable, Hashable {
    /// The name of the document.
    public let source: String
    /// The range to replace; empty for an insertion.
    public let range: Range<DocumentPosition>
    /// The new text.
    public let text: String
  }

  /// The reason why an element cannot be renamed.
  public enum RenameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no named element at the position.
    case nothingHere
    /// The element is defined by the schema.
    case schemaName(String)
    /// The new name is not a valid name (GraphQL specification, section 2.1.9).
    case notAName(String)
    /// The new name is reserved, such as `on` for a fragment, `true` for an enum value and `__` at the start of a type.
    case reserved(String)
    /// Another element of the same kind already has the new name.
    case taken(String)
    /// The documents would not be valid with the new name; `message` is the error that they would have.
    case invalid(String, message: String)

    public var description: String {
      switch self {
      case .nothingHere: LanguageServiceError.nothingHere.description
      case .schemaName(let name): LanguageServiceError.schemaName(name).description
      case .notAName(let text): LanguageServiceError.notAName(text).description
      case .reserved(let name): LanguageServiceError.reserved(name).description
      case .taken(let name): LanguageServiceError.taken(name).description
      case .invalid(let name, let message): LanguageServiceError.invalid(name, message: message).description
      }
    }
  }

  /// An item of a document's outline: a definition, or a part of one.
  public struct OutlineItem: Sendable, Hashable {
    /// The name to display: for a spread `...Card`, for a variable `$id`, for a directive `@key`.
    public let name: String
    /// The kind of the item.
    public let kind: OutlineKind
    /// Additional text to display: the type of a variable or field definition, the type condition of a fragment, the
    /// name of an aliased field, or `extend`; `nil` if there is none.
    public let detail: String?
    /// The range of the whole item.
    public let range: Range<DocumentPosition>
    /// The range of the name; empty if there is none.
    public let nameRange: Range<DocumentPosition>
    /// Items inside, in source order.
    public let children: [OutlineItem]
  }

  /// Returns the definition of the element at a position: a fragment, variable or operation in the documents, or a
  /// field, argument, type, directive or enum value in the schema. `nil` if there is none, or the schema was
  /// introspected and has no text.
  public func definition(
    at position: DocumentPosition, schema: GraphQLSchema? = nil, others: [GraphQLDocument] = []
  ) -> Definition? {
    let service = service(schema, others)
    guard let place = service.definition(at: document.source.offset(at: position)) else { return nil }
    if place.element != nil, service.schema?.isIntrospected == true { return nil }
    let source = place.document.source
    return Definition(
      source: source.name(at: place.name.lowerBound), range: source.positions(of: place.range),
      nameRange: source.positions(of: place.name))
  }

  /// Returns all occurrences of the element at a position, including that one: first in this document, then in the
  /// others, each in source order. Empty if there is no named element.
  public func references(
    at position: DocumentPosition, schema: GraphQLSchema? = nil, others: [GraphQLDocument] = []
  ) -> [Reference] {
    let service = service(schema, others)
    let source = service.document.source
    return service.references(at: document.source.offset(at: position)).map { occurrence in
      Reference(
        source: source.name(at: occurrence.range.lowerBound), range: source.positions(of: occurrence.range),
        isDefinition: occurrence.isDefinition)
    }
  }

  /// Returns the edits that rename the element at a position in all documents: an operation, fragment, variable, alias,
  /// or a type system element that the documents define. Empty if it already has the name.
  ///
  /// - Throws: `RenameError` if there is no element that can be renamed, or the name is invalid or in use.
  public func rename(
    at position: DocumentPosition, to name: String, schema: GraphQLSchema? = nil, others: [GraphQLDocument] = []
  ) throws(RenameError) -> [Edit] {
    let service = service(schema, others)
    let source = service.document.source
    do throws(LanguageServiceError) {
      return try service.rename(at: document.source.offset(at: position), to: name).map { edit in
        Edit(
          source: source.name(at: edit.range.lowerBound), range: source.positions(of: edit.range), text: edit.text)
      }
    } catch {
      throw RenameError(error)
    }
  }

  /// Returns the document with the edits for its name applied. Edits must not overlap.
  public func applying(_ edits: [Edit]) -> GraphQLDocument {
    let local = edits.filter { $0.source == name }.map { edit in
      let start = document.source.offset(at: edit.range.lowerBound)
      return TextEdit(
        range: start..<max(start, document.source.offset(at: edit.range.upperBound)), text: edit.text)
    }
    return GraphQLDocument(String(decoding: local.applied(to: document.source.bytes), as: UTF8.self), name: name)
  }

  /// The outline of the document, in source order.
  public var outline: [OutlineItem] {
    LanguageService(document: document, schema: nil).outline().map { OutlineItem($0, document.source) }
  }

  private func service(_ schema: GraphQLSchema?, _ others: [GraphQLDocument]) -> LanguageService {
    let joined = others.isEmpty ? document : Document(joining: [document] + others.map(\.document))
    return LanguageService(document: joined, schema: schema?.schema)
  }
}

private typealias LanguageServiceError = ApusGraphQLLanguageService.RenameError

extension GraphQLDocument.RenameError {
  fileprivate init(_ error: ApusGraphQLLanguageService.RenameError) {
    self =
      switch error {
      case .nothingHere: .nothingHere
      case .schemaName(let name): .schemaName(name)
      case .notAName(let text): .notAName(text)
      case .reserved(let name): .reserved(name)
      case .taken(let name): .taken(name)
      case .invalid(let name, let message): .invalid(name, message: message)
      }
  }
}

extension GraphQLDocument.OutlineItem {
  fileprivate init(_ item: ApusGraphQLLanguageService.OutlineItem, _ source: Source) {
    name = item.name
    kind = item.kind
    detail = item.detail
    range = source.positions(of: item.range)
    nameRange = source.positions(of: item.nameRange)
    children = item.children.map { Self($0, source) }
  }
}
