import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// An operation from text, with JSON data. Its type is known only after parsing, so it can be used as a query, mutation
/// or subscription.
public struct DynamicOperation: QueryOperation, MutationOperation, SubscriptionOperation {
  /// The compiled operation.
  public let compiled: CompiledOperation
  /// The variables, as a JSON object.
  public let variables: JSONValue
  /// The handling of data that does not match the operation: `reportErrors` with a schema, otherwise `none`.
  public let resultChecking: ResultChecking

  /// Creates an operation that is already compiled. `variables` must be a JSON object.
  public init(
    compiled: CompiledOperation, variables: JSONValue = .object([]), resultChecking: ResultChecking = .none
  ) {
    self.compiled = compiled
    self.variables = variables
    self.resultChecking = resultChecking
  }

  /// Compiles an operation. `__typename` and the key fields in the schema are added for the cache; they also appear in
  /// the data.
  ///
  /// - Parameters:
  /// - text: A document with the operation and its fragments.
  /// - operationName: The name of the operation, if the document has several.
  /// - variables: The variables, as a JSON object.
  /// - schema: The schema for validating the document, argument defaults and checking results. Without a schema, only
  ///   those validation rules apply that need none (GraphQL specification, section 5).
  /// - Throws: `CompileError` with locations and reasons.
  public init(
    text: String, operationName: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil
  ) throws(CompileError) {
    let options = CompileOptions(addTypename: true, keyFields: schema?.schema.declaredKeyFields ?? [:])
    try self.init(text: text, operationName: operationName, variables: variables, schema: schema, options: options)
  }

  /// Compiles an operation with additional options for the cache.
  package init(
    text: String, operationName: String?, variables: JSONValue, schema: GraphQLSchema?, options: CompileOptions
  ) throws(CompileError) {
    let document = Document(parsing: text)
    if let diagnostic = document.diagnostics.first {
      let problem = GraphQLDiagnostic(diagnostic, in: document)
      throw .syntax(message: problem.message, line: problem.line, column: problem.column)
    }
    let problems = Validator.validate(document, schema: schema?.schema)
    if !problems.isEmpty { throw .invalid(problems.map { GraphQLDiagnostic($0, in: document) }) }
    self.init(
      compiled: try CompiledOperation.compile(
        document, operationName: operationName, schema: schema?.schema, options: options),
      variables: variables, resultChecking: schema == nil ? .none : .reportErrors)
  }

  /// Returns the merged data unchanged.
  public func makeData(from response: ResponseData) -> JSONValue { response.json }
}
