import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusDigest

/// An event of one of a client's requests, as reported by `GraphQLClient.events()`.
///
/// The events of a request have this order:
///
/// 1. `began`.
/// 2. `cacheRead`, if the policy of a query reads the cache.
/// 3. For each attempt `sent`, `responded`, `received` for each part, and `ended`; `retried` between two attempts. A
///    subscription has `connection` for each state of its connection.
/// 4. After the part that produced a result, `cacheWritten` if the result is written, and `emitted`.
/// 5. One of `finished`, `failed` and `cancelled`, always last.
///
/// Events contain no secrets: no values of variables, no data, no user, password or query of a URL, and only the values
/// of header fields that are not personal.
public struct ClientEvent: Sendable {
  /// Identifies the request. Results (`GraphQLResult.request`) and cache changes (`CacheChange.request`) have the same ID, so
  /// that a log can join the three.
  public let request: RequestID
  /// Names the operation; `nil` if it is anonymous.
  public let operationName: String?
  /// Query, mutation or subscription.
  public let operationType: CompiledOperation.OperationType
  /// Counts attempts from 0. A retry after a failed connection, an expired token or an unknown persisted query is a new one.
  public let attempt: Int
  /// The time of the event.
  public let time: ContinuousClock.Instant
  /// Measured from the start of the request, so that it includes earlier attempts and their delays.
  public let elapsed: Duration
  /// Says what happened.
  public let kind: Kind
  let operation: CompiledOperation

  /// The SHA-256 of the sent document, computed on each access: `sha256:400483f3…`.
  public var documentHash: String {
    "sha256:" + (operation.documentDigest ?? SHA256Digest.hexadecimal(of: operation.documentText))
  }

  /// The kind of an event.
  public enum Kind: Sendable {
    /// The request started, with this cache policy.
    case began(CachePolicy)
    /// The cache was read.
    case cacheRead(CacheRead)
    /// An attempt was handed to the network: over HTTP, or as a subscription over a WebSocket.
    case sent(SentRequest)
    /// The first byte of the response arrived, with the status and the header fields.
    case responded(ResponseHead)
    /// A part of the response arrived: an event of a subscription, or the body of a response without parts. `part`
    /// counts from 0 in each attempt and includes heartbeats; `byteCount` is the decompressed size.
    case received(part: Int, byteCount: Int)
    /// The response ended, with the time of each phase of the connection.
    case ended(HTTPTimings)
    /// A result was emitted.
    case emitted(EmittedResult)
    /// A result was written to the cache.
    case cacheWritten(CacheWrite)
    /// The request is retried, in the attempt that the event names. The failure is `nil` if the server requested a
    /// query's text or another token.
    case retried(Failure?)
    /// The state of a subscription's connection changed.
    case connection(SubscriptionState)
    /// All results were emitted, and all cache writes are done.
    case finished
    /// The request failed, after the results that were emitted.
    case failed(Failure)
    /// The reader stopped before the end of the results, or the task was canceled.
    case cancelled
  }

  /// The result of reading the cache for a query.
  public struct CacheRead: Sendable, Hashable {
    /// The completeness of a cache read.
    public enum Outcome: String, Sendable, Hashable {
      /// All data was found.
      case hit
      /// Some data was found, or all except deferred fragments.
      case partial
      /// No usable data was found.
      case miss
    }

    /// The completeness of the read.
    public let outcome: Outcome
    /// Counts the missing fields, each with its response path.
    public let missingCount: Int
    /// The duration of the read, including the wait for other uses of the cache.
    public let duration: Duration
  }

  /// A request that was sent.
  public struct SentRequest: Sendable, Hashable {
    /// `POST` or `GET`.
    public let method: String
    /// The URL without user, password, query and fragment.
    public let url: String
    /// The header fields. Personal values are `•••`.
    public let headers: HTTPHeaders
    /// The size of the body in bytes, including files.
    public let byteCount: Int
  }

  /// The start of a response.
  public struct ResponseHead: Sendable, Hashable {
    /// The status code (RFC 9110, section 15); 101 for a WebSocket.
    public let status: Int
    /// The HTTP version as named by the server: `1.1`, `2`.
    public let version: String
    /// The header fields. Personal values are `•••`.
    public let headers: HTTPHeaders
  }

  /// A result that was emitted.
  public struct EmittedResult: Sendable, Hashable {
    /// The index of the payload in the response, from 0.
    public let part: Int
    /// The source of the result: the cache or the server.
    public let source: GraphQLResultSource
    /// Whether more results follow.
    public let response: GraphQLResultCompleteness
    /// The number of errors. Their messages are omitted, because a server may repeat what was sent.
    public let errorCount: Int
    /// The `code` in the extensions of the first error that has one, such as `UNAUTHENTICATED`; `nil` if there is none, or
    /// it is not a name of at most 64 ASCII letters, digits and `_-.:`.
    public let errorCode: String?
  }

  /// A result that was written to the cache.
  public struct CacheWrite: Sendable, Hashable {
    /// The index of the payload in the response, from 0.
    public let part: Int
    /// Counts changed record fields: 0 if the cache already had the same values.
    public let changedKeyCount: Int
    /// The duration of the write, including the wait for other uses of the cache.
    public let duration: Duration
  }

  /// The reason why a request or an attempt failed.
  public struct Failure: Sendable, Hashable {
    /// The kind of failure: a case of `GraphQLClientError` (`status`, `cacheMiss`), `NetworkError`
    /// (`connectionRefused`) or `SubscriptionError`, otherwise the type of the error.
    public let type: String
    /// Set if the server rejected the request by its status code.
    public let status: Int?
    /// A message on one line; for errors of other libraries only the type.
    public let description: String
  }
}
