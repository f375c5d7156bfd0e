import ApusJSON

/// The input and output coercion of a scalar.
package struct ScalarCoding: Sendable {
  /// Coerces a value from variables or a literal; throws if it is invalid.
  package var parse: @Sendable (JSONValue) throws(ExecutionError) -> JSONValue
  /// Coerces the value of a resolver for a response; throws if it is invalid.
  package var serialize: @Sendable (JSONValue) throws(ExecutionError) -> JSONValue

  package init(
    parse: @escaping @Sendable (JSONValue) throws(ExecutionError) -> JSONValue,
    serialize: @escaping @Sendable (JSONValue) throws(ExecutionError) -> JSONValue
  ) {
    self.parse = parse
    self.serialize = serialize
  }

  /// A scalar without coercion, which accepts every value.
  static let any = ScalarCoding { value throws(ExecutionError) in
    value
  } serialize: { value throws(ExecutionError) in
    value
  }
}

extension ScalarCoding {
  /// The built-in scalars (GraphQL specification, September 2025, section 3.5): `Int` accepts `42` and `42.0`, but not
  /// `42.5` or `"42"`.
  static let builtIn: [String: ScalarCoding] = [
    "Int": ScalarCoding(parse: int32, serialize: int32),
    "Float": ScalarCoding(parse: float, serialize: float),
    "String": ScalarCoding(
      parse: { value throws(ExecutionError) in
        guard value.kind == .string else {
          throw ExecutionError("String cannot represent a non string value: \(value)")
        }
        return value
      },
      serialize: text),
    "Boolean": ScalarCoding(parse: boolean, serialize: boolean),
    "ID": ScalarCoding(
      parse: { value throws(ExecutionError) in
        switch value.kind {
        case .string: return value
        case .number: if let text = value.numberText, value.int != nil { return JSONValue(text) }
        default: break
        }
        throw ExecutionError("ID cannot represent value: \(value)")
      },
      serialize: text),
  ]

  @Sendable private static func int32(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
    guard value.kind == .number, let number = value.double, number.rounded() == number else {
      throw ExecutionError("Int cannot represent non-integer value: \(value)")
    }
    guard let int = Int32(exactly: number) else {
      throw ExecutionError("Int cannot represent non 32-bit signed integer value: \(value)")
    }
    return JSONValue(Int(int))
  }

  @Sendable private static func float(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
    guard value.kind == .number, let number = value.double, number.isFinite else {
      throw ExecutionError("Float cannot represent non numeric value: \(value)")
    }
    return value
  }

  @Sendable private static func boolean(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
    guard value.kind == .bool else {
      throw ExecutionError("Boolean cannot represent a non boolean value: \(value)")
    }
    return value
  }

  /// Converts numbers and Booleans to strings, because resolvers may return them for strings.
  @Sendable private static func text(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
    switch value.kind {
    case .string: value
    case .number: JSONValue(value.numberText ?? value.description)
    case .bool: JSONValue(value.description)
    case .null, .array, .object: throw ExecutionError("String cannot represent value: \(value)")
    }
  }
}
