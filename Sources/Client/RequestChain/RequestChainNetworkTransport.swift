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
  @inlinable
  public func send<Operation: GraphQLOperation>(
    operation: Operation, options: RequestOptions = .init()
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    // The stream is compiled where its type is known: made for any type it would look its types up at run time.
    if let source = source(of: operation, options) { return source.results() }
    return shared(operation, options)
  }

  /// Where the results of a request of its own come from; nil where others that ask for the same may share it.
  @usableFromInline
  func source<Operation: GraphQLOperation>(of operation: Operation, _ options: RequestOptions) -> ResultSource? {
    let plain = PlainOperation.plain(operation)
    let http = plain.http(to: prepared, options)
    if deduplicator != nil, RequestDeduplicator.key(plain, http, options) != nil { return nil }
    return start(operation, plain, http, options)
  }

  /// The results of a request that others may share.
  @usableFromInline
  func shared<Operation: GraphQLOperation>(
    _ operation: Operation, _ options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Operation.Data>, any Error> {
    let plain = PlainOperation.plain(operation)
    let http = plain.http(to: prepared, options)
    guard let deduplicator, let key = RequestDeduplicator.key(plain, http, options) else {
      return start(operation, plain, http, options).results()
    }
    return deduplicator.results(key) { start(operation, plain, http, options).results() }
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
  ) -> ResultSource {
    let request = PlainRequest(plain, http, options, listeners: listeners)
    if let standard {
      return ResultSource(RequestChainRun(request, standard.links(for: plain.type), standard.fallback), starter)
    }
    let links = interceptorProvider.interceptors(for: operation).map { ChainLink($0) }
    return ResultSource(
      RequestChainRun(request, links, interceptorProvider.errorInterceptor(for: operation)), starter)
  }
}
