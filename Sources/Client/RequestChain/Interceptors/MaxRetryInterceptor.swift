import ApusClientAPI

/// Ends a chain where retries go on too long, at its place in it. Every chain sees to the same limit by itself, and that a
/// mutation is never sent again; the default one has none of these.
public struct MaxRetryInterceptor: RequestChainInterceptor {
  /// The limit is the request's: `RequestOptions.maximumRetries`.
  public init() {}

  /// Lets the request pass, or ends it.
  ///
  /// - Throws: `GraphQLClientError.tooManyRetries`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    // A request that the server took nothing of is no retry when it comes in other words.
    let retries = request.attempt - request.negotiations
    guard retries > 0 else { return .proceed(request: request, response: response) }
    if retries > request.options.maximumRetries {
      throw GraphQLClientError.tooManyRetries(count: retries - 1, last: nil)
    }
    return .proceed(request: request, response: response)
  }
}
