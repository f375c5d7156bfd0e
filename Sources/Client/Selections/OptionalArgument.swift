import ApusJSON

/// An argument or input field that can be omitted, which many servers distinguish from null.
///
/// A literal is a present value (`first: 10`), and `nil` is null. An argument that is not given is absent.
public indirect enum OptionalArgument<Value: InputEncodable>: InputEncodable {
  /// A present value; use `present(_:)`.
  case __present(Value)
  /// Not sent; use `absent()`.
  case __absent
  /// Sent as null; use `null()`.
  case __null

  /// Returns an argument with a value.
  public static func present(_ value: Value) -> OptionalArgument { .__present(value) }
  /// Returns an argument that is not sent.
  public static func absent() -> OptionalArgument { .__absent }
  /// Returns an argument that is sent as null.
  public static func null() -> OptionalArgument { .__null }

  /// Creates an argument that is absent if `value` is nil.
  public init(presentOrAbsent value: Value?) { self = value.map { .__present($0) } ?? .__absent }
  /// Creates an argument that is null if `value` is nil.
  public init(presentOrNull value: Value?) { self = value.map { .__present($0) } ?? .__null }

  public var inputJSON: JSONValue? {
    switch self {
    case .__present(let value): value.inputJSON
    case .__absent: nil
    case .__null: .null
    }
  }
}

extension OptionalArgument: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .__null }
}

extension OptionalArgument: ExpressibleByBooleanLiteral where Value == Bool {
  public init(booleanLiteral value: Bool) { self = .__present(value) }
}

extension OptionalArgument: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Value.IntegerLiteralType) { self = .__present(Value(integerLiteral: value)) }
}

extension OptionalArgument: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Value.FloatLiteralType) { self = .__present(Value(floatLiteral: value)) }
}

extension OptionalArgument: ExpressibleByUnicodeScalarLiteral where Value == String {
  public init(unicodeScalarLiteral value: String) { self = .__present(value) }
}

extension OptionalArgument: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
  public init(extendedGraphemeClusterLiteral value: String) { self = .__present(value) }
}

extension OptionalArgument: ExpressibleByStringLiteral where Value == String {
  public init(stringLiteral value: String) { self = .__present(value) }
}

extension OptionalArgument: ExpressibleByArrayLiteral where Value: RangeReplaceableCollection {
  public init(arrayLiteral elements: Value.Element...) { self = .__present(Value(elements)) }
}
