import ApusJSON

/// A Swift type for variables and input object fields.
public protocol InputConvertible: Sendable, Hashable {
  /// The JSON value to send; `nil` if the input is omitted.
  var _input: JSONValue? { get }
}

extension Array: InputConvertible where Element: InputConvertible {
  public var _input: JSONValue? { .array(map { $0._input ?? .null }) }
}

/// An optional whose `nil` is sent as null. Generated code uses `GraphQLNullable` for inputs that can be omitted.
extension Optional: InputConvertible where Wrapped: InputConvertible {
  public var _input: JSONValue? { map { $0._input ?? .null } ?? .null }
}
