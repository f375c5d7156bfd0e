import ApusClientAPI

/// Stands first in the chain and ends it when retries go on too long. That a mutation is never sent again, the chain sees
/// to by itself.
public struct MaxRetryInterceptor: RequestChainInterceptor {
  public init() {}

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    // A request that the server took nothing of is no retry when it comes in other words.
    let retries = request.attempt - request.negotiations
    guard retries > 0 else { return .proceed(request: request, response: response) }
    if retries > request.options.maximumRetries {
      throw GraphQLClientError.tooManyRetries(count: retries - 1)
    }
    return .proceed(request: request, response: response)
  }
}
