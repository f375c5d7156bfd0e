import ApusClientAPI
import ApusClientResultExecution
import ApusJSON

/// One change of a cache, as everyone who listens hears of it.
public struct CacheChange: Sendable {
  /// Where a change came from.
  public enum Cause: Sendable, Hashable {
    /// A response, or one part of it, was written.
    case write(operation: String?, part: Int?)
    /// Records or fields were removed by their keys or by a pattern.
    case eviction
    /// Everything was removed.
    case clearing
    /// A record was changed by a function, or by hand.
    case modification
    /// Records that nothing leads to were removed.
    case collection
    /// What outgrew the limit of the cache was removed.
    case trimming
    /// An optimistic layer was laid over the records, or taken away.
    case optimism, rollback
    /// Another process wrote to the file.
    case foreign
    /// Records were read in from a file.
    case importing
    /// Several steps in one.
    case transaction
  }

  /// Counts up from 1.
  public let number: Int
  /// What kind of change it was.
  public let cause: Cause
  /// The request whose result was written; `nil` for what no request wrote.
  public let request: RequestID?
  /// What whoever made the change calls it: `Evict Bird:1`; `nil` where nobody said.
  public let title: String?
  /// The fields and records that it touched.
  public let changedKeys: ChangedKeys
  /// How many fetches that only made good a loss led here, each loss caused by the fetch before: 0 for what a person or
  /// a program did. It keeps queries that take records from one another from fetching for ever.
  package let refetchDepth: Int

  init(number: Int, _ origin: ChangeOrigin, _ changedKeys: ChangedKeys) {
    self.number = number
    self.changedKeys = changedKeys
    (cause, request, title, refetchDepth) = (origin.cause, origin.request, origin.title, origin.refetchDepth)
  }
}

/// Who makes a change, and why.
struct ChangeOrigin: Sendable {
  let cause: CacheChange.Cause
  let request: RequestID?
  let title: String?
  let refetchDepth: Int

  init(_ cause: CacheChange.Cause, request: RequestID? = nil, title: String? = nil, refetchDepth: Int = 0) {
    self.cause = cause
    self.request = request
    self.title = title
    self.refetchDepth = refetchDepth
  }
}

/// How a response is written.
public struct CacheWriteOptions: Sendable {
  /// Whether parts of the response are still to come: fields that are not there stay unwritten either way, but its
  /// streamed lists are then known not to be whole.
  public var isPartial: Bool
  /// Where the response changed since it was written last; `nil` writes all of it.
  public var places: [ResponsePath]?
  /// Which payload of the response brought this, for those who listen.
  public var part: Int?
  /// The request that asked for the response, for those who listen.
  public var request: RequestID?
  /// The errors of the response, to be kept with the fields that they left without a value.
  public var errors: [GraphQLError] = []
  /// What was found in the response that contradicts its operation; `nil` when nobody has looked yet.
  package var contradictions: [ResultError]?
  /// The deferred fragments that failed, to be read back as failed.
  package var failedFragments: [DeferredFragment] = []
  /// The errors that ended streamed lists. They explain no null.
  package var streamErrors: [GraphQLError] = []
  /// How many seconds the response stays fresh, by its `Cache-Control` and `Age`; `nil` when it does not say.
  public var maximumAge: Int?
  /// Of a response that makes good a loss: see `CacheChange.refetchDepth`.
  package var refetchDepth = 0

  /// Options for a response, or for a part of one. The defaults are those of a whole response.
  public init(isPartial: Bool = false, places: [ResponsePath]? = nil, part: Int? = nil) {
    self.isPartial = isPartial
    self.places = places
    self.part = part
  }

  /// A whole response, of which everything is written.
  public static let whole = CacheWriteOptions()

  /// Whether the field that a value belongs to lies at, above or beneath what is written.
  func reaches(_ path: ResponsePath) -> Bool {
    guard let places else { return true }
    let field = ResponsePath(Array(path.components[...(path.components.lastIndex(where: \.isKey) ?? -1)]))
    return places.contains { field.starts(with: $0) || $0.starts(with: field) }
  }
}
