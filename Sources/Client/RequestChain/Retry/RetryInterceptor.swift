import ClientAPI
import ClientNetwork

/// Tries a query again when the network or the server failed before anything arrived, waiting longer each time and as
/// long as the server asks for. How often, the request's options say. A mutation is never sent again.
public struct RetryInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private let policy: RetryPolicy

  public init(policy: RetryPolicy = .init()) {
    self.policy = policy
  }

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    .proceed(request: request, response: response)
  }

  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let retry = request.attempt - request.negotiations + 1
    guard request.operation.compiled.operationType == .query, retry <= request.options.maximumRetries,
      request.monitor.facts.resultCount == 0, helps(error)
    else { throw error }
    let asked = response?.head.headers["Retry-After"].flatMap { RetryAfter.delay($0) }
    guard let delay = policy.delay(before: retry, asked: asked) else { throw error }
    try await policy.sleep(delay)
    return .retry(request: request)
  }

  /// Whether trying again may help.
  private func helps(_ error: any Error) -> Bool {
    switch error {
    case GraphQLClientError.network(let failure): failure.isTransient
    case GraphQLClientError.status(let code, _, _): policy.statusCodes.contains(code)
    default: false
    }
  }
}

extension NetworkError {
  /// Whether the same request may succeed a moment later.
  var isTransient: Bool {
    switch self {
    case .dnsFailure, .connectionRefused, .connectionFailed, .timeout, .cut, .failed: true
    default: false
    }
  }
}
