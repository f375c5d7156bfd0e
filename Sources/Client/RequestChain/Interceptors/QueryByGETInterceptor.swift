import ApusClientAPI

/// Sends a query by GET with its parameters in the URL (GraphQL over HTTP, section 6.2), unless the URL would be too
/// long.
struct QueryByGETInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard response == nil, request.compiled.operationType == .query, request.options.files.isEmpty else {
      return .proceed(request: request, response: response)
    }
    var request = request
    _ = request.moveIntoURL(RequestParameters(request))
    return .proceed(request: request, response: nil)
  }
}
