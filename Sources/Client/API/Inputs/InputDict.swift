import ApusJSON

/// The variables of an operation, or the fields of an input object: `["id": "b42", "first": 10]`. Their order is
/// preserved, so that every run sends the same text.
public struct InputDict: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var fields: [Field] = []

  private struct Field: Sendable {
    let name: String
    var value: any InputConvertible
  }

  public init(dictionaryLiteral elements: (String, any InputConvertible)...) {
    for (name, value) in elements { set(name, value) }
  }

  /// The value of a field; `GraphQLNullable.none` for a nullable field that is not set.
  public subscript<Value: InputConvertible>(_ name: String) -> Value {
    get {
      let value = fields.first { $0.name == name }?.value
      if let value = value as? Value { return value }
      if value == nil, let absent = (Value.self as? any AbsentInput.Type)?.absent as? Value { return absent }
      preconditionFailure("the input field \"\(name)\" has no value of type \(Value.self)")
    }
    set { set(name, newValue) }
  }

  /// The JSON object without omitted fields.
  public var json: JSONValue {
    .object(fields.compactMap { field in field.value._input.map { (field.name, $0) } })
  }

  private mutating func set(_ name: String, _ value: any InputConvertible) {
    if let index = fields.firstIndex(where: { $0.name == name }) {
      fields[index].value = value
    } else {
      fields.append(Field(name: name, value: value))
    }
  }

  public static func == (left: InputDict, right: InputDict) -> Bool { left.json == right.json }

  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

/// An input object type.
public protocol InputObject: InputConvertible {
  /// The fields of the object. Omitted fields are `GraphQLNullable.none` or missing.
  var __data: InputDict { get }
}

/// An input object with exactly one field (`@oneOf`), generated as an enum with a case per field.
public protocol OneOfInputObject: InputObject {}

extension InputObject {
  public var _input: JSONValue? { __data.json }

  public static func == (left: Self, right: Self) -> Bool { left.__data == right.__data }

  public func hash(into hasher: inout Hasher) { hasher.combine(__data) }
}
