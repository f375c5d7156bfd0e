import ApusGraphQLSchema
import ApusJSON

/// The value of an argument, which may contain variables: `[1, $a]`.
package indirect enum CompiledValue: Sendable, Equatable {
  case constant(JSONValue)
  case variable(String)
  case list([CompiledValue])
  case object([ObjectField])

  package struct ObjectField: Sendable, Equatable {
    package let name: String
    package let value: CompiledValue

    package init(name: String, value: CompiledValue) {
      self.name = name
      self.value = value
    }
  }

  /// Returns the value for the given variables; `nil` if it is a variable that was omitted.
  package func evaluate(variables: JSONValue) -> JSONValue? {
    switch self {
    case .constant(let value): value
    case .variable(let name): variables[name]
    case .list(let values): .array(values.map { $0.evaluate(variables: variables) ?? .null })
    case .object(let fields):
      .object(fields.compactMap { field in field.value.evaluate(variables: variables).map { (field.name, $0) } })
    }
  }

  /// Returns a list; a constant if all elements are constants.
  package static func folding(list: [CompiledValue]) -> CompiledValue {
    let constants = list.compactMap { if case .constant(let value) = $0 { value } else { nil } }
    return constants.count == list.count ? .constant(.array(constants)) : .list(list)
  }

  /// Returns an object; a constant if all fields are constants.
  package static func folding(fields: [ObjectField]) -> CompiledValue {
    let constants: [(String, JSONValue)] = fields.compactMap {
      if case .constant(let value) = $0.value { ($0.name, value) } else { nil }
    }
    return constants.count == fields.count ? .constant(.object(constants)) : .object(fields)
  }
}

/// An argument of a field, from the operation or from the schema's default.
package struct CompiledArgument: Sendable {
  package let name: String
  package let value: CompiledValue
  /// The default in the schema, which replaces an omitted variable.
  package let defaultValue: JSONValue?
  /// The argument's type; `nil` without a schema.
  package let type: TypeReference?

  package init(name: String, value: CompiledValue, defaultValue: JSONValue? = nil, type: TypeReference? = nil) {
    self.name = name
    self.value = value
    self.defaultValue = defaultValue
    self.type = type
  }

  /// Returns the value in canonical form; `nil` if it is omitted.
  package func evaluate(variables: JSONValue) -> JSONValue? {
    (value.evaluate(variables: variables) ?? defaultValue).map { CanonicalValue.canonical($0, type: type) }
  }
}
