import ApusJSON

/// The values of an enum in the schema from which the code was generated.
public protocol EnumType: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// An enum value: one in the generated code, or one added to the schema later.
public enum GraphQLEnum<Value: EnumType>: Sendable, Hashable, RawRepresentable {
  /// A value in the generated code.
  case known(Value)
  /// A value added to the schema later, by its name in the response.
  case unknown(String)

  /// Creates a value in the generated code.
  public init(_ value: Value) { self = .known(value) }

  public init(rawValue: String) { self = Value(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue) }

  /// The name in the schema.
  public var rawValue: String {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let name): name
    }
  }

  /// The value; `nil` if it was added to the schema later.
  public var value: Value? { if case .known(let value) = self { value } else { nil } }

  /// Whether the value equals a value in the generated code.
  public static func == (left: GraphQLEnum, right: Value) -> Bool { left.value == right }
  /// Whether the value differs from a value in the generated code.
  public static func != (left: GraphQLEnum, right: Value) -> Bool { left.value != right }

  /// Matches a value, so that a `switch` can use `case .male` as well as `case .known(.male)`.
  public static func ~= (pattern: Value, value: GraphQLEnum) -> Bool { value.value == pattern }
}

/// Whether a nullable enum has a value that equals another.
public func == <Value: EnumType>(left: GraphQLEnum<Value>?, right: Value) -> Bool { left?.value == right }

/// Whether a nullable enum is nil or has a different value.
public func != <Value: EnumType>(left: GraphQLEnum<Value>?, right: Value) -> Bool { left?.value != right }

extension GraphQLEnum: OutputValue, InputConvertible {
  public static var _outputType: OutputType { .nonNull(.enumeration(name: "\(Value.self)")) }

  public init?(_ field: FieldValue) {
    guard let name = field.json.string else { return nil }
    self.init(rawValue: name)
  }

  public var _json: JSONValue { JSONValue(rawValue) }
  public var _input: JSONValue? { JSONValue(rawValue) }
}

extension GraphQLEnum: CustomStringConvertible {
  public var description: String { rawValue }
}
