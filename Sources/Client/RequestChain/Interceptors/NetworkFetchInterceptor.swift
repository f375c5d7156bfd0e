import ClientAPI
import ClientNetwork

/// Sends the request and goes on with the response's head; its body is still a stream.
public struct NetworkFetchInterceptor: RequestChainInterceptor {
  private let transport: HTTPTransport

  public init(transport: HTTPTransport) {
    self.transport = transport
  }

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    request.monitor.begin(attempt: request.attempt, requestByteCount: request.http.body?.count ?? 0)
    let stream = transport.send(request.http)
    guard case .head(let head)? = try await stream.next() else { throw GraphQLClientError.noResult }
    request.monitor.update { $0.head = head }
    return .proceed(request: request, response: GraphQLResponse(head: head, body: .stream(stream)))
  }
}
