import ApusClientAPI
import ApusJSON

/// A custom scalar in Swift: read from JSON, written as JSON, comparable, and with a value that stands in for it while
/// a selection's fields are collected. Generated models take it too, as any `CustomScalar`.
public protocol Codec: CustomScalar, LeafValue, InputValue {
  /// Any value of the type.
  static var mockValue: Self { get }
}

extension Codec {
  public init(json: JSONValue) throws { try self.init(_jsonValue: json) }
  public var inputJSON: JSONValue? { _jsonValue }
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Self { mockValue }
}

/// What a field without selections may be: a scalar, an enum, a list or an optional of one.
public protocol LeafValue: Sendable {
  init(json: JSONValue) throws
  static var __kind: LeafKind { get }
  /// A value for collecting; the variants differ, so that a closure that decides by the value gives itself away.
  static func __mock(_ variant: MockVariant) -> Self
}

/// What a field's innermost type is, as far as checking a response needs it.
public enum LeafKind: Sendable { case scalar, enumeration, object, abstract }

/// Which of the two sets of mock values a selection is collected over.
public enum MockVariant: Sendable { case first, second }

/// A value that is not what its type says.
struct WrongKind: Error, CustomStringConvertible {
  let description: String

  init(_ json: JSONValue) {
    description = json.isNull ? "it is null" : "it is \(json)"
  }
}

extension String: LeafValue, InputValue {
  /// An ID may come as a number.
  public init(json: JSONValue) throws {
    guard let text = json.string ?? json.numberText else { throw WrongKind(json) }
    self = text
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> String { variant == .first ? "1" : "2" }
}

extension Int: LeafValue, InputValue {
  public init(json: JSONValue) throws {
    guard let int = json.int else { throw WrongKind(json) }
    self = int
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Int { variant == .first ? 1 : 2 }
}

extension Double: LeafValue, InputValue {
  public init(json: JSONValue) throws {
    guard let double = json.double else { throw WrongKind(json) }
    self = double
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Double { variant == .first ? 1 : 2 }
}

extension Bool: LeafValue, InputValue {
  public init(json: JSONValue) throws {
    guard let bool = json.bool else { throw WrongKind(json) }
    self = bool
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Bool { variant == .first }
}

/// A scalar that nobody wrote a codec for: any JSON.
extension JSONValue: Codec {
  public static var mockValue: JSONValue { .null }
}

extension Array: LeafValue where Element: LeafValue {
  public init(json: JSONValue) throws {
    guard json.kind == .array else { throw WrongKind(json) }
    self = try json.elements.map { try Element(json: $0) }
  }

  public static var __kind: LeafKind { Element.__kind }
  public static func __mock(_ variant: MockVariant) -> [Element] { [Element.__mock(variant)] }
}

extension Optional: LeafValue where Wrapped: LeafValue {
  public init(json: JSONValue) throws { self = json.isNull ? nil : try Wrapped(json: json) }
  public static var __kind: LeafKind { Wrapped.__kind }
  public static func __mock(_ variant: MockVariant) -> Wrapped? { Wrapped.__mock(variant) }
}

/// An enum of the schema: generated, with a case for values that the schema did not have then.
public protocol EnumCodec: LeafValue, InputValue, Hashable, RawRepresentable, CaseIterable where RawValue == String {
  init(rawValue: String)
}

extension EnumCodec {
  public init(json: JSONValue) throws {
    guard let text = json.string else { throw WrongKind(json) }
    self.init(rawValue: text)
  }

  public var inputJSON: JSONValue? { JSONValue(rawValue) }
  public static var __kind: LeafKind { .enumeration }

  public static func __mock(_ variant: MockVariant) -> Self {
    let values = Array(allCases)
    return values.isEmpty ? Self(rawValue: "") : values[variant == .first ? 0 : min(1, values.count - 1)]
  }
}
