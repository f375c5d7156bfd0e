import ApusJSON

/// A value stored in a record field.
public indirect enum RecordValue: Sendable, Hashable {
  /// A scalar, an enum value, null, or the JSON value of a custom scalar.
  case scalar(JSONValue)
  /// A reference to another record.
  case reference(CacheReference)
  /// A list, possibly nested, in the order of the response.
  case list([RecordValue])
  /// A list item that was never fetched, between items that were.
  case missing
}

/// A copy of a cached record.
public struct Record: Sendable, Hashable {
  /// A field of a record.
  public struct Field: Sendable, Hashable {
    /// The field's name with its arguments in canonical form: `birds({"first":10})`.
    public let key: String
    /// The field's value.
    public let value: RecordValue

    /// Creates a field from its key, including arguments, and its value.
    public init(key: String, value: RecordValue) {
      self.key = key
      self.value = value
    }

    /// The name without the arguments.
    public var name: Substring { key.prefix { $0 != "(" } }
  }

  /// The cache key of the record.
  public let key: CacheKey
  /// The name of the object's type, or `nil` if neither a response nor a schema provided it.
  public let typename: String?
  /// Fields, in the order in which they were first written.
  public let fields: [Field]

  /// Creates a record. This does not add it to a cache.
  public init(key: CacheKey, typename: String?, fields: [Field]) {
    self.key = key
    self.typename = typename
    self.fields = fields
  }

  /// Returns the value of the field with a key, including arguments, or `nil` if the record does not have it.
  public subscript(field key: String) -> RecordValue? { fields.first { $0.key == key }?.value }

  /// Keys of the records that this record refers to, in order and without duplicates.
  public var references: [CacheKey] {
    var seen: Set<CacheKey> = []
    var keys: [CacheKey] = []
    func collect(_ value: RecordValue) {
      switch value {
      case .scalar, .missing: break
      case .reference(let reference): if seen.insert(reference.key).inserted { keys.append(reference.key) }
      case .list(let items): items.forEach(collect)
      }
    }
    for field in fields { collect(field.value) }
    return keys
  }
}

/// A summary of a record, for lists.
public struct RecordSummary: Sendable, Hashable {
  /// The cache key of the record.
  public let key: CacheKey
  /// The name of the object's type, or `nil` if neither a response nor a schema provided it.
  public let typename: String?
  /// The number of fields. A field counts once for each set of arguments.
  public let fieldCount: Int
  /// The size of the record's values in bytes, without its key.
  public let byteSize: Int
  /// The number of references to the record in other records.
  public let referrerCount: Int
  /// The time of the last write, in seconds since 1970.
  public let written: Int
  /// The expiry time in seconds since 1970; `nil` for never.
  public let expires: Int?
  /// Whether the record is reachable from the roots.
  public let isReachable: Bool

  /// Creates a summary.
  public init(
    key: CacheKey, typename: String?, fieldCount: Int, byteSize: Int, referrerCount: Int, written: Int = 0,
    expires: Int? = nil, isReachable: Bool = true
  ) {
    self.isReachable = isReachable
    self.written = written
    self.expires = expires
    self.key = key
    self.typename = typename
    self.fieldCount = fieldCount
    self.byteSize = byteSize
    self.referrerCount = referrerCount
  }
}

/// A field of a record that refers to another record.
public struct Referrer: Sendable, Hashable {
  /// The key of the record that contains the field.
  public let key: CacheKey
  /// The field's key, with its arguments.
  public let field: String

  /// Creates a referrer from its record's key and its field's key.
  public init(key: CacheKey, field: String) {
    self.key = key
    self.field = field
  }
}
