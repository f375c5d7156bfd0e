import ApusClientAPI

/// Limits the number of retries at its position in the chain. Every chain enforces the same limit itself, and never
/// repeats a mutation, so the default chain does not contain this interceptor.
public struct MaxRetryInterceptor: RequestChainInterceptor {
  /// Creates an interceptor. The limit is `RequestOptions.maximumRetries` of the request.
  public init() {}

  /// Lets the request proceed, or throws.
  ///
  /// - Throws: `GraphQLClientError.tooManyRetries`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    // An attempt in another form, after the server rejected a token or a digest, does not count as a retry.
    let retries = request.attempt - request.negotiations
    guard retries > 0 else { return .proceed(request: request, response: response) }
    if retries > request.options.maximumRetries {
      throw GraphQLClientError.tooManyRetries(count: retries - 1, last: nil)
    }
    return .proceed(request: request, response: response)
  }
}
