import ApusClientAPI
import ApusClientResultExecution
import ApusJSON

/// A change of a cache, as observers receive it.
public struct CacheChange: Sendable {
  /// The reason for a change.
  public enum Cause: Sendable, Hashable {
    /// A response, or one payload of it, was written.
    case write(operation: String?, part: Int?)
    /// Records or fields were evicted by key or by pattern.
    case eviction
    /// All records were removed.
    case clearing
    /// A record was modified by a function or by the user.
    case modification
    /// Unreachable records were removed by garbage collection.
    case collection
    /// The least recently used records were removed because the cache exceeded its size limit.
    case trimming
    /// An optimistic layer was added (`optimistic`) or removed (`rollback`).
    case optimistic, rollback
    /// Another process wrote to the cache file.
    case external
    /// Records were imported from a file.
    case imported
    /// A transaction of several steps was committed.
    case transaction
  }

  /// The number of the change in its store, counting from 1.
  public let number: Int
  /// The reason for the change.
  public let cause: Cause
  /// The request whose result was written, or `nil` if no request wrote the change.
  public let request: RequestID?
  /// A title given by the caller, such as `Evict Bird:1`.
  public let title: String?
  /// Changed fields and records.
  public let changedKeys: ChangedKeys
  /// The length of the chain of automatic refetches that led to this change; 0 for a change by the user or a program.
  /// It is limited, so that queries that evict each other's records do not refetch forever.
  package let refetchDepth: Int
  /// The watch whose response was written; `nil` for other changes.
  package let watch: WatchIdentity?

  init(number: Int, _ origin: ChangeOrigin, _ changedKeys: ChangedKeys) {
    self.number = number
    self.changedKeys = changedKeys
    (cause, request, title, refetchDepth) = (origin.cause, origin.request, origin.title, origin.refetchDepth)
    watch = origin.watch
  }
}

/// The cause of a change, with its request and title.
struct ChangeOrigin: Sendable {
  let cause: CacheChange.Cause
  let request: RequestID?
  let title: String?
  let refetchDepth: Int
  let watch: WatchIdentity?

  init(
    _ cause: CacheChange.Cause, request: RequestID? = nil, title: String? = nil, refetchDepth: Int = 0,
    watch: WatchIdentity? = nil
  ) {
    self.watch = watch
    self.cause = cause
    self.request = request
    self.title = title
    self.refetchDepth = refetchDepth
  }
}

/// Options for writing a response to a cache.
public struct CacheWriteOptions: Sendable {
  /// Whether more payloads of the response will follow. Missing fields stay unwritten in any case; a partial response
  /// also marks its streamed lists as incomplete.
  public var isPartial: Bool
  /// Response paths that changed since the response was last written; `nil` writes all of it.
  public var paths: [ResponsePath]?
  /// The index of the payload that is written, reported to observers.
  public var payloadIndex: Int?
  /// The request that received the response, reported to observers.
  public var request: RequestID?
  /// Errors of the response. They are stored with the fields that they left without a value.
  public var errors: [GraphQLError] = []
  /// Values in the response that contradict the operation; `nil` if the response has not been checked yet.
  package var contradictions: [ResultError]?
  /// Errors of objects that two payloads of the response contradict each other about. The objects are not written.
  package var conflicts: [GraphQLError] = []
  /// Deferred fragments that failed. Reading the cache reports them as failed again.
  package var failedFragments: [DeferredFragment] = []
  /// Errors that ended streamed lists. No null in the response is explained by them.
  package var streamErrors: [GraphQLError] = []
  /// The freshness lifetime of the response in seconds, from its `Cache-Control` and `Age` headers (RFC 9111, section
  /// 4.2); `nil` if it has none.
  public var maximumAge: Int?
  /// The number of automatic refetches that led to this response; see `CacheChange.refetchDepth`.
  package var refetchDepth = 0
  /// The watch that received the response.
  package var watch: WatchIdentity?
  /// The kind of write.
  var origin = RecordOrigin.response

  /// Creates options for a response or one payload of it. The defaults are for a complete response.
  public init(isPartial: Bool = false, paths: [ResponsePath]? = nil, payloadIndex: Int? = nil) {
    self.isPartial = isPartial
    self.paths = paths
    self.payloadIndex = payloadIndex
  }

  /// Options for a complete response, all of which is written.
  public static let complete = CacheWriteOptions()

  /// Options for a change by the application, which is compared with the cache.
  package static var localChange: CacheWriteOptions { complete.from(.local) }

  func from(_ origin: RecordOrigin) -> CacheWriteOptions {
    var options = self
    options.origin = origin
    return options
  }

  /// Whether the field of a value is at, above or below a path that is written.
  func reaches(_ path: ResponsePath) -> Bool {
    guard let paths else { return true }
    let field = ResponsePath(Array(path.components[...(path.components.lastIndex(where: \.isKey) ?? -1)]))
    return paths.contains { field.starts(with: $0) || $0.starts(with: field) }
  }
}
