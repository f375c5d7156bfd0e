import ApusJSON

/// The type of an argument or an input object field.
public protocol InputEncodable: Sendable {
  /// The JSON value to send; nil if it is omitted.
  var inputJSON: JSONValue? { get }
}

extension Array: InputEncodable where Element: InputEncodable {
  public var inputJSON: JSONValue? { .array(map { $0.inputJSON ?? .null }) }
}

extension Optional: InputEncodable where Wrapped: InputEncodable {
  public var inputJSON: JSONValue? { self?.inputJSON ?? .null }
}

/// An argument of a field in generated code.
public struct Argument: Sendable {
  let name: String
  /// The type as in the schema, such as `[ID!]!`.
  let type: String
  /// The value; nil if it is omitted.
  let value: JSONValue?

  /// Creates an argument from its name, its type as in the schema, and its value.
  public init(_ name: StaticString, _ type: StaticString, _ value: some InputEncodable) {
    self.name = name.description
    self.type = type.description
    self.value = value.inputJSON
  }
}

/// An input object type, generated with an initializer for all fields.
public protocol SelectionInputObject: InputEncodable, Hashable {
  /// Fields that were given.
  var __data: InputData { get }
}

extension SelectionInputObject {
  public var inputJSON: JSONValue? { __data.json }
}

/// The given fields of an input object.
public struct InputData: Sendable, Hashable {
  let json: JSONValue

  /// Creates the fields in order. Values that are `absent` are omitted.
  public init(_ fields: KeyValuePairs<String, any InputEncodable>) {
    json = .object(fields.compactMap { name, value in value.inputJSON.map { (name, $0) } })
  }
}
