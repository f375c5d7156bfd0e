import ApusClientAPI
import ApusClientNetwork

/// Sends the request and goes on with the response's head; its body is still a stream.
public struct NetworkFetchInterceptor: RequestChainInterceptor {
  private let transport: HTTPTransport

  /// An interceptor that sends over this transport.
  public init(transport: HTTPTransport) {
    self.transport = transport
  }

  /// Sends the request, and waits for the response's head.
  ///
  /// - Throws: `NetworkError`, which the chain tells as `GraphQLClientError.network`; `CancellationError`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    request.report.sent(request.http, attempt: request.attempt)
    var http = request.http
    // Nor may the transport repeat it, on another connection, where the request was made by hand.
    if http.isRepeatable, request.compiled.operationType == .mutation { http.isRepeatable = false }
    let stream = transport.send(http)
    let head = try await request.report.head(of: stream)
    return .proceed(request: request, response: GraphQLResponse(head: head, body: .stream(stream)))
  }
}

extension HTTPRequest {
  /// Bytes of the body, in memory or uploaded.
  var bodyByteCount: Int { upload?.byteCount ?? body?.count ?? 0 }
}
