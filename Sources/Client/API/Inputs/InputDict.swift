import ApusJSON

/// The variables of an operation, or the fields of an input object, in the order in which they were written: what is
/// sent does not differ from one run to the next.
public struct InputDict: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var fields: [Field] = []

  private struct Field: Sendable {
    let name: String
    var value: any InputConvertible
  }

  public init(dictionaryLiteral elements: (String, any InputConvertible)...) {
    for (name, value) in elements { set(name, value) }
  }

  /// A field's value; a nullable one that was not given is `GraphQLNullable.none`.
  public subscript<Value: InputConvertible>(_ name: String) -> Value {
    get {
      let value = fields.first { $0.name == name }?.value
      if let value = value as? Value { return value }
      if value == nil, let absent = (Value.self as? any AbsentInput.Type)?.absent as? Value { return absent }
      preconditionFailure("the input field \"\(name)\" has no value of type \(Value.self)")
    }
    set { set(name, newValue) }
  }

  /// An object with what is not left out.
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

/// An input object of a schema.
public protocol InputObject: InputConvertible {
  /// The object's fields, as they were set: those that are left out are `GraphQLNullable.none` or absent.
  var __data: InputDict { get }
}

/// An input object of which exactly one field is given (`@oneOf`): generated as an enum with a case for each field.
public protocol OneOfInputObject: InputObject {}

extension InputObject {
  public var _input: JSONValue? { __data.json }

  public static func == (left: Self, right: Self) -> Bool { left.__data == right.__data }

  public func hash(into hasher: inout Hasher) { hasher.combine(__data) }
}
