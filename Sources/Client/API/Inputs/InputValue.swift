import ApusJSON

/// The value of an argument in a model's selections, which may contain variables.
public indirect enum InputValue: Sendable, Hashable {
  /// A literal without variables, as JSON.
  case constant(JSONValue)
  /// A variable, and the argument's default in the schema, which is used if the variable is omitted.
  case variable(String, default: JSONValue? = nil)
  /// A list literal, whose items may contain variables.
  case list([InputValue])
  /// An input object literal, whose values may contain variables.
  case object([String: InputValue])
}

extension InputValue {
  /// The literal `null`.
  public static let null = InputValue.constant(.null)
}

extension InputValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .constant(JSONValue(value)) }
  public init(integerLiteral value: Int) { self = .constant(JSONValue(value)) }
  public init(floatLiteral value: Double) { self = .constant(JSONValue(value)) }
  public init(stringLiteral value: String) { self = .constant(JSONValue(value)) }
  public init(arrayLiteral elements: InputValue...) { self = .list(elements) }
  public init(dictionaryLiteral elements: (String, InputValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
