import ClientAPI
import ClientNetwork

/// The chain that serves queries, mutations and subscriptions over HTTP:
/// retry limit, network fetch, response code, multipart parsing, JSON parsing.
public struct DefaultInterceptorProvider: InterceptorProvider {
  private let transport: HTTPTransport

  public init(transport: HTTPTransport) {
    self.transport = transport
  }

  public func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    [
      MaxRetryInterceptor(), NetworkFetchInterceptor(transport: transport), ResponseCodeInterceptor(),
      MultipartParsingInterceptor(), JSONParsingInterceptor(),
    ]
  }
}
