import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON
import Testing

/// An executable schema with data: documents in, payloads as text out.
struct Bench {
  let executor: Executor
  let data: JSONValue

  /// `data` is the root object. Fields without a resolver are looked up in it by name.
  init(_ sdl: String, data: String = "{}", _ configure: (inout Resolvers) -> Void = { _ in }) throws {
    var resolvers = Resolvers()
    configure(&resolvers)
    executor = Executor(schema: Schema.load(sdl: sdl), resolvers: resolvers)
    self.data = try JSONDocument(parsing: data).root
  }

  /// Returns the only payload of a request.
  func run(_ query: String, variables: String? = nil, operation: String? = nil) async throws -> String {
    try #require(try await payloads(query, nil, variables: variables, operation: operation).first)
  }

  /// Returns all payloads of a request in a format.
  func payloads(
    _ query: String, _ format: IncrementalFormat?, variables: String? = nil, operation: String? = nil
  ) async throws -> [String] {
    let request = ExecutionRequest(
      Document(parsing: query), operationName: operation,
      variables: try variables.map { try JSONDocument(parsing: $0).root }, incremental: format)
    switch await executor.execute(request, on: data) {
    case .refused(let errors): return [errors.response.description]
    case .single(let response): return [response.description]
    case .incremental(let initial, let rest):
      var payloads = [initial.description]
      for await payload in rest { payloads.append(payload.description) }
      return payloads
    }
  }

  /// Returns the payloads in the 2022 format, where each deferred fragment contains all of its data.
  func format2022(_ query: String, variables: String? = nil) async throws -> [String] {
    try await payloads(query, .defer20220824, variables: variables)
  }

  /// Returns the payloads in the v0.2 format.
  func formatV02(_ query: String, variables: String? = nil) async throws -> [String] {
    try await payloads(query, .incrementalV02, variables: variables)
  }
}
