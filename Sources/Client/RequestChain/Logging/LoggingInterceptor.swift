import ApusClientAPI
import ApusClientNetwork

/// Tells each request, each part of its response and its failure in one line. Values of variables, and of headers that
/// may be personal, are never in it.
///
/// It stands in the chain twice: in front of the network fetch, and behind JSON parsing.
public struct LoggingInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private let log: @Sendable (String) -> Void

  public init(log: @escaping @Sendable (String) -> Void) {
    self.log = log
  }

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if let response { log(line(response, request)) } else { log(line(request)) }
    return .proceed(request: request, response: response)
  }

  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let reason = (error as? GraphQLClientError)?.description ?? "\(type(of: error))"
    log("✗ \(name(request)) \(milliseconds(request)): \(reason)")
    throw error
  }

  private func line<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> String {
    var words = ["→ \(name(request))", request.http.method, request.http.shownURL]
    words.append("\(request.http.body?.count ?? 0) bytes")
    let variables = request.operation.variables.members.map { "$\($0.key)" }
    if !variables.isEmpty { words.append(variables.joined(separator: " ")) }
    if request.attempt > 0 { words.append("attempt \(request.attempt + 1)") }
    words += request.http.headers.fields.map { "\($0.name): \(ShownHeader.shown($0))" }
    return words.map { PlainText.line($0) }.joined(separator: " · ")
  }

  private func line<Operation: GraphQLOperation>(
    _ response: GraphQLResponse<Operation>, _ request: GraphQLRequest<Operation>
  ) -> String {
    var words = ["← \(name(request))", "\(response.head.status)", milliseconds(request)]
    if let result = response.result {
      words += ["part \(result.part) \(result.response.rawValue)", "\(result.byteCount) bytes"]
      if !result.errors.isEmpty { words.append("\(result.errors.count) error\(result.errors.count == 1 ? "" : "s")") }
    }
    return words.map { PlainText.line($0) }.joined(separator: " · ")
  }

  private func name<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> String {
    "\(request.operation.compiled.operationType.rawValue) \(request.operation.compiled.name ?? "without a name")"
  }

  private func milliseconds<Operation: GraphQLOperation>(_ request: GraphQLRequest<Operation>) -> String {
    let tenths = request.start.duration(to: .now) / Duration.microseconds(100)
    return "\((tenths.rounded()) / 10) ms"
  }
}

/// What of a header may be shown: a list of names that say nothing about a person. A list of secret names would be a
/// guess, for APIs put keys into headers of any name.
enum ShownHeader {
  private static let impersonal: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "content-encoding", "content-length",
    "content-type", "user-agent",
  ]

  static func shown(_ field: HTTPHeaders.Field) -> String {
    impersonal.contains(field.name.lowercased()) ? field.value : "•••"
  }
}
