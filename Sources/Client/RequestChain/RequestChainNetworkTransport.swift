import ApusClientAPI
import ApusClientNetwork

/// Creates and starts a request chain for each operation.
public struct RequestChainNetworkTransport: Sendable {
  /// The URL, header fields, connection options and time limits of every request.
  public var endpoint: HTTPRequest {
    get { prepared.http }
    set { prepared = RequestTemplate(newValue) }
  }
  private var prepared: RequestTemplate
  private var interceptorProvider: any InterceptorProvider
  private let deduplicator: RequestDeduplicator?
  private let starter = PrefetchScheduler()
  private let listeners = EventListeners()

  /// Creates a transport. With `deduplicatesQueries`, identical concurrent queries share one request.
  public init(
    endpoint: HTTPRequest, interceptorProvider: any InterceptorProvider, deduplicatesQueries: Bool = false
  ) {
    prepared = RequestTemplate(endpoint)
    self.interceptorProvider = interceptorProvider
    deduplicator = deduplicatesQueries ? RequestDeduplicator() : nil
  }

  /// Sends an operation. The stream ends with the request; ending its iteration cancels the request.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, options: RequestOptions = .init()
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let request = GraphQLRequest(operation, to: prepared, options)
    guard let deduplicator, let key = RequestDeduplicator.Key(request) else { return results(of: request) }
    return deduplicator.results(key) { results(of: request) }
  }

  /// Returns the events of requests that start from now on (see `ClientEvent`). Each call returns a separate stream,
  /// which ends when the transport and its requests are released.
  public func events(
    bufferingPolicy: AsyncStream<ClientEvent>.Continuation.BufferingPolicy = .bufferingNewest(10_000)
  ) -> AsyncStream<ClientEvent> {
    listeners.stream(bufferingPolicy)
  }

  /// Returns a transport for the same endpoint and connections with other features of the default chain. A custom chain
  /// is not changed.
  package func changingFeatures(_ change: (inout RequestFeatures) -> Void) -> Self {
    guard var provider = interceptorProvider as? DefaultInterceptorProvider else { return self }
    change(&provider.features)
    var transport = self
    transport.interceptorProvider = provider
    return transport
  }

  /// Ends the subscriptions of the default chain over WebSockets. Returns after the servers were notified.
  package func closeSubscriptions() async {
    await (interceptorProvider as? DefaultInterceptorProvider)?.closeSubscriptions()
  }

  private func results<Operation: GraphQLOperation>(
    of request: GraphQLRequest<Operation>
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let run = RequestChainRun(
      request.reporting(to: listeners), interceptorProvider.interceptors(for: request.operation),
      interceptorProvider.errorInterceptor(for: request.operation))
    return ResultStreamSource(run, starter).results()
  }
}
