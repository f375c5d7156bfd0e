import ApusClientAPI

/// Sends a query by GET, its parameters in the URL (GraphQL over HTTP, section 6.2), unless the URL would be too long.
struct QueryByGETInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard response == nil, request.operation.compiled.operationType == .query, request.options.files.isEmpty,
      let url = RequestMembers(request.operation).query(appendedTo: request.http.url)
    else { return .proceed(request: request, response: response) }
    var request = request
    request.http.method = "GET"
    request.http.url = url
    request.http.body = nil
    request.http.headers["Content-Type"] = nil
    return .proceed(request: request, response: nil)
  }
}
