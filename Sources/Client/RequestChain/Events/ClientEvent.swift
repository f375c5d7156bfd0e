import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation

/// Something that happened to a request of a client, as `GraphQLClient.events()` tells it.
///
/// Of one request, in this order:
///
/// 1. `began`.
/// 2. `cacheRead`, where the policy of a query looks into the cache.
/// 3. Of each attempt `sent`, `responded`, `received` for each part and `ended`; between two attempts `retried`. A subscription
///    has `connection` for each state of its connection.
/// 4. Behind the part that a result was made of, `cacheWritten` where it is written, and `emitted`.
/// 5. One of `finished`, `failed` and `cancelled`, behind which nothing comes.
///
/// None of it is secret: there are no values of variables, no data, no user, password or query of a URL, and of the header
/// fields those values alone that say nothing about a person.
public struct ClientEvent: Sendable {
  /// The request, which results (`GraphQLResult.request`) and changes of the cache (`CacheChange.request`) name too.
  public let request: RequestID
  /// The operation's name; `nil` for an anonymous one.
  public let operationName: String?
  /// Whether it is a query, a mutation or a subscription.
  public let operationType: CompiledOperation.OperationType
  /// Which attempt this belongs to, from 0.
  public let attempt: Int
  /// When it happened.
  public let time: ContinuousClock.Instant
  /// From the request's start until then.
  public let elapsed: Duration
  /// What happened.
  public let kind: Kind

  /// What happened to the request.
  public enum Kind: Sendable {
    /// It was made, and looks where its policy says.
    case began(CachePolicy)
    /// The cache was asked.
    case cacheRead(CacheRead)
    /// An attempt was given to the network: over HTTP, or as a subscription over a WebSocket.
    case sent(Sent)
    /// The response began: its first byte is there, with the status and the header fields.
    case responded(Responded)
    /// A part of the response arrived, an event of a subscription, or the whole body where it has no parts. `part` counts from
    /// 0 in each attempt, heartbeats too; `byteCount` is of the decompressed part.
    case received(part: Int, byteCount: Int)
    /// The response ended, with the time of each phase of the connection.
    case ended(HTTPTimings)
    /// A result was given out.
    case emitted(Emitted)
    /// A result was written to the cache.
    case cacheWritten(CacheWritten)
    /// It is tried again, in the attempt that the event names; `nil` where the server asked for other words: a query's text,
    /// or another token.
    case retried(Failure?)
    /// The connection of a subscription came to another state.
    case connection(SubscriptionState)
    /// All results were given out, and what was to be written is written.
    case finished
    /// It failed, behind the results that were given out.
    case failed(Failure)
    /// Its reader left before the end of the results, or its task was cancelled.
    case cancelled
  }

  /// What the cache had of a query.
  public struct CacheRead: Sendable, Hashable {
    /// How much was there.
    public enum Outcome: String, Sendable, Hashable {
      /// All of it.
      case hit
      /// Some of it, or all but deferred fragments.
      case partial
      /// Nothing that could be given out.
      case miss
    }

    /// How much was there.
    public let outcome: Outcome
    /// The number of places where something was missing.
    public let missingCount: Int
    /// How long the read took, the wait for others who use the cache included.
    public let duration: Duration
  }

  /// What was sent.
  public struct Sent: Sendable, Hashable {
    /// The HTTP method.
    public let method: String
    /// The URL without user, password, query and fragment.
    public let url: String
    /// The header fields; personal values are `•••`.
    public let headers: HTTPHeaders
    /// Bytes of the body, of files too.
    public let byteCount: Int
  }

  /// How a response began.
  public struct Responded: Sendable, Hashable {
    /// The status code (RFC 9110, section 15); 101 where a WebSocket was opened.
    public let status: Int
    /// The version of HTTP, as the server named it: `1.1`, `2`.
    public let version: String
    /// The header fields; personal values are `•••`.
    public let headers: HTTPHeaders
  }

  /// A result that was given out.
  public struct Emitted: Sendable, Hashable {
    /// Which payload of the response it is, from 0.
    public let part: Int
    /// Who answered: the cache or the server.
    public let source: GraphQLResultSource
    /// Whether more is to come.
    public let response: GraphQLResultResponse
    /// The number of errors in it; what they say is the server's, and may repeat what was sent.
    public let errorCount: Int
  }

  /// A result that was written to the cache.
  public struct CacheWritten: Sendable, Hashable {
    /// Which payload of the response it is, from 0.
    public let part: Int
    /// The number of fields of records that became others.
    public let changedKeyCount: Int
    /// How long the write took, the wait for others who use the cache included.
    public let duration: Duration
  }

  /// Why a request, or one attempt, failed.
  public struct Failure: Sendable, Hashable {
    /// The kind of failure, one of few: the case of `GraphQLClientError` (`status`, `cacheMiss`), of `NetworkError`
    /// (`connectionRefused`) or of `SubscriptionFailure`; of any other error its type.
    public let type: String
    /// The status code, where that is what failed.
    public let status: Int?
    /// One line that says what, where and what to do; of an error that is not the client's, its type alone.
    public let description: String
  }
}
