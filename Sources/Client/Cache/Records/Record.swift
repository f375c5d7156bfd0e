import ApusJSON

/// What a field of a record holds.
public indirect enum RecordValue: Sendable, Hashable {
  /// A scalar, an enum value, null, or a whole JSON value of a custom scalar.
  case scalar(JSONValue)
  /// Another record, by its key.
  case reference(CacheReference)
  /// A list, of lists too; its items are in the server's order.
  case list([RecordValue])
  /// An item of a list that was never fetched, between items that were.
  case missing
}

/// One record, taken out of a cache to be looked at.
public struct Record: Sendable, Hashable {
  /// A field as the record holds it.
  public struct Field: Sendable, Hashable {
    /// The field's name, with its arguments in canonical form: `birds({"first":10})`.
    public let key: String
    /// What the field holds.
    public let value: RecordValue

    /// A field by its key, arguments included, and its value.
    public init(key: String, value: RecordValue) {
      self.key = key
      self.value = value
    }

    /// The name without the arguments.
    public var name: Substring { key.prefix { $0 != "(" } }
  }

  /// Under which key the record lies.
  public let key: CacheKey
  /// `nil` when neither the response nor a schema told it.
  public let typename: String?
  /// In the order in which they were first written.
  public let fields: [Field]

  /// A record by its parts; it is in no cache by being made.
  public init(key: CacheKey, typename: String?, fields: [Field]) {
    self.key = key
    self.typename = typename
    self.fields = fields
  }

  /// The value of the field under a key, arguments included; `nil` where the record has none.
  public subscript(field key: String) -> RecordValue? { fields.first { $0.key == key }?.value }

  /// The keys of the records that this one refers to, in order, each once.
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

/// A line about a record, for a list of many.
public struct RecordSummary: Sendable, Hashable {
  /// Under which key the record lies.
  public let key: CacheKey
  /// The name of the object's type; `nil` when neither the response nor a schema told it.
  public let typename: String?
  /// How many fields it has; one with two sets of arguments counts twice.
  public let fieldCount: Int
  /// Bytes of the record's values, without its key.
  public let byteSize: Int
  /// How many places in other records refer to it.
  public let referrerCount: Int
  /// When it was written last, in seconds since 1970.
  public let written: Int
  /// When it expires, in seconds since 1970; `nil` for never.
  public let expires: Int?
  /// Whether the roots lead to it.
  public let isReachable: Bool

  /// A line by its parts.
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

/// A field of a record that refers to another one.
public struct Referrer: Sendable, Hashable {
  /// The record that has the field.
  public let key: CacheKey
  /// The field's key, with its arguments.
  public let field: String

  /// A field that refers to another record, by its record and its key.
  public init(key: CacheKey, field: String) {
    self.key = key
    self.field = field
  }
}
