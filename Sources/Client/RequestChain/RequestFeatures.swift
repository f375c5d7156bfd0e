/// Optional features of a client's chain. All are off by default.
public struct RequestFeatures: Sendable {
  /// The policy for retrying queries that failed before a result arrived.
  public var retry: RetryPolicy?
  /// Options for sending the digests of queries instead of their text.
  public var persistedQueries: PersistedQueryOptions?
  /// Whether queries are sent by GET with their parameters in the URL, so that a cache between client and server can
  /// respond (GraphQL over HTTP, section 6.2). A query whose URL would be too long is sent by POST. Subscriptions over HTTP
  /// are sent by GET too, and `SubscriptionOptions.Transport.automatic` then tries no WebSocket.
  public var usesGET = false
  /// The token for each request, renewed when it is rejected.
  public var credentials: Credentials?
  /// Header fields of the endpoint that are renewed when the server rejects them.
  package var renewableHeaders: RenewableHeaders?
  /// Options for sending the token, if there are credentials.
  public var authentication = AuthenticationOptions()
  /// Whether identical concurrent queries share one request.
  public var deduplicatesQueries = false
  /// A function that receives a line for each request, part and failure.
  public var log: (@Sendable (String) -> Void)?
  /// The readers of the parts of multipart responses.
  public var partReaders = PartReaderRegistry.standard

  /// Creates features that are all off.
  public init() {}
}
