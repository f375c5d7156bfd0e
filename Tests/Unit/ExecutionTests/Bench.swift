import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON
import Testing

/// A schema with data to try documents on: text in, texts of payloads out.
struct Bench {
  let executor: Executor
  let data: JSONValue

  /// `data` is the root object; a field without a resolver of its own is looked up in it by name.
  init(_ sdl: String, data: String = "{}", _ configure: (inout Resolvers) -> Void = { _ in }) throws {
    var resolvers = Resolvers()
    configure(&resolvers)
    executor = Executor(schema: Schema.load(sdl: sdl), resolvers: resolvers)
    self.data = try JSONDocument(parsing: data).root
  }

  /// The one response of a request.
  func run(_ query: String, variables: String? = nil, operation: String? = nil) async throws -> String {
    try #require(try await payloads(query, nil, variables: variables, operation: operation).first)
  }

  /// All payloads of a request in the given format.
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

  /// The format in wide use, where each deferred fragment has its own data.
  func formatA(_ query: String, variables: String? = nil) async throws -> [String] {
    try await payloads(query, .defer20220824, variables: variables)
  }

  /// The newest draft's format.
  func formatB(_ query: String, variables: String? = nil) async throws -> [String] {
    try await payloads(query, .incrementalV02, variables: variables)
  }
}

/// Lets a resolver wait until the test says so.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}
