import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLSchema
import ApusJSON

/// Operations that are known as text, and the schema to check them against.
extension GraphQLClient {
  /// Runs an operation from its text, whichever kind it is of, and gives its results as they arrive; their data is
  /// JSON.
  ///
  ///     for try await result in try client.run("query Bird($id: ID!) { bird(id: $id) { name } }", variables: ["id": "b1"]) {
  ///       print(result.data?["bird"]?["name"] ?? .null)
  ///     }
  ///
  /// `try await client.fetch(DynamicOperation(text: …))` waits for the last result instead.
  ///
  /// - Parameters:
  ///   - text: A document with the operation and the fragments that it uses.
  ///   - operationName: Which of its operations is meant; it may be left out where there is one.
  ///   - variables: An object with the operation's variables.
  ///   - schema: What the text is checked against before anything is sent.
  ///   - cachePolicy: Where a query looks first.
  /// - Throws: `CompileError`, with the places in the text and the reasons; what fails later is thrown by the stream.
  public func run(
    _ text: String, operationName: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil,
    cachePolicy: CachePolicy? = nil, context: (any RequestContext)? = nil
  ) throws(CompileError) -> Results<JSONValue> {
    try run(
      text, operationName: operationName, variables: variables, schema: schema,
      options: options(cachePolicy, context))
  }

  /// The same with all of a request's options.
  ///
  /// - Throws: `CompileError`, with the places in the text and the reasons; what fails later is thrown by the stream.
  public func run(
    _ text: String, operationName: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil,
    options: RequestOptions
  ) throws(CompileError) -> Results<JSONValue> {
    var resolver = store?.resolver ?? CacheKeyResolver()
    if let schema { resolver.adopt(schema) }
    let operation = try DynamicOperation(
      text: text, operationName: operationName, variables: variables, schema: schema, options: resolver.compileOptions)
    switch operation.compiled.operationType {
    case .query: return fetch(query: operation, options: options)
    case .mutation: return perform(mutation: operation, options: options)
    case .subscription: return subscribe(subscription: operation, options: options)
    }
  }

  /// Asks the endpoint for its schema by introspection (GraphQL specification, section 4), in the oldest form that it
  /// knows where it does not know the newest.
  ///
  /// - Throws: `GraphQLClientError`: `introspectionRefused` where the server keeps its schema to itself.
  public func schema() async throws -> GraphQLSchema {
    switch await SchemaLoader(client: self).load() {
    case .loaded(let schema, _): return GraphQLSchema(schema)
    case .unavailable(let error): throw error
    }
  }
}
