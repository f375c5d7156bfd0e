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
  /// The same where it is the client's own.
  private let standard: DefaultInterceptorProvider?
  private let deduplicator: RequestDeduplicator?
  private let starter = LateStarter()
  private let listeners = EventListeners()

  /// With `sharesIdenticalQueries`, queries that are identical and run at the same time are one request.
  public init(
    endpoint: HTTPRequest, interceptorProvider: any InterceptorProvider, sharesIdenticalQueries: Bool = false
  ) {
    prepared = Endpoint(endpoint)
    self.interceptorProvider = interceptorProvider
    standard = interceptorProvider as? DefaultInterceptorProvider
    deduplicator = sharesIdenticalQueries ? RequestDeduplicator() : nil
  }

  /// Sends an operation; the stream ends when the request is fulfilled, and ending its iteration cancels the request.
  public func send<Operation: GraphQLOperation>(
    operation: Operation, options: RequestOptions = .init()
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let plain = PlainOperation.plain(operation)
    let http = plain.http(to: prepared, options)
    guard let deduplicator, let key = RequestDeduplicator.key(plain, http, options) else {
      return start(operation, plain, http, options)
    }
    return deduplicator.results(key) { start(operation, plain, http, options) }
  }

  /// What happens to the requests that begin from now on: see `ClientEvent`. Many may listen, each to a stream of its own,
  /// which ends when the transport and its requests are gone.
  public func events(
    bufferingPolicy: AsyncStream<ClientEvent>.Continuation.BufferingPolicy = .bufferingNewest(10_000)
  ) -> AsyncStream<ClientEvent> {
    listeners.stream(bufferingPolicy)
  }

  private func start<Operation: GraphQLOperation>(
    _ operation: Operation, _ plain: PlainOperation, _ http: HTTPRequest, _ options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let chain =
      if let standard {
        RequestChain(standard.links(for: plain.type), standard.fallback, starter)
      } else {
        RequestChain(
          interceptorProvider.interceptors(for: operation).map { ChainLink($0) },
          interceptorProvider.errorInterceptor(for: operation), starter)
      }
    return chain.kickoff(request: GraphQLRequest<Operation>(plain, http, options, listeners: listeners))
  }
}
