import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLSchema
import ApusJSON

/// Operations from source text, and the schema for validating them.
extension GraphQLClient {
  /// Runs an operation of any type from its source text and returns its results as they arrive. Their data is JSON.
  ///
  ///     for try await result in try client.run("query Bird($id: ID!) { bird(id: $id) { name } }", variables: ["id": "b1"]) {
  ///       print(result.data?["bird"]?["name"] ?? .null)
  ///     }
  ///
  /// `try await client.fetch(DynamicOperation(text: …))` returns only the last result.
  ///
  /// - Parameters:
  ///   - text: A document with the operation and the fragments that it uses.
  ///   - operationName: The operation to run; optional if the document contains only one.
  ///   - variables: An object with the operation's variables.
  ///   - schema: The schema that the document is validated against before it is sent.
  ///   - cachePolicy: The cache policy of a query.
  /// - Throws: `CompileError` with locations and messages. Later errors are thrown by the stream.
  public func run(
    _ text: String, operationName: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil,
    cachePolicy: CachePolicy? = nil, context: (any RequestContext)? = nil
  ) throws(CompileError) -> Results<JSONValue> {
    try run(
      text, operationName: operationName, variables: variables, schema: schema,
      options: options(cachePolicy, context))
  }

  /// Runs an operation from its source text with all request options.
  ///
  /// - Throws: `CompileError` with locations and messages. Later errors are thrown by the stream.
  public func run(
    _ text: String, operationName: String? = nil, variables: JSONValue = .object([]), schema: GraphQLSchema? = nil,
    options: RequestOptions
  ) throws(CompileError) -> Results<JSONValue> {
    var resolver = store?.resolver ?? CacheKeyResolver()
    if let schema { resolver.addKeyFields(from: schema) }
    let operation = try DynamicOperation(
      text: text, operationName: operationName, variables: variables, schema: schema, options: resolver.compileOptions)
    switch operation.compiled.operationType {
    case .query: return fetch(query: operation, options: options)
    case .mutation: return perform(mutation: operation, options: options)
    case .subscription: return subscribe(subscription: operation, options: options)
    }
  }

  /// Fetches the endpoint's schema by introspection (GraphQL specification, section 4). Older servers are sent an older
  /// introspection query.
  ///
  /// - Throws: `GraphQLClientError.introspectionRefused` if the server rejects introspection.
  public func schema() async throws -> GraphQLSchema {
    switch await SchemaLoader(client: self).load() {
    case .loaded(let schema, _): return GraphQLSchema(schema)
    case .unavailable(let error): throw error
    }
  }
}
