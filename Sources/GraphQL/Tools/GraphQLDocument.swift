import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusGraphQLValidation

/// A GraphQL document (GraphQL specification, section 2): executable or type system definitions. Immutable; create a
/// new one for each edit. Every text has a document: its valid parts are used, and its errors are reported.
public struct GraphQLDocument: Sendable {
  package let document: Document

  /// Parses a text. Parsing never fails; see `syntaxProblems`. `name` identifies the document in diagnostics.
  public init(_ text: String, name: String = "document") {
    document = Document(parsing: text, name: name)
  }

  /// The name of the document in diagnostics.
  public var name: String { document.source.name }
  /// The source text.
  public var text: String { document.text }

  /// Syntax errors, in source order.
  public var syntaxProblems: [GraphQLDiagnostic] { document.diagnostics.map { GraphQLDiagnostic($0, in: document) } }

  // MARK: Content

  /// An operation of a document.
  public struct Operation: Sendable, Hashable {
    /// The type of the operation.
    public let type: OperationType
    /// The name; `nil` for an anonymous operation.
    public let name: String?
    /// The range of the operation.
    public let range: Range<DocumentPosition>
  }

  /// Operations, in source order.
  public var operations: [Operation] {
    document.operations.map { operation in
      Operation(
        type: operation.operation, name: operation.name?.value, range: document.source.positions(of: operation.range))
    }
  }

  /// Names of the fragments that the document defines, in source order.
  public var fragmentNames: [String] { document.fragments.map(\.name.value) }

  /// Whether the document contains only type system definitions.
  public var definesTypes: Bool { document.isTypeSystem }

  // MARK: Text

  /// The document in standard layout, with its comments. Formatting is idempotent, and definitions with syntax errors
  /// are kept unchanged.
  public var formatted: String { Formatter.format(document) }

  /// The document as printed by the reference implementation, without comments and invalid parts.
  public var printed: String { Printer.print(document) }

  // MARK: Diagnostics

  /// Returns syntax and validation errors (GraphQL specification, section 5), in source order. Without a schema, only
  /// rules that need none are applied. A document with type definitions is validated as a schema (section 3).
  public func diagnostics(schema: GraphQLSchema? = nil) -> [GraphQLDiagnostic] {
    Self.diagnostics(in: [self], schema: schema)
  }

  /// Returns the errors of several documents together: they share fragments, and names must be unique among them. In
  /// the order of the documents.
  public static func diagnostics(in documents: [GraphQLDocument], schema: GraphQLSchema? = nil) -> [GraphQLDiagnostic] {
    let (types, operations) = (documents.filter(\.definesTypes), documents.filter { !$0.definesTypes })
    var problems = documents.flatMap(\.syntaxProblems)
    if !types.isEmpty { problems += GraphQLSchema(Schema.load(sdl: types.map(\.document))).diagnostics }
    if !operations.isEmpty {
      let joined = operations.count == 1 ? operations[0].document : Document(joining: operations.map(\.document))
      let rules = EditingDiagnostics.rules(complete: !joined.hasErrors)
      problems += Validator.validate(joined, schema: schema?.schema, rules: rules)
        .map { GraphQLDiagnostic($0, in: joined) }
    }
    let order = Dictionary(documents.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: min)
    return problems.enumerated().sorted { left, right in
      let (first, second) = (order[left.element.source] ?? 0, order[right.element.source] ?? 0)
      return (first, left.element.range.lowerBound, left.offset) < (
        second, right.element.range.lowerBound, right.offset
      )
    }.map(\.element)
  }
}
