import ApusJSON

/// What a variable or a field of an input object can be in Swift.
public protocol InputConvertible: Sendable, Hashable {
  /// As it is sent; `nil` for what is left out.
  var _input: JSONValue? { get }
}

extension Array: InputConvertible where Element: InputConvertible {
  public var _input: JSONValue? { .array(map { $0._input ?? .null }) }
}

/// `nil` is null: where leaving out and null differ, generated code uses `GraphQLNullable`.
extension Optional: InputConvertible where Wrapped: InputConvertible {
  public var _input: JSONValue? { map { $0._input ?? .null } ?? .null }
}
