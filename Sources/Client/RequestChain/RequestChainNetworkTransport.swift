import ApusClientAPI
import ApusClientNetwork

/// Makes a request chain for each operation and starts it.
public struct RequestChainNetworkTransport: Sendable {
  /// Where requests go: URL, header fields, connection options and time limits of every request.
  public var endpoint: HTTPRequest {
    get { prepared.http }
    set { prepared = Endpoint(newValue) }
  }
  private var prepared: Endpoint
  private let interceptorProvider: any InterceptorProvider
  private let deduplicator: RequestDeduplicator?
  private let starter = LateStarter()
  private let listeners = EventListeners()

  /// With `sharesIdenticalQueries`, queries that are identical and run at the same time are one request.
  public init(
    endpoint: HTTPRequest, interceptorProvider: any InterceptorProvider, sharesIdenticalQueries: Bool = false
  ) {
    prepared = Endpoint(endpoint)
    self.interceptorProvider = interceptorProvider
    deduplicator = sharesIdenticalQueries ? RequestDeduplicator() : nil
  }

  /// Sends an operation; the stream ends when the request is fulfilled, and ending its iteration cancels the request.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, options: RequestOptions = .init()
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let request = GraphQLRequest(operation, to: prepared, options)
    guard let deduplicator, let key = RequestDeduplicator.Key(request) else { return results(of: request) }
    return deduplicator.results(key) { results(of: request) }
  }

  /// What happens to the requests that begin from now on: see `ClientEvent`. Many may listen, each to a stream of its own,
  /// which ends when the transport and its requests are gone.
  public func events(
    bufferingPolicy: AsyncStream<ClientEvent>.Continuation.BufferingPolicy = .bufferingNewest(10_000)
  ) -> AsyncStream<ClientEvent> {
    listeners.stream(bufferingPolicy)
  }

  private func results<Operation: GraphQLOperation>(
    of request: GraphQLRequest<Operation>
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let run = RequestChainRun(
      request.reporting(to: listeners), interceptorProvider.interceptors(for: request.operation),
      interceptorProvider.errorInterceptor(for: request.operation))
    return ResultSource(run, starter).results()
  }
}
