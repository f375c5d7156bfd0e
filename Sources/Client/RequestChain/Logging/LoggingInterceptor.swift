import ApusFormatting
import ApusClientAPI
import ApusClientNetwork

/// Logs each request, each part of its response, and its failure on one line. Values of variables and of personal
/// header fields are never logged.
///
/// The interceptor is in the chain twice: before the network fetch and after JSON parsing.
public struct LoggingInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private let log: @Sendable (String) -> Void

  /// Creates an interceptor that passes each line, without its line ending, to a function.
  public init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
  }

  /// Logs the request or a part of its response.
  ///
  /// - Throws: Nothing.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if let response { log(line(response, request)) } else { log(line(request)) }
    return .proceed(request: request, response: response)
  }

  /// Logs a failure.
  ///
  /// - Throws: The given error, always.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let reason = (error as? GraphQLClientError)?.description ?? "\(type(of: error))"
    log("✗ \(name(request)) \(milliseconds(request)): \(reason)")
    throw error
  }

  private func line<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> String {
    var words = ["→ \(name(request))", request.http.method, request.http.redactedURL]
    words.append("\(request.http.body?.count ?? 0) bytes")
    let variables = request.variables.members.map { "$\($0.key)" }
    if !variables.isEmpty { words.append(variables.joined(separator: " ")) }
    if request.attempt > 0 { words.append("attempt \(request.attempt + 1)") }
    words += request.http.headers.shown.fields.map { "\($0.name): \($0.value)" }
    return words.map { SingleLineText.line($0) }.joined(separator: " · ")
  }

  private func line<Operation: GraphQLOperation>(
    _ response: GraphQLResponse<Operation>, _ request: GraphQLRequest<Operation>
  ) -> String {
    var words = ["← \(name(request))", "\(response.head.status)", milliseconds(request)]
    if let result = response.result {
      words += ["part \(result.payloadIndex) \(result.completeness.rawValue)", "\(result.byteCount) bytes"]
      if !result.errors.isEmpty { words.append(DisplayFormat.plural(result.errors.count, "error")) }
    }
    return words.map { SingleLineText.line($0) }.joined(separator: " · ")
  }

  private func name<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> String {
    "\(request.compiled.operationType.rawValue) \(request.compiled.name ?? "without a name")"
  }

  private func milliseconds<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> String {
    let tenths = request.start.duration(to: .now) / Duration.microseconds(100)
    return "\((tenths.rounded()) / 10) ms"
  }
}
