import ApusClientAPI

/// Sends a query by GET, its parameters in the URL (GraphQL over HTTP, section 6.2), unless the URL would be too long.
struct QueryByGETInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    try await lead(request, response)
  }

  func step(_ request: PlainRequest, _ response: PlainResponse?) throws -> PlainStep {
    .now(try action(request, response))
  }

  private func action(_ request: PlainRequest, _ response: PlainResponse?) throws -> PlainAction {
    guard response == nil, request.asked.type == .query, request.options.files.isEmpty else {
      return .proceed(request: request, response: response)
    }
    var request = request
    _ = request.moveIntoURL(RequestMembers(request.asked, request.options))
    return .proceed(request: request, response: nil)
  }
}
