import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// Where a document's names lead, and what they are called. Documents that belong together, as the files of an application do,
/// are given as `others`: what is looked for is looked for in this document first, then in those, in their order. Without a
/// schema the document's own names are known: operations, fragments, variables, aliases, and types that it defines.
extension GraphQLDocument {
  /// A place where something is defined.
  public struct Definition: Sendable, Hashable {
    /// What the text is called by: the name of one of the documents, or of the schema's text.
    public let source: String
    /// The whole definition.
    public let range: Range<DocumentPosition>
    /// The name in it.
    public let nameRange: Range<DocumentPosition>
  }

  /// A name that means the same as another.
  public struct Reference: Sendable, Hashable {
    /// What the document is called by.
    public let source: String
    /// The name.
    public let range: Range<DocumentPosition>
    /// Whether the thing is defined here; else it is used.
    public let isDefinition: Bool
  }

  /// A piece of a document and what is to stand in its place.
  public struct Edit: Sendable, Hashable {
    /// What the document is called by.
    public let source: String
    /// What goes away; where it is empty, nothing does.
    public let range: Range<DocumentPosition>
    /// What comes in its place.
    public let text: String
  }

  /// Why a name cannot be changed.
  public enum RenameError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing that has a name is there, or nothing is known of it.
    case nothingHere
    /// The name is the schema's, and not this document's to change.
    case schemaName(String)
    /// The new name is none (specification, section 2.1.9).
    case notAName(String)
    /// Something of the same sort has the new name already.
    case taken(String)

    public var description: String {
      switch self {
      case .nothingHere: LanguageServiceError.nothingHere.description
      case .schemaName(let name): LanguageServiceError.schemaName(name).description
      case .notAName(let text): LanguageServiceError.notAName(text).description
      case .taken(let name): LanguageServiceError.taken(name).description
      }
    }
  }

  /// A part of a document's outline: a definition, or something in one.
  public struct OutlineItem: Sendable, Hashable {
    /// What a part of a document is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
      /// What can be executed.
      case query, mutation, subscription, fragment
      /// What stands in it.
      case field, fragmentSpread, inlineFragment, variable
      /// What defines types, and what stands in it; a field may be a field of a type, too.
      case type, interface, union, `enum`, input, scalar, directive, schema, enumValue
    }

    /// What to show: a name; of a spread `...Card`, of a variable `$id`, of a directive `@key`.
    public let name: String
    /// What it is.
    public let kind: Kind
    /// What to show beside it: the type of a variable or of a defined field, the condition of a fragment, the field behind an
    /// alias, `extend` of an extension; `nil` for nothing.
    public let detail: String?
    /// The whole of it.
    public let range: Range<DocumentPosition>
    /// The name in it; empty where it has none.
    public let nameRange: Range<DocumentPosition>
    /// What is in it, in the order of the text.
    public let children: [OutlineItem]
  }

  /// Where the thing at a place is defined: a fragment, a variable or an operation in the documents; a field, an argument, a
  /// type, a directive or a value of an enum in the schema's text. `nil` where there is nothing, and for what a schema defines
  /// that was introspected, which has no text.
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

  /// All names that mean the same as the one at a place, that one among them: this document's first, then those of the
  /// others, each in the order of the text. Empty where nothing that is known has a name.
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

  /// The edits that give the thing at a place another name, wherever the documents name it: an operation, a fragment, a
  /// variable, an alias, or, in documents that define types, what they define. Empty where it has that name.
  ///
  /// - Throws: `RenameError`, where there is nothing that can be renamed, or the name cannot be had.
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

  /// The document with those edits made that are of its name; they must not overlap.
  public func applying(_ edits: [Edit]) -> GraphQLDocument {
    let own = edits.filter { $0.source == name }.map { edit in
      let start = document.source.offset(at: edit.range.lowerBound)
      return TextEdit(
        range: start..<max(start, document.source.offset(at: edit.range.upperBound)), text: edit.text)
    }
    return GraphQLDocument(String(decoding: own.applied(to: document.source.bytes), as: UTF8.self), name: name)
  }

  /// The document's definitions with what is in them, in the order of the text.
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
      case .taken(let name): .taken(name)
      }
  }
}

extension GraphQLDocument.OutlineItem {
  fileprivate init(_ item: ApusGraphQLLanguageService.OutlineItem, _ source: Source) {
    name = item.name
    kind = Kind(item.kind)
    detail = item.detail
    range = source.positions(of: item.range)
    nameRange = source.positions(of: item.nameRange)
    children = item.children.map { Self($0, source) }
  }
}

extension GraphQLDocument.OutlineItem.Kind {
  fileprivate init(_ kind: ApusGraphQLLanguageService.OutlineItem.Kind) {
    self =
      switch kind {
      case .query: .query
      case .mutation: .mutation
      case .subscription: .subscription
      case .fragment: .fragment
      case .field: .field
      case .fragmentSpread: .fragmentSpread
      case .inlineFragment: .inlineFragment
      case .variable: .variable
      case .type: .type
      case .interface: .interface
      case .union: .union
      case .enum: .enum
      case .input: .input
      case .scalar: .scalar
      case .directive: .directive
      case .schema: .schema
      case .enumValue: .enumValue
      }
  }
}
