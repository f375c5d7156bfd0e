import ApusJSON

// The built-in scalars (GraphQL specification, section 3.5), for responses and variables.

extension String: OutputValue, InputConvertible {
  public static var _outputType: OutputType { .nonNull(.scalar(name: "String") { $0.kind == .string }) }
  public init?(_ field: FieldValue) {
    guard let value = field.json.string else { return nil }
    self = value
  }
  public var _json: JSONValue { JSONValue(self) }
  public var _input: JSONValue? { JSONValue(self) }
}

extension Int: OutputValue, InputConvertible {
  public static var _outputType: OutputType { .nonNull(.scalar(name: "Int") { $0.int != nil }) }
  public init?(_ field: FieldValue) {
    guard let value = field.json.int else { return nil }
    self = value
  }
  public var _json: JSONValue { JSONValue(self) }
  public var _input: JSONValue? { JSONValue(self) }
}

extension Double: OutputValue, InputConvertible {
  public static var _outputType: OutputType { .nonNull(.scalar(name: "Float") { $0.double != nil }) }
  public init?(_ field: FieldValue) {
    guard let value = field.json.double ?? field.json.notFinite else { return nil }
    self = value
  }
  public var _json: JSONValue { JSONValue(self) }
  public var _input: JSONValue? { JSONValue(self) }
}

extension Bool: OutputValue, InputConvertible {
  public static var _outputType: OutputType { .nonNull(.scalar(name: "Boolean") { $0.kind == .bool }) }
  public init?(_ field: FieldValue) {
    guard let value = field.json.bool else { return nil }
    self = value
  }
  public var _json: JSONValue { JSONValue(self) }
  public var _input: JSONValue? { JSONValue(self) }
}
