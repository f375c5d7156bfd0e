import ClientAPI
import ClientNetwork

/// Makes a request chain for each operation and starts it.
public struct RequestChainNetworkTransport: Sendable {
  /// Where requests go: URL, header fields, connection options and time limits of every request.
  public var endpoint: HTTPRequest
  private let interceptorProvider: any InterceptorProvider

  public init(endpoint: HTTPRequest, interceptorProvider: any InterceptorProvider) {
    self.endpoint = endpoint
    self.interceptorProvider = interceptorProvider
  }

  /// Sends an operation; the stream ends when the request is fulfilled, and ending its iteration cancels the request.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, options: RequestOptions = .init()
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let chain = RequestChain(
      interceptors: interceptorProvider.interceptors(for: operation),
      errorInterceptor: interceptorProvider.errorInterceptor(for: operation))
    let http = GraphQLRequest<Operation>.http(for: operation, to: endpoint, options: options)
    return chain.kickoff(request: GraphQLRequest(operation: operation, http: http, options: options))
  }
}
