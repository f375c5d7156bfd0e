import ApusClientAPI
import ApusClientNetwork

/// Sends the request and proceeds with the response's head. The body is still a stream.
public struct NetworkFetchInterceptor: RequestChainInterceptor {
  private let transport: HTTPTransport

  /// Creates an interceptor that uses a transport.
  public init(transport: HTTPTransport) {
    self.transport = transport
  }

  /// Sends the request and waits for the response's head.
  ///
  /// - Throws: `NetworkError`, which the chain converts to `GraphQLClientError.network`; `CancellationError`.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    var http = request.http
    // All attempts share the limit.
    try http.countTotal(from: request.startInstant)
    request.report.sent(request.http, attempt: request.attempt)
    // The transport must not repeat a mutation on another connection, even if the request was created by hand.
    if http.isRepeatable, request.compiled.operationType == .mutation { http.isRepeatable = false }
    let stream = transport.send(http)
    let head = try await request.report.head(of: stream)
    return .proceed(request: request, response: GraphQLResponse(head: head, body: .stream(stream)))
  }
}

extension HTTPRequest {
  /// The size of the body in bytes, in memory or uploaded.
  var bodyByteCount: Int { upload?.byteCount ?? body?.count ?? 0 }
}
