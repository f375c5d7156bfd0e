import ApusGraphQLSchema
import ApusJSON

/// An argument's value with the variables still in it.
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

  /// The value for these variables; `nil` when it is a variable that was not given.
  package func evaluate(variables: JSONValue) -> JSONValue? {
    switch self {
    case .constant(let value): value
    case .variable(let name): variables[name]
    case .list(let values): .array(values.map { $0.evaluate(variables: variables) ?? .null })
    case .object(let fields):
      .object(fields.compactMap { field in field.value.evaluate(variables: variables).map { (field.name, $0) } })
    }
  }

  /// A list; a constant if every element is one.
  package static func folding(list: [CompiledValue]) -> CompiledValue {
    let constants = list.compactMap { if case .constant(let value) = $0 { value } else { nil } }
    return constants.count == list.count ? .constant(.array(constants)) : .list(list)
  }

  /// An object; a constant if every field is one.
  package static func folding(fields: [ObjectField]) -> CompiledValue {
    let constants: [(String, JSONValue)] = fields.compactMap {
      if case .constant(let value) = $0.value { ($0.name, value) } else { nil }
    }
    return constants.count == fields.count ? .constant(.object(constants)) : .object(fields)
  }
}

/// An argument of a field as an operation gives it, or as the schema's default gives it.
package struct CompiledArgument: Sendable {
  package let name: String
  package let value: CompiledValue
  /// The schema's default, which stands in for a variable that was not given.
  package let defaultValue: JSONValue?
  /// `nil` without a schema.
  package let type: TypeReference?

  package init(name: String, value: CompiledValue, defaultValue: JSONValue? = nil, type: TypeReference? = nil) {
    self.name = name
    self.value = value
    self.defaultValue = defaultValue
    self.type = type
  }

  /// The value in canonical form: names in order, numbers and single-element lists in one spelling.
  package func evaluate(variables: JSONValue) -> JSONValue? {
    (value.evaluate(variables: variables) ?? defaultValue).map { CanonicalValue.canonical($0, type: type) }
  }
}
