import ApusClientAPI
import ApusClientNetwork

/// Retries a query if the network or the server failed before a result arrived. Delays grow, and are at least as long
/// as the server requests. The request's options limit the number of retries, and `HTTPTimeouts.total` their time. A mutation
/// is never sent again.
///
/// The interceptor is in the chain twice, before the network fetch and after JSON parsing, because a server may report
/// its failure in a GraphQL response without data. The last such response is the result.
public struct RetryInterceptor: RequestChainInterceptor, RequestChainErrorInterceptor {
  private let policy: RetryPolicy

  /// Creates an interceptor with a policy. `RequestOptions.maximumRetries` limits the number of retries.
  public init(policy: RetryPolicy = .init()) {
    self.policy = policy
  }

  /// Waits and retries a query whose response reports a failure of the server.
  ///
  /// - Throws: `CancellationError` if the task is canceled while waiting.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if let response, let result = response.result, !result.hasData, result.payloadIndex == 0,
      policy.statusCodes.contains(response.head.status), let delay = delay(request, response)
    {
      try await policy.sleep(delay)
      return .retry(request: request.begunAgain)
    }
    return .proceed(request: request, response: response)
  }

  /// Waits and retries a failed query.
  ///
  /// - Throws: The given error if retrying would not help or the limit is reached; `CancellationError`.
  public func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard policy.mayHelp(error), let delay = delay(request, response) else { throw error }
    try await policy.sleep(delay)
    return .retry(request: request.begunAgain)
  }

  /// Returns the delay before the next retry, or nil if there is none.
  private func delay<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>?
  ) -> Duration? {
    let retry = request.attempt - request.negotiations + 1
    guard request.compiled.operationType == .query, retry <= request.options.maximumRetries,
      !request.hasServerResult
    else { return nil }
    let requested = response?.head.headers["Retry-After"].flatMap { RetryAfter.delay($0) }
    guard let delay = policy.delay(before: retry, requested: requested) else { return nil }
    // A retry that cannot begin in time would only hide the reason.
    return request.remainingTime.map { delay < $0 } ?? true ? delay : nil
  }
}

extension NetworkError {
  /// Whether a retry may succeed.
  var isTransient: Bool {
    switch self {
    case .dnsFailure, .connectionRefused, .connectionFailed, .timeout, .interrupted, .failed: true
    case .missingLibrary, .badURL, .badHeader, .unreadableFile, .unreadableUpload, .tooManyOpenFiles, .tlsFailure,
      .untrustedCertificate, .proxyFailure, .untrustedProxyCertificate, .notRetried, .responseTooLarge,
      .tooManyRedirects, .badRedirect,
      .redirectRefused, .notHTTP, .notWebSocket, .unknownEncoding, .brokenEncoding, .continuedEncoding:
      false
    }
  }
}
