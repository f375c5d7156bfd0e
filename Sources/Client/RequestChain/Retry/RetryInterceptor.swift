import ApusClientAPI
import ApusClientNetwork

/// Tries a query again when the network or the server failed before anything arrived, waiting longer each time and as
/// long as the server asks for. How often, the request's options say. A mutation is never sent again.
///
/// It stands in the chain twice, in front of the network fetch and behind JSON parsing: a server may say in a GraphQL
/// response, without data, that it failed. The last such response is the result.
public struct RetryInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private let policy: RetryPolicy

  /// An interceptor with a policy; how often it may ask is `RequestOptions.maximumRetries`.
  public init(policy: RetryPolicy = .init()) {
    self.policy = policy
  }

  /// Behind parsing, waits and sends a query again whose response says that the server failed.
  ///
  /// - Throws: `CancellationError` where the task is cancelled while it waits.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if let response, let result = response.result, !result.hasData, result.part == 0,
      policy.statusCodes.contains(response.head.status), let delay = delay(request, response)
    {
      try await policy.sleep(delay)
      return .retry(request: request.begunAgain)
    }
    return .proceed(request: request, response: response)
  }

  /// Waits and sends a query again that failed.
  ///
  /// - Throws: The error it is given, where trying again would not help or was tried often enough; `CancellationError`.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard policy.mayHelp(error), let delay = delay(request, response) else { throw error }
    try await policy.sleep(delay)
    return .retry(request: request.begunAgain)
  }

  /// How long to wait before the request is sent again; nil when it is not to be.
  private func delay<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>?
  ) -> Duration? {
    let retry = request.attempt - request.negotiations + 1
    guard request.compiled.operationType == .query, retry <= request.options.maximumRetries,
      !request.hasServerResult
    else { return nil }
    let asked = response?.head.headers["Retry-After"].flatMap { RetryAfter.delay($0) }
    return policy.delay(before: retry, asked: asked)
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
