import ApusClientAPI
import ApusClientNetwork

/// Sends the request and goes on with the response's head; its body is still a stream.
public struct NetworkFetchInterceptor: RequestChainInterceptor {
  private let transport: HTTPTransport

  public init(transport: HTTPTransport) {
    self.transport = transport
  }

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    request.monitor.begin(attempt: request.attempt, requestByteCount: request.http.bodyByteCount)
    var http = request.http
    // Nor may the transport repeat it, on another connection, where the request was made by hand.
    if http.isRepeatable, request.operation.compiled.operationType == .mutation { http.isRepeatable = false }
    let stream = transport.send(http)
    let head = try await request.monitor.head(of: stream)
    return .proceed(request: request, response: GraphQLResponse(head: head, body: .stream(stream)))
  }
}

extension RequestMonitor {
  /// Notes how far the upload is until the response begins.
  func head(of stream: HTTPResponseStream) async throws -> HTTPHead {
    while let event = try await stream.next() {
      switch event {
      case .sent(let progress): sent(progress)
      case .head(let head):
        received(head)
        return head
      case .bytes, .end: break
      }
    }
    throw GraphQLClientError.noResult
  }
}

extension HTTPRequest {
  /// Bytes of the body, in memory or uploaded.
  var bodyByteCount: Int { upload?.byteCount ?? body?.count ?? 0 }
}
