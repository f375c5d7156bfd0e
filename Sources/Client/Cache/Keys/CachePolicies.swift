import ApusClientOperation
import ApusJSON

/// How fields are kept beyond their keys: for how long, by which arguments they are found, and how a new value joins the
/// one that is there. Fields are named by their coordinate: `Query.bird`.
public struct CachePolicies: Sendable {
  /// The policies of fields by their coordinates: `policies.fields["Query.birds"]`.
  public var fields: [String: FieldPolicy]
  /// Seconds that the records of a type stay fresh.
  public var timeToLive: [String: Int]
  /// Seconds that everything else stays fresh; `nil` for as long as it is there.
  public var defaultTimeToLive: Int?
  /// Whether `Cache-Control` and `Age` of a response say how long it stays fresh, where nothing else does (RFC 9111).
  /// Off unless asked for: servers send `no-store` and `max-age=0` with every answer, meaning caches of whole responses.
  public var obeysCacheControl: Bool
  /// How many bytes of values the cache may hold, without keys and indices. A write that makes them more removes what was
  /// used the longest ago, down to three quarters; what watched and retained operations read stays. `nil` for any number.
  public var byteLimit: Int?

  /// Policies of fields and times; without arguments everything is kept as it came and stays fresh.
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

  /// The same without any time to live.
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

  /// When what is written now expires; 0 for never.
  func expiry(of typename: String?, from time: UInt32, responseAge: Int?) -> UInt32 {
    let seconds = typename.flatMap { timeToLive[$0] } ?? defaultTimeToLive ?? (obeysCacheControl ? responseAge : nil)
    return Self.expiry(seconds, from: time)
  }

  static func expiry(_ seconds: Int?, from time: UInt32) -> UInt32 {
    guard let seconds else { return 0 }
    return UInt32(clamping: max(1, Int(time) + min(seconds, Int(UInt32.max))))
  }
}

/// How one field is kept.
public struct FieldPolicy: Sendable {
  /// Arguments that make the key of the record that the field leads to: a read finds it there even if the field was
  /// never fetched with these arguments. One that is a list leads to a list of records.
  public var keyArguments: [String]
  /// The type whose key that is, where the schema does not tell it.
  public var targetType: String?
  /// Seconds that the field stays fresh.
  public var timeToLive: Int?
  /// How a new value joins the one that is there; `nil` puts it in its place.
  public var merge: FieldMerge?
  /// Arguments that stand in the field's key as the SHA-256 of their value, so that no one who looks into the cache or its
  /// file reads them: tokens, passwords.
  public var secretArguments: Set<String>

  /// The policy of one field; what is left out keeps to the cache's own rules.
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

  /// The arguments that are no part of the field's key, because what they choose from is kept as one. Lists of scalars are
  /// not taken apart, so each of their pages is kept by itself.
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

/// How a field's new value joins the one that is there.
public enum FieldMerge: Sendable {
  /// A list whose pages follow one another: what is new goes behind what is there, what is there stays. The arguments
  /// that choose a page are no part of the field's key.
  case append(arguments: [String])
  /// A list whose pages begin at an offset: items take their places, and a read gives those between its offset and its
  /// limit. A gap is kept and reads as missing. A page that is shorter than its limit, or has none, ends the list.
  case offset(argument: String = "offset", limit: String = "limit")
  /// A connection of the Relay specification: each page is kept as it came, and read through its cursors, so that any
  /// stretch of pages without a gap answers a question for it.
  case connection
  /// Anything else: the value there, the new one and the arguments make the value to keep.
  case function(
    omitting: [String], _ merge: @Sendable (_ existing: RecordValue?, _ incoming: RecordValue, JSONValue) -> RecordValue
  )
}

/// A merge that waits for the value that is there.
struct PendingMerge: Sendable {
  let merge: FieldMerge
  let arguments: JSONValue
  /// Whether the value was made of what the cache had, and is no answer of a server: it takes the place of just that.
  var isUpdate = false
}
