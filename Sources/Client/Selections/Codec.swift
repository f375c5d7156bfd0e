import ApusClientAPI
import ApusJSON

/// A custom scalar in Swift: read from JSON, written as JSON, comparable, and with a value that stands in for it while
/// a selection's fields are collected. Generated models take it too, as any `CustomScalar`.
public protocol Codec: CustomScalar, LeafValue, InputValue {
  /// Any value of the type.
  static var mockValue: Self { get }
}

extension Codec {
  /// The scalar from its JSON value.
  ///
  /// - Throws: What `init(_jsonValue:)` throws.
  public init(json: JSONValue) throws { try self.init(_jsonValue: json) }
  public var inputJSON: JSONValue? { _jsonValue }
  /// A scalar.
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Self { mockValue }
}

/// What a field without selections may be: a scalar, an enum, a list or an optional of one.
public protocol LeafValue: Sendable {
  /// The value from its JSON in a response.
  ///
  /// - Throws: `LeafValueError`, or any other error, where it is another value; a selection tells it as
  ///   `SelectionError.wrongValue`, with the error's description as its reason.
  init(json: JSONValue) throws
  /// What the innermost type is.
  static var __kind: LeafKind { get }
  /// A value for collecting; the variants differ, so that a closure that decides by the value gives itself away.
  static func __mock(_ variant: MockVariant) -> Self
}

/// What a field's innermost type is, as far as checking a response needs it.
public enum LeafKind: Sendable {
  /// One of the schema's scalars or an enum.
  case scalar, enumeration
  /// An object type.
  case object
  /// An interface or a union.
  case abstract
}

/// Which of the two sets of mock values a selection is collected over.
public enum MockVariant: Sendable {
  /// What the selection is made of.
  case first
  /// What the first is compared with.
  case second
}

extension String: LeafValue, InputValue {
  /// An ID may come as a number.
  ///
  /// - Throws: `LeafValueError` where it is neither text nor a number.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let text = json.string ?? json.numberText else { throw LeafValueError(found: json) }
    self = text
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> String { variant == .first ? "1" : "2" }
}

extension Int: LeafValue, InputValue {
  /// A number without a fraction that fits into an `Int`.
  ///
  /// - Throws: `LeafValueError`.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let int = json.int else { throw LeafValueError(found: json) }
    self = int
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Int { variant == .first ? 1 : 2 }
}

extension Double: LeafValue, InputValue {
  /// A number.
  ///
  /// - Throws: `LeafValueError`.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let double = json.double else { throw LeafValueError(found: json) }
    self = double
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Double { variant == .first ? 1 : 2 }
}

extension Bool: LeafValue, InputValue {
  /// True or false.
  ///
  /// - Throws: `LeafValueError`.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let bool = json.bool else { throw LeafValueError(found: json) }
    self = bool
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: LeafKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Bool { variant == .first }
}

/// A scalar that nobody wrote a codec for: any JSON.
extension JSONValue: Codec {
  public static var mockValue: JSONValue { "1" }
}

extension Array: LeafValue where Element: LeafValue {
  /// A list, element by element.
  ///
  /// - Throws: `LeafValueError`, or what the first wrong element throws.
  public init(json: JSONValue) throws {
    guard json.kind == .array else { throw LeafValueError(found: json) }
    self = try json.elements.map { try Element(json: $0) }
  }

  /// What the elements are.
  public static var __kind: LeafKind { Element.__kind }
  public static func __mock(_ variant: MockVariant) -> [Element] { [Element.__mock(variant)] }
}

extension Optional: LeafValue where Wrapped: LeafValue {
  /// Nothing for null, else the value.
  ///
  /// - Throws: What the wrapped type throws.
  public init(json: JSONValue) throws { self = json.isNull ? nil : try Wrapped(json: json) }
  /// What the value is.
  public static var __kind: LeafKind { Wrapped.__kind }
  public static func __mock(_ variant: MockVariant) -> Wrapped? { Wrapped.__mock(variant) }
}

/// An enum of the schema: generated, with a case for values that the schema did not have then.
public protocol EnumCodec: LeafValue, InputValue, Hashable, RawRepresentable, CaseIterable where RawValue == String {
  init(rawValue: String)
}

extension EnumCodec {
  /// The value of that name, one that the schema got later too.
  ///
  /// - Throws: `LeafValueError` where it is no text.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let text = json.string else { throw LeafValueError(found: json) }
    self.init(rawValue: text)
  }

  public var inputJSON: JSONValue? { JSONValue(rawValue) }
  /// An enum.
  public static var __kind: LeafKind { .enumeration }

  public static func __mock(_ variant: MockVariant) -> Self {
    let values = Array(allCases)
    return values.isEmpty ? Self(rawValue: "") : values[variant == .first ? 0 : min(1, values.count - 1)]
  }
}
