/// A JSON value: a view on a document, a value built in memory, or a patched version of either that shares all that the
/// patch did not touch. Immutable.
public struct JSONValue: Sendable {
  public enum Kind: Sendable, Hashable {
    case null, bool, number, string, array, object
  }

  enum Storage: Sendable {
    case tape(JSONDocument, Int)
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array(JSONArrayStorage)
    case object(JSONObjectStorage)
  }

  let storage: Storage

  init(storage: Storage) { self.storage = storage }

  public static let null = JSONValue(storage: .null)
  public init(_ value: Bool) { storage = .bool(value) }
  public init(_ value: Int) { storage = .number(JSONNumber(uncheckedText: String(value))) }
  public init(_ value: String) { storage = .string(value) }
  public init(_ value: JSONNumber) { storage = .number(value) }

  /// A finite double as its shortest text; `null` for the others, which JSON cannot write.
  public init(_ value: Double) {
    guard value.isFinite else {
      storage = .null
      return
    }
    let text = value.rounded() == value && abs(value) < 1e15 ? String(Int64(value)) : value.description
    storage = .number(JSONNumber(uncheckedText: text))
  }

  /// A whole JSON text (RFC 8259), with or without white space around it.
  public init(parsing text: String) throws(JSONSyntaxError) {
    self = try JSONDocument(parsing: text).root
  }

  public static func array(_ elements: [JSONValue]) -> JSONValue {
    JSONValue(storage: .array(JSONArrayStorage(JSONArrayContent(elements))))
  }

  /// An object with its members in this order. Of two with one key the later counts, at the place of the first.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    JSONValue(storage: .object(JSONObjectStorage(JSONObjectContent(members))))
  }

  public var kind: Kind {
    switch storage {
    case .tape(let document, let index): document.kind(at: index)
    case .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  public var isNull: Bool { kind == .null }

  public var bool: Bool? {
    switch storage {
    case .tape(let document, let index): document.kind(at: index) == .bool ? document.isTrue(at: index) : nil
    case .bool(let value): value
    default: nil
    }
  }

  public var string: String? {
    switch storage {
    case .tape(let document, let index): document.kind(at: index) == .string ? document.string(at: index) : nil
    case .string(let value): value
    default: nil
    }
  }

  public var number: JSONNumber? {
    switch storage {
    case .tape(let document, let index):
      document.kind(at: index) == .number
        ? JSONNumber(uncheckedText: String(decoding: document.rawBytes(at: index), as: UTF8.self)) : nil
    case .number(let value): value
    default: nil
    }
  }

  /// The number as it was written.
  public var numberText: String? { number?.text }
  public var int: Int? { number?.int }
  public var double: Double? { number?.double }

  /// Elements or members; 0 for scalars.
  public var count: Int {
    switch storage {
    case .tape(let document, let index):
      switch document.kind(at: index) {
      case .array, .object: document.count(at: index)
      default: 0
      }
    case .array(let storage): storage.content.count
    case .object(let storage): storage.content.count
    default: 0
    }
  }

  public subscript(key: String) -> JSONValue? { key.withBytes { self[utf8: $0] } }

  package subscript(utf8 key: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    switch storage {
    case .tape(let document, let index):
      guard document.kind(at: index) == .object else { return nil }
      return document.member(key, ofObjectAt: index).map { document.value(at: $0.value) }
    case .object(let storage): return storage.content.position(of: key).map { storage.content.value(at: $0) }
    default: return nil
    }
  }

  public subscript(index: Int) -> JSONValue? {
    guard index >= 0 else { return nil }
    switch storage {
    case .tape(let document, let position):
      guard document.kind(at: position) == .array, index < document.count(at: position) else { return nil }
      return document.value(at: document.place(of: index, in: position))
    case .array(let storage): return index < storage.content.count ? storage.content.value(at: index) : nil
    default: return nil
    }
  }

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

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { storage = .null }
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
  /// The member number `position` of an object, from 0; nil when there is none.
  package func member(at position: Int) -> (key: String, value: JSONValue)? {
    guard kind == .object, position >= 0, position < count else { return nil }
    switch storage {
    case .tape(let document, let index):
      let place = document.place(of: position, in: index)
      return (document.string(at: place), document.value(at: document.next(after: place)))
    case .object(let storage): return (storage.content.key(at: position), storage.content.value(at: position))
    default: return nil
    }
  }

  /// True if both are the same stored container, which tells without a look inside that they are equal.
  package func isIdentical(to other: JSONValue) -> Bool {
    switch (storage, other.storage) {
    case (.tape(let left, let leftIndex), .tape(let right, let rightIndex)): left === right && leftIndex == rightIndex
    case (.array(let left), .array(let right)): left === right
    case (.object(let left), .object(let right)): left === right
    default: false
    }
  }
}
