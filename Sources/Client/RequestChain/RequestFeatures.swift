/// What a client's chain does beside fetching: all of it is off unless it is asked for, so that a client sends what it
/// was told to send.
public struct RequestFeatures: Sendable {
  /// Tries queries again that failed before anything arrived.
  public var retry: RetryPolicy?
  /// Sends the digests of queries in place of their texts.
  public var persistedQueries: PersistedQueryOptions?
  /// Sends queries by GET, with their parameters in the URL, so that a cache between client and server can answer (GraphQL
  /// over HTTP, section 6.2). One whose URL would be longer than servers take goes by POST, and so does whatever is no query.
  public var usesGET = false
  /// Gives each request a token, and renews it when it is rejected.
  public var credentials: Credentials?
  /// How the token is sent, where there are credentials.
  public var authentication = AuthenticationOptions()
  /// Lets queries that are identical and run at the same time share one request.
  public var sharesIdenticalQueries = false
  /// Hears a line for each request, each part and each failure.
  public var log: (@Sendable (String) -> Void)?
  /// Who reads the parts of multipart responses.
  public var partReaders = PartReaderRegistry.standard

  /// Nothing beside fetching.
  public init() {}
}
