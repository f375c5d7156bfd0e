/// A JSON value: a view on a document, a value built in memory, or a modified copy of either that shares all unchanged
/// parts. Immutable.
public struct JSONValue: Sendable {
  /// The kind of a JSON value (RFC 8259, section 3).
  public enum Kind: Sendable, Hashable {
    /// True and false have the same kind.
    case null, bool, number, string, array, object
  }

  enum Storage: Sendable {
    case tape(JSONDocument, TapePosition)
    /// NaN or infinity. It behaves like null in every respect, but the original value is remembered.
    case notFinite(Double)
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array(JSONArrayStorage)
    case object(JSONObjectStorage)
  }

  let storage: Storage

  init(storage: Storage) { self.storage = storage }

  /// JSON null.
  public static let null = JSONValue(storage: .null)
  /// Creates a Boolean.
  public init(_ value: Bool) { storage = .bool(value) }
  /// Creates an integer.
  public init(_ value: Int) { storage = .number(JSONNumber(uncheckedText: String(value))) }
  /// Creates a string.
  public init(_ value: String) { storage = .string(value) }
  /// Creates a number that keeps its text.
  public init(_ value: JSONNumber) { storage = .number(value) }

  /// Creates a number with the shortest text that reads back as the same double. NaN and infinity become null, because JSON
  /// cannot represent them; a client refuses to send or store such a null.
  public init(_ value: Double) {
    guard value.isFinite else {
      storage = .notFinite(value)
      return
    }
    let text = value.rounded() == value && abs(value) < 1e15 ? String(Int64(value)) : value.description
    storage = .number(JSONNumber(uncheckedText: text))
  }

  /// Parses a JSON text (RFC 8259), which may be surrounded by white space.
  ///
  /// - Throws: `JSONSyntaxError` with a location if the text is not valid JSON, nests more than 1024 levels deep or is
  ///   larger than 4 GiB.
  public init(parsing text: String) throws(JSONSyntaxError) {
    self = try JSONDocument(parsing: text).root
  }

  /// Returns an array of the elements.
  public static func array(_ elements: [JSONValue]) -> JSONValue {
    JSONValue(storage: .array(JSONArrayStorage(JSONArrayContent(elements))))
  }

  /// Returns an object with its members in this order. If a key occurs twice, the last value wins and keeps the
  /// position of the first.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    JSONValue(storage: .object(JSONObjectStorage(JSONObjectContent(members))))
  }

  /// The kind of the value.
  public var kind: Kind {
    switch storage {
    case .tape(let document, let place): document.kind(at: place)
    case .null, .notFinite: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// Whether it is null.
  public var isNull: Bool { kind == .null }

  /// True or false; `nil` if the value is not a Boolean.
  public var bool: Bool? {
    switch storage {
    case .tape(let document, let place): document.kind(at: place) == .bool ? document.isTrue(at: place) : nil
    case .bool(let value): value
    default: nil
    }
  }

  /// The string with its escapes decoded; `nil` if the value is not a string.
  public var string: String? {
    switch storage {
    case .tape(let document, let place): document.kind(at: place) == .string ? document.string(at: place) : nil
    case .string(let value): value
    default: nil
    }
  }

  /// The number; `nil` if the value is not a number.
  public var number: JSONNumber? {
    switch storage {
    case .tape(let document, let place):
      document.kind(at: place) == .number
        ? JSONNumber(uncheckedText: String(decoding: document.tape.raw(place), as: UTF8.self)) : nil
    case .number(let value): value
    default: nil
    }
  }

  /// The number as written in the source; `nil` if the value is not a number.
  public var numberText: String? { number?.text }
  /// The number as an `Int` (`1.0` is 1); `nil` if the value is not a number, has a fraction or does not fit.
  public var int: Int? { number?.int }
  /// The nearest `Double`; `nil` if the value is not a number or is out of range.
  public var double: Double? { number?.double }

  /// The number of elements or members; 0 for scalars.
  public var count: Int {
    switch storage {
    case .tape(let document, let place):
      switch document.kind(at: place) {
      case .array, .object: document.count(at: place)
      default: 0
      }
    case .array(let storage): storage.content.count
    case .object(let storage): storage.content.count
    default: 0
    }
  }

  /// The member with a key, the last one if there are several; `nil` if there is none or the value is not an object.
  public subscript(key: String) -> JSONValue? { key.withBytes { self[utf8: $0] } }

  /// The value unless it is null, because some serializers write null for absent members.
  package var present: JSONValue? {
    isNull ? nil : self
  }

  /// The member with a key, unless it is null.
  package subscript(present key: String) -> JSONValue? { self[key]?.present }

  package subscript(utf8 key: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    switch storage {
    case .tape(let document, let place):
      guard document.kind(at: place) == .object else { return nil }
      return document.member(key, ofObjectAt: place).map { document.value(at: $0.value) }
    case .object(let storage): return storage.content.position(of: key).map { storage.content.value(at: $0) }
    default: return nil
    }
  }

  /// The element at an index; `nil` if the index is out of range or the value is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard index >= 0 else { return nil }
    switch storage {
    case .tape(let document, let place):
      guard document.kind(at: place) == .array else { return nil }
      return document.position(of: index, in: place).map(document.value)
    case .array(let storage):
      return index < storage.content.count ? storage.content.value(at: index) : nil
    default: return nil
    }
  }

  /// Returns the value at a path; `nil` if the path does not exist. The empty path is the value itself.
  public func value(at path: ResponsePath) -> JSONValue? {
    var value = self
    for component in path.components {
      switch component {
      case .key(let key):
        guard let member = value[key] else { return nil }
        value = member
      case .index(let index):
        guard let element = value[index] else { return nil }
        value = element
      }
    }
    return value
  }
}

extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self.init(value) }
  public init(integerLiteral value: Int) { self.init(value) }
  public init(floatLiteral value: Double) { self.init(value) }
  public init(stringLiteral value: String) { self.init(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}

extension JSONValue: CustomStringConvertible {
  /// The compact JSON text.
  public var description: String { JSONWriter.compact(self) }
}

extension JSONValue {
  /// Returns the member at an index; nil if the index is out of range.
  package func member(at position: Int) -> (key: String, value: JSONValue)? {
    guard kind == .object, position >= 0 else { return nil }
    switch storage {
    case .tape(let document, let place):
      guard let key = document.position(of: position, in: place) else { return nil }
      return (document.string(at: key), document.value(at: document.tape.next(key)))
    case .object(let storage):
      guard position < storage.content.count else { return nil }
      return (storage.content.key(at: position), storage.content.value(at: position))
    default: return nil
    }
  }

  /// Returns the index of the member with a key; the last one if there are several.
  func position(ofMember key: UnsafeBufferPointer<UInt8>) -> Int? {
    switch storage {
    case .tape(let document, let place) where document.kind(at: place) == .object:
      document.member(key, ofObjectAt: place)?.position
    case .object(let storage): storage.content.position(of: key)
    default: nil
    }
  }

  /// Whether both values are the same stored container, and therefore equal without a comparison of their content.
  package func isIdentical(to other: JSONValue) -> Bool {
    switch (storage, other.storage) {
    case (.tape(let left, let leftPlace), .tape(let right, let rightPlace)): left === right && leftPlace == rightPlace
    case (.array(let left), .array(let right)): left === right
    case (.object(let left), .object(let right)): left === right
    default: false
    }
  }
}
