import ApusJSON

/// The values of an enum that the schema had when the source was generated.
public protocol EnumType: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}

/// A value of an enum: one that is known, or one that the schema got later.
public enum GraphQLEnum<Value: EnumType>: Sendable, Hashable, RawRepresentable {
  /// A value that the schema had when the source was generated.
  case known(Value)
  /// A value that the schema got later, by its name as the server wrote it.
  case unknown(String)

  /// A known value.
  public init(_ value: Value) { self = .known(value) }

  public init(rawValue: String) { self = Value(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue) }

  /// The name as the schema writes it.
  public var rawValue: String {
    switch self {
    case .known(let value): value.rawValue
    case .unknown(let name): name
    }
  }

  /// `nil` for a value that the schema got later.
  public var value: Value? { if case .known(let value) = self { value } else { nil } }

  /// Whether it is this known value.
  public static func == (left: GraphQLEnum, right: Value) -> Bool { left.value == right }
  /// Whether it is another one, or one that the schema got later.
  public static func != (left: GraphQLEnum, right: Value) -> Bool { left.value != right }

  /// So that a `switch` can name the cases: `case .known(.male)` or `case .male`.
  public static func ~= (pattern: Value, value: GraphQLEnum) -> Bool { value.value == pattern }
}

/// Whether a nullable enum is there and has this value.
public func == <Value: EnumType>(left: GraphQLEnum<Value>?, right: Value) -> Bool { left?.value == right }

/// Whether a nullable enum is not there or has another value.
public func != <Value: EnumType>(left: GraphQLEnum<Value>?, right: Value) -> Bool { left?.value != right }

extension GraphQLEnum: OutputValue, InputConvertible {
  public static var _outputType: OutputType { .nonNull(.enumeration(name: "\(Value.self)")) }

  public init?(_ field: FieldView) {
    guard let name = field.json.string else { return nil }
    self.init(rawValue: name)
  }

  public var _json: JSONValue { JSONValue(rawValue) }
  public var _input: JSONValue? { JSONValue(rawValue) }
}

extension GraphQLEnum: CustomStringConvertible {
  public var description: String { rawValue }
}
