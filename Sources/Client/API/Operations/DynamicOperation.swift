import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// An operation that someone typed: its data stays JSON. Its kind is known only once its text is read, so that it goes
/// wherever a query, a mutation or a subscription does.
public struct DynamicOperation: QueryOperation, MutationOperation, SubscriptionOperation {
  /// The operation with its selections, as the client sends, checks and caches it.
  public let compiled: CompiledOperation
  /// An object with the operation's variables by name; an empty one where it has none.
  public let variables: JSONValue
  /// What becomes of data that contradicts the operation: `reporting` where there is a schema to compare it with, else
  /// `none`.
  public let resultChecking: ResultChecking

  /// An operation that is compiled already. `variables` must be a JSON object.
  public init(
    compiled: CompiledOperation, variables: JSONValue = .object([]), resultChecking: ResultChecking = .none
  ) {
    self.compiled = compiled
    self.variables = variables
    self.resultChecking = resultChecking
  }

  /// An operation from its text. For the cache's sake `__typename` and, where a schema tells which they are, the key fields
  /// of objects are added to what is sent; the data has them too.
  ///
  /// - Parameters:
  ///   - text: A document with the operation and the fragments that it uses.
  ///   - operationName: Which of its operations is meant; it may be left out where there is one.
  ///   - variables: An object with the operation's variables.
  ///   - schema: What the text is checked against; without one it is checked by those rules of the specification's section
  ///     5 that need none. With one the cache knows the defaults of arguments, and results are checked against their types.
  /// - Throws: `CompileError`, with the places in the text and the reasons.
  public init(
    text: String, operationName: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil
  ) throws(CompileError) {
    let options = CompileOptions(addTypename: true, keyFields: schema?.schema.declaredKeyFields ?? [:])
    try self.init(text: text, operationName: operationName, variables: variables, schema: schema, options: options)
  }

  /// The same with what a cache needs besides.
  package init(
    text: String, operationName: String?, variables: JSONValue, schema: GraphQLSchema?, options: CompileOptions
  ) throws(CompileError) {
    let document = Document(parsing: text)
    if let diagnostic = document.diagnostics.first {
      let problem = DocumentProblem(diagnostic, in: document)
      throw .syntax(message: problem.message, line: problem.line, column: problem.column)
    }
    let problems = Validator.validate(document, schema: schema?.schema)
    if !problems.isEmpty { throw .invalid(problems.map { DocumentProblem($0, in: document) }) }
    self.init(
      compiled: try CompiledOperation.compile(
        document, operationName: operationName, schema: schema?.schema, options: options),
      variables: variables, resultChecking: schema == nil ? .none : .reporting)
  }

  /// The response's data as it is, merged so far.
  public func makeData(from response: ResponseData) -> JSONValue { response.json }
}
