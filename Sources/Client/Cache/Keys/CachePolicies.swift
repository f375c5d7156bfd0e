import ApusClientOperation
import ApusJSON

/// Rules for cached fields: their time to live, the arguments that identify the records they refer to, and how a new
/// value is merged with the existing one. Fields are identified by their schema coordinates, such as `Query.bird`.
public struct CachePolicies: Sendable {
  /// Field policies by schema coordinate: `policies.fields["Query.birds"]`.
  public var fields: [String: FieldPolicy]
  /// The time to live of a type's records, in seconds, by typename.
  public var timeToLive: [String: Int]
  /// The time to live of other records, in seconds; `nil` means that they never expire.
  public var defaultTimeToLive: Int?
  /// Whether the `Cache-Control` and `Age` headers of a response (RFC 9111) set the time to live if no other rule does.
  ///
  /// False by default, because many servers send `no-store` or `max-age=0` with every response, intended for HTTP
  /// caches.
  public var obeysCacheControl: Bool
  /// The maximum size of the cache's values in bytes, without keys and indexes; `nil` for no limit. A write that
  /// exceeds the limit removes the least recently used records until three quarters of it are in use. Records that
  /// watched and retained operations read are kept.
  public var byteLimit: Int?

  /// Creates cache policies. By default, values replace each other and never expire.
  public init(
    fields: [String: FieldPolicy] = [:], timeToLive: [String: Int] = [:], defaultTimeToLive: Int? = nil,
    obeysCacheControl: Bool = false, byteLimit: Int? = nil
  ) {
    self.fields = fields
    self.timeToLive = timeToLive
    self.defaultTimeToLive = defaultTimeToLive
    self.obeysCacheControl = obeysCacheControl
    self.byteLimit = byteLimit
  }

  /// Policies without times to live.
  var withoutTimes: CachePolicies {
    let untimed = fields.mapValues { policy in
      FieldPolicy(
        keyArguments: policy.keyArguments, targetType: policy.targetType, merge: policy.merge,
        secretArguments: policy.secretArguments)
    }
    return CachePolicies(fields: untimed, obeysCacheControl: false)
  }

  func policy(_ field: String, of typename: String?) -> FieldPolicy? {
    guard !fields.isEmpty, let typename else { return nil }
    return fields["\(typename).\(field)"]
  }

  /// Returns the expiry time of a value written now, in seconds since 1970; 0 for never.
  func expiry(of typename: String?, from time: UInt32, responseAge: Int?) -> UInt32 {
    let seconds = typename.flatMap { timeToLive[$0] } ?? defaultTimeToLive ?? (obeysCacheControl ? responseAge : nil)
    return Self.expiry(seconds, from: time)
  }

  static func expiry(_ seconds: Int?, from time: UInt32) -> UInt32 {
    guard let seconds else { return 0 }
    return UInt32(clamping: max(1, Int(time) + min(seconds, Int(UInt32.max))))
  }
}

/// The cache rules of a field, such as an age limit for `Query.weather`, or pages that are merged for `Query.birds`.
public struct FieldPolicy: Sendable {
  /// Arguments that form the cache key of the record that the field refers to. A read finds this record even if the
  /// field was never fetched with these arguments. A list argument refers to a list of records.
  public var keyArguments: [String]
  /// The type of the referenced record, if the schema does not specify it.
  public var targetType: String?
  /// The time to live of the field in seconds; `nil` for that of its record.
  public var timeToLive: Int?
  /// The merge policy for a new value; `nil` replaces the existing one.
  public var merge: FieldMerge?
  /// Arguments such as tokens and passwords that appear in the field's key only as the SHA-256 of their value, so that
  /// the cache and its file do not contain them.
  public var secretArguments: Set<String>

  /// Creates a field policy. The defaults are the cache's own rules.
  public init(
    keyArguments: [String] = [], targetType: String? = nil, timeToLive: Int? = nil, merge: FieldMerge? = nil,
    secretArguments: Set<String> = []
  ) {
    self.secretArguments = secretArguments
    self.keyArguments = keyArguments
    self.targetType = targetType
    self.timeToLive = timeToLive
    self.merge = merge
  }

  /// Returns the arguments that are not part of the field's key because all of their pages are merged into one value.
  /// Lists of scalars are not merged: each page is stored separately.
  func omittedArguments(of field: PlanField, variables: JSONValue) -> Set<String> {
    switch merge {
    case .append(let arguments): field.child == nil ? [] : Set(arguments)
    case .offset(let offset, let limit):
      OffsetWindow(of: field, offset, limit, variables) == nil ? [] : [offset, limit]
    case .function(let arguments, _): Set(arguments)
    case .connection, nil: []
    }
  }
}

/// The way in which a field's new value is combined with the existing one.
public enum FieldMerge: Sendable {
  /// A list with consecutive pages. New items are appended, except objects that the list already contains, and existing
  /// items are kept. The arguments that select a page are not part of the field's key.
  case append(arguments: [String])
  /// A list with offset paging. Items are stored at their positions, and a read returns those from its offset up to its
  /// limit. Positions that were never fetched read as missing. A page with fewer items than its limit, or without a
  /// limit, ends the list.
  case offset(argument: String = "offset", limit: String = "limit")
  /// A connection as in the GraphQL Cursor Connections Specification. Pages are stored as they were received and read
  /// by their cursors, so any sequence of pages without a gap can be read.
  case connection
  /// A function that computes the new value from the existing one, the incoming one and the arguments. `omitting` names
  /// the arguments that are not part of the field's key.
  case function(
    omitting: [String], _ merge: @Sendable (_ existing: RecordValue?, _ incoming: RecordValue, JSONValue) -> RecordValue
  )
}

/// A merge to be done when the existing value is available.
struct PendingMerge: Sendable {
  let merge: FieldMerge
  let arguments: JSONValue
  /// Whether the value was computed from cached data instead of received from a server. It then replaces exactly that
  /// data.
  var isUpdate = false
}
