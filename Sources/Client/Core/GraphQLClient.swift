import ClientAPI
import ClientNetwork
import ClientRequestChain

/// Runs operations against one endpoint and gives their results as streams.
///
/// A stream ends when its request is fulfilled (a watch, when it is cancelled). An error is thrown behind all results
/// that came before it. Ending the iteration, or cancelling its task, cancels the request on the wire.
public final class GraphQLClient: Sendable {
  public typealias Results<Data: Sendable> = AsyncThrowingStream<GraphQLResult<Data>, any Error>

  public let transport: RequestChainNetworkTransport

  /// A client with the default chain of interceptors.
  public convenience init(
    url: String, headers: HTTPHeaders = [:], connection: HTTPConnectionOptions = .init(),
    timeouts: HTTPTimeouts = .init()
  ) {
    let endpoint = HTTPRequest(url: url, headers: headers, timeouts: timeouts, connection: connection)
    self.init(endpoint: endpoint)
  }

  /// A client with the default chain of interceptors, for an endpoint with all of its options.
  public convenience init(endpoint: HTTPRequest, network: HTTPTransport = HTTPTransport()) {
    self.init(
      transport: RequestChainNetworkTransport(
        endpoint: endpoint, interceptorProvider: DefaultInterceptorProvider(transport: network)))
  }

  public init(transport: RequestChainNetworkTransport) {
    self.transport = transport
  }

  /// Where the client's requests go.
  public var url: String { transport.endpoint.url }

  /// Runs a query.
  public func fetch<Query: GraphQLOperation>(
    query: Query, cachePolicy: CachePolicy = .cacheFirst, context: (any RequestContext)? = nil
  ) -> Results<Query.Data> {
    fetch(query: query, options: RequestOptions(cachePolicy: cachePolicy, context: context))
  }

  /// Runs a query with all of a request's options.
  public func fetch<Query: GraphQLOperation>(query: Query, options: RequestOptions) -> Results<Query.Data> {
    transport.send(operation: query, options: options)
  }

  /// Runs a mutation. It is sent once: no failure makes the client send it again.
  public func perform<Mutation: GraphQLOperation>(
    mutation: Mutation, options: RequestOptions = .init()
  ) -> Results<Mutation.Data> {
    transport.send(operation: mutation, options: options)
  }
}
