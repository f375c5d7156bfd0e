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

  public static func array(_ elements: [JSONValue]) -> JSONValue {
    JSONValue(storage: .array(JSONArrayStorage(elements)))
  }

  /// An object with its members in this order. Of two with one key the later counts, at the place of the first.
  public static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    JSONValue(storage: .object(JSONObjectStorage(members)))
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
    case .array(let storage): storage.count
    case .object(let storage): storage.count
    default: 0
    }
  }

  public subscript(key: String) -> JSONValue? {
    switch storage {
    case .tape(let document, let index):
      guard document.kind(at: index) == .object else { return nil }
      var key = key
      return key.withUTF8 { document.member($0, ofObjectAt: index) }.map(document.value)
    case .object(let storage): return storage[key]
    default: return nil
    }
  }

  public subscript(index: Int) -> JSONValue? {
    guard index >= 0 else { return nil }
    switch storage {
    case .tape(let document, let position):
      guard document.kind(at: position) == .array, index < document.count(at: position) else { return nil }
      var element = position + 2
      for _ in 0..<index { element = document.next(after: element) }
      return document.value(at: element)
    case .array(let storage): return storage[index]
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

extension JSONValue: Hashable {
  /// Equal as JSON: the order of members does not count, numbers are compared by value.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    let kind = left.kind
    guard kind == right.kind else { return false }
    switch kind {
    case .null: return true
    case .bool: return left.bool == right.bool
    case .number: return left.number == right.number
    case .string: return left.string == right.string
    case .array:
      guard left.count == right.count else { return false }
      var others = right.elements.makeIterator()
      for element in left.elements where element != others.next() { return false }
      return true
    case .object:
      guard left.count == right.count else { return false }
      for (key, value) in left.members where right[key] != value { return false }
      return true
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch kind {
    case .null: hasher.combine(0)
    case .bool: hasher.combine(bool)
    case .number: hasher.combine(number)
    case .string: hasher.combine(string)
    case .array:
      hasher.combine(count)
      for element in elements { hasher.combine(element) }
    case .object:
      hasher.combine(count)
      var sum = 0
      for (key, value) in members {
        var member = Hasher()
        member.combine(key)
        member.combine(value)
        sum &+= member.finalize()
      }
      hasher.combine(sum)
    }
  }
}
