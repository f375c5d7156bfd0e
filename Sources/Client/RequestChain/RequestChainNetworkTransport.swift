import ApusClientAPI
import ApusClientNetwork

/// Makes a request chain for each operation and starts it.
public struct RequestChainNetworkTransport: Sendable {
  /// Where requests go: URL, header fields, connection options and time limits of every request.
  public var endpoint: HTTPRequest
  private let interceptorProvider: any InterceptorProvider
  private let deduplicator: RequestDeduplicator?
  private let starter = LateStarter()
  private let listeners = EventListeners()

  /// With `sharesIdenticalQueries`, queries that are identical and run at the same time are one request.
  public init(
    endpoint: HTTPRequest, interceptorProvider: any InterceptorProvider, sharesIdenticalQueries: Bool = false
  ) {
    self.endpoint = endpoint
    self.interceptorProvider = interceptorProvider
    deduplicator = sharesIdenticalQueries ? RequestDeduplicator() : nil
  }

  /// Sends an operation; the stream ends when the request is fulfilled, and ending its iteration cancels the request.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, options: RequestOptions = .init()
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let http = GraphQLRequest<Operation>.http(for: operation, to: endpoint, options: options)
    guard let deduplicator, let key = RequestDeduplicator.key(operation, http, options) else {
      return start(operation, http, options)
    }
    return deduplicator.results(key) { start(operation, http, options) }
  }

  /// What happens to the requests that begin from now on: see `ClientEvent`. Many may listen, each to a stream of its own,
  /// which ends when the transport and its requests are gone.
  public func events(
    bufferingPolicy: AsyncStream<ClientEvent>.Continuation.BufferingPolicy = .bufferingNewest(10_000)
  ) -> AsyncStream<ClientEvent> {
    listeners.stream(bufferingPolicy)
  }

  private func start<Operation: GraphQLOperation>(
    _ operation: Operation, _ http: HTTPRequest, _ options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let chain = RequestChain(
      interceptors: interceptorProvider.interceptors(for: operation),
      errorInterceptor: interceptorProvider.errorInterceptor(for: operation), starter: starter)
    return chain.kickoff(
      request: GraphQLRequest(operation: operation, http: http, options: options, listeners: listeners))
  }
}
