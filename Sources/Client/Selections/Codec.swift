import ApusClientOperation
import ApusClientAPI
import ApusJSON

/// A custom scalar in Swift for type-safe selections: converted from and to JSON, comparable, and with a mock value for
/// collecting the fields of a selection. Generated models can use it, too, as a `CustomScalar`.
public protocol Codec: CustomScalar, LeafValue, InputEncodable {
  /// Any value of the type.
  static var mockValue: Self { get }
}

extension Codec {
  /// Creates the scalar from its JSON value.
  ///
  /// - Throws: The error of `init(_jsonValue:)`.
  public init(json: JSONValue) throws { try self.init(_jsonValue: json) }
  public var inputJSON: JSONValue? { _jsonValue }
  /// A scalar.
  public static var __kind: NamedTypeKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Self { mockValue }
}

/// The type of a field without selections: a scalar, an enum, or a list or optional of one.
public protocol LeafValue: Sendable {
  /// Creates the value from JSON in a response.
  ///
  /// - Throws: `LeafValueError` or any other error if the value is invalid. A selection throws it as
  ///   `SelectionError.wrongValue`, with its description as the reason.
  init(json: JSONValue) throws
  /// The kind of the innermost type.
  static var __kind: NamedTypeKind { get }
  /// Returns a mock value. The variants differ, so that a closure whose fields depend on a value is detected.
  static func __mock(_ variant: MockVariant) -> Self
}

/// The set of mock values for collecting a selection.
public enum MockVariant: Sendable {
  /// The set for building the operation.
  case first
  /// The set for comparing the collected fields with the first.
  case second
}

extension String: LeafValue, InputEncodable {
  /// Creates a string. An ID may be a number in JSON.
  ///
  /// - Throws: `LeafValueError` if the value is neither a string nor a number.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let text = json.string ?? json.numberText else { throw LeafValueError(found: json) }
    self = text
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: NamedTypeKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> String { variant == .first ? "1" : "2" }
}

extension Int: LeafValue, InputEncodable {
  /// Creates an integer.
  ///
  /// - Throws: `LeafValueError` if the value is not an integer or does not fit.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let int = json.int else { throw LeafValueError(found: json) }
    self = int
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: NamedTypeKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Int { variant == .first ? 1 : 2 }
}

extension Double: LeafValue, InputEncodable {
  /// Creates a floating-point number.
  ///
  /// - Throws: `LeafValueError` if the value is not a number.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let double = json.double else { throw LeafValueError(found: json) }
    self = double
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: NamedTypeKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Double { variant == .first ? 1 : 2 }
}

extension Bool: LeafValue, InputEncodable {
  /// Creates a Boolean.
  ///
  /// - Throws: `LeafValueError` if the value is not a Boolean.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let bool = json.bool else { throw LeafValueError(found: json) }
    self = bool
  }

  public var inputJSON: JSONValue? { JSONValue(self) }
  /// A scalar.
  public static var __kind: NamedTypeKind { .scalar }
  public static func __mock(_ variant: MockVariant) -> Bool { variant == .first }
}

/// A custom scalar without a codec: any JSON value.
extension JSONValue: Codec {
  public static var mockValue: JSONValue { "1" }
}

extension Array: LeafValue where Element: LeafValue {
  /// Creates a list from its elements.
  ///
  /// - Throws: `LeafValueError` if the value is not a list, or the error of the first invalid element.
  public init(json: JSONValue) throws {
    guard json.kind == .array else { throw LeafValueError(found: json) }
    self = try json.elements.map { try Element(json: $0) }
  }

  /// The kind of the elements.
  public static var __kind: NamedTypeKind { Element.__kind }
  public static func __mock(_ variant: MockVariant) -> [Element] { [Element.__mock(variant)] }
}

extension Optional: LeafValue where Wrapped: LeafValue {
  /// Creates nil from null, or else the wrapped value.
  ///
  /// - Throws: The error of the wrapped type.
  public init(json: JSONValue) throws { self = json.isNull ? nil : try Wrapped(json: json) }
  /// The kind of the wrapped type.
  public static var __kind: NamedTypeKind { Wrapped.__kind }
  public static func __mock(_ variant: MockVariant) -> Wrapped? { Wrapped.__mock(variant) }
}

/// An enum, generated with a case for values that were added to the schema later.
public protocol EnumCodec: LeafValue, InputEncodable, Hashable, RawRepresentable, CaseIterable
where RawValue == String {
  init(rawValue: String)
}

extension EnumCodec {
  /// Creates a value from its name, which may have been added to the schema later.
  ///
  /// - Throws: `LeafValueError` if the value is not a string.
  public init(json: JSONValue) throws(LeafValueError) {
    guard let text = json.string else { throw LeafValueError(found: json) }
    self.init(rawValue: text)
  }

  public var inputJSON: JSONValue? { JSONValue(rawValue) }
  /// An enum.
  public static var __kind: NamedTypeKind { .enumeration }

  public static func __mock(_ variant: MockVariant) -> Self {
    let values = Array(allCases)
    return values.isEmpty ? Self(rawValue: "") : values[variant == .first ? 0 : min(1, values.count - 1)]
  }
}
