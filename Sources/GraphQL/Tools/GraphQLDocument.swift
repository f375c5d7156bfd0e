import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusGraphQLValidation

/// A GraphQL document (specification, section 2): operations and fragments, or definitions of types. Immutable; make a new one
/// for each edit. There is one for every text, however broken: what is understood of it is used, and the rest is told.
public struct GraphQLDocument: Sendable {
  package let document: Document

  /// Parses a text, which never fails: see `syntaxProblems`. `name` is what problems call the text by.
  public init(_ text: String, name: String = "document") {
    document = Document(parsing: text, name: name)
  }

  /// What problems call the text by.
  public var name: String { document.source.name }
  /// The text as it was given.
  public var text: String { document.text }

  /// Where the text is no GraphQL, in its order; empty for one that is.
  public var syntaxProblems: [DocumentProblem] { document.diagnostics.map { DocumentProblem($0, in: document) } }

  // MARK: What is in it

  /// An operation of a document.
  public struct Operation: Sendable, Hashable {
    /// What an operation does (specification, section 2.3).
    public enum Kind: String, Sendable, Hashable {
      /// It reads, writes, or listens.
      case query, mutation, subscription
    }

    /// Whether it reads, writes or listens.
    public let kind: Kind
    /// Its name; `nil` for an anonymous one.
    public let name: String?
    /// Where it stands.
    public let range: Range<DocumentPosition>
  }

  /// The operations, in their order.
  public var operations: [Operation] {
    document.operations.map { operation in
      let kind: Operation.Kind =
        switch operation.operation {
        case .query: .query
        case .mutation: .mutation
        case .subscription: .subscription
        }
      return Operation(
        kind: kind, name: operation.name?.value, range: document.source.positions(of: operation.range))
    }
  }

  /// The names of the fragments that it defines, in their order.
  public var fragmentNames: [String] { document.fragments.map(\.name.value) }

  /// Whether it defines types, and nothing that can be executed.
  public var definesTypes: Bool { document.isTypeSystem }

  // MARK: As text

  /// The document laid out anew, with its comments. Formatting what is formatted changes nothing, and a definition that is no
  /// GraphQL stays as it was written.
  public var formatted: String { Formatter.format(document) }

  /// The document as the reference implementation prints it: what was understood of it, without comments.
  public var printed: String { Printer.print(document) }

  // MARK: What is wrong with it

  /// All that is wrong with the document: its syntax, and by the rules of the specification's section 5, in the order of the
  /// text. Without a schema those rules are asked that need none. A document that defines types is judged as a schema of its
  /// own (section 3).
  public func problems(schema: GraphQLSchema? = nil) -> [DocumentProblem] {
    Self.problems(in: [self], schema: schema)
  }

  /// The same of several documents together: fragments of one are known to the others, and names must be unique over all of
  /// them. In the order of the documents.
  public static func problems(in documents: [GraphQLDocument], schema: GraphQLSchema? = nil) -> [DocumentProblem] {
    let (types, operations) = (documents.filter(\.definesTypes), documents.filter { !$0.definesTypes })
    var problems = documents.flatMap(\.syntaxProblems)
    if !types.isEmpty { problems += GraphQLSchema(Schema.load(sdl: types.map(\.document))).problems }
    if !operations.isEmpty {
      let joined = operations.count == 1 ? operations[0].document : Document(joining: operations.map(\.document))
      let rules = Problems.rules(whole: !joined.hasErrors)
      problems += Validator.validate(joined, schema: schema?.schema, rules: rules)
        .map { DocumentProblem($0, in: joined) }
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
