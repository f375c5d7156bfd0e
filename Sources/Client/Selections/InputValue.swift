import ApusJSON

/// What may be given to an argument or to a field of an input object.
public protocol InputValue: Sendable {
  /// As it is sent; nil when it is left out.
  var inputJSON: JSONValue? { get }
}

extension Array: InputValue where Element: InputValue {
  public var inputJSON: JSONValue? { .array(map { $0.inputJSON ?? .null }) }
}

extension Optional: InputValue where Wrapped: InputValue {
  public var inputJSON: JSONValue? { self?.inputJSON ?? .null }
}

/// One argument of a field, as generated code hands it over.
public struct Argument: Sendable {
  let name: String
  /// As the schema writes it: `[ID!]!`.
  let type: String
  /// nil when it is left out.
  let value: JSONValue?

  /// An argument by its name, its type as the schema writes it, and its value.
  public init(_ name: StaticString, _ type: StaticString, _ value: some InputValue) {
    self.name = name.description
    self.type = type.description
    self.value = value.inputJSON
  }
}

/// An input object of the schema: generated, with an initializer that has all of its fields.
public protocol InputObject: InputValue, Hashable {
  /// The fields that were given.
  var __data: InputData { get }
}

extension InputObject {
  public var inputJSON: JSONValue? { __data.json }
}

/// The fields of an input object that were given.
public struct InputData: Sendable, Hashable {
  let json: JSONValue

  /// Fields by their names, in this order; what is `absent` is left out.
  public init(_ fields: KeyValuePairs<String, any InputValue>) {
    json = .object(fields.compactMap { name, value in value.inputJSON.map { (name, $0) } })
  }
}
