import ApusJSON

/// An argument or an input field that may be left out, which for many servers is not the same as null.
///
/// A literal stands for a present value (`first: 10`), `nil` for null. What is not said is absent.
public indirect enum OptionalArgument<Value: InputValue>: InputValue {
  /// With a value: `present(_:)`.
  case __present(Value)
  /// Not sent: `absent()`.
  case __absent
  /// Sent as null: `null()`.
  case __null

  /// The argument with a value.
  public static func present(_ value: Value) -> OptionalArgument { .__present(value) }
  /// The argument is not sent.
  public static func absent() -> OptionalArgument { .__absent }
  /// The argument is sent as null.
  public static func null() -> OptionalArgument { .__null }

  /// Present if there is a value, else absent.
  public init(presentOrAbsent value: Value?) { self = value.map { .__present($0) } ?? .__absent }
  /// Present if there is a value, else null.
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
