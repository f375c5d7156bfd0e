/// What a client's chain does beside fetching: all of it is off unless it is asked for, so that a client sends what it
/// was told to send.
public struct RequestFeatures: Sendable {
  /// Tries queries again that failed before anything arrived.
  public var retry: RetryPolicy?
  /// Sends the digests of queries in place of their texts.
  public var persistedQueries: PersistedQueryOptions?
  /// Gives each request a token, and renews it when it is rejected.
  public var credentials: Credentials?
  public var authentication = AuthenticationOptions()
  /// Lets queries that are identical and run at the same time share one request.
  public var sharesIdenticalQueries = false
  /// Hears a line for each request, each part and each failure.
  public var log: (@Sendable (String) -> Void)?
  /// Who reads the parts of multipart responses.
  public var partReaders = PartReaderRegistry.standard

  public init() {}
}
