import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// Coerces input values to their types (GraphQL specification, sections 3.10 and 6.4.1).
struct InputCoercion {
  let scalars: [String: ScalarCoding]
  /// The coerced variables, without omitted ones.
  var variables: [String: JSONValue] = [:]

  func scalar(named name: String) -> ScalarCoding {
    scalars[name] ?? ScalarCoding.builtIn[name] ?? .any
  }

  // MARK: Literals

  /// Returns the arguments of a field or directive as a JSON object, in the order of their definitions.
  func arguments(
    _ definitions: [InputValueDefinition], given arguments: [ArgumentNode], of node: any SyntaxView
  ) throws(ExecutionError) -> JSONValue {
    guard !definitions.isEmpty else { return .object([]) }
    var members: [(String, JSONValue)] = []
    for definition in definitions {
      let argument = arguments.first { $0.name.value == definition.name }
      var value = argument?.value
      if let variable = value?.variableReference, variables[variable] == nil { value = nil }
      guard let value else {
        if let defaultValue = definition.defaultValue {
          members.append((definition.name, try literal(defaultValue, as: definition.type)))
        } else if definition.type.isNonNull {
          throw ExecutionError(missing(definition, variable: argument?.value.variableReference), at: [argument ?? node])
        }
        continue
      }
      do throws(ExecutionError) {
        members.append((definition.name, try literal(value, as: definition.type)))
      } catch {
        throw ExecutionError(
          "Argument \"\(definition.name)\" has invalid value \(value.text). \(error.message)", at: [value])
      }
    }
    return .object(members)
  }

  private func missing(_ definition: InputValueDefinition, variable: String?) -> String {
    let start = "Argument \"\(definition.name)\" of required type \"\(definition.type)\" was "
    return start
      + (variable.map { "provided the variable \"$\($0)\" which was not provided a runtime value." }
        ?? "not provided.")
  }

  func literal(_ node: ValueNode, as type: some InputType) throws(ExecutionError) -> JSONValue {
    if let name = node.variableReference {
      // Validation ensured that the variable's type fits, and its value is coerced.
      let value = variables[name] ?? .null
      if value.isNull, type.isNonNull { throw ExecutionError("Expected \"\(type)\" not to be null.") }
      return value
    }
    if type.isNonNull {
      guard node.kind != .null else { throw ExecutionError("Expected value of type \"\(type)\", found null.") }
      return try literal(node, as: type.nullable)
    }
    if node.kind == .null { return .null }
    if let element = type.elementType {
      guard node.kind == .list else { return .array([try literal(node, as: element)]) }
      var items: [JSONValue] = []
      for item in node.elements { items.append(try literal(item, as: element)) }
      return .array(items)
    }
    guard let definition = type.definition else { throw ExecutionError("Type \"\(type)\" is not known.") }
    switch definition.kind {
    case .inputObject:
      guard node.kind == .object else {
        throw ExecutionError("Expected value of type \"\(type)\" to be an object, found \(node.text).")
      }
      var given: [(String, JSONValue?)] = []
      for field in node.fields {
        let name = field.name.value
        guard let definition = definition.inputField(named: name) else {
          throw ExecutionError("Field \"\(name)\" is not defined by type \"\(type)\".")
        }
        if let variable = field.value.variableReference, variables[variable] == nil {
          given.append((name, nil))
        } else {
          given.append((name, try literal(field.value, as: definition.type)))
        }
      }
      return try inputObject(definition, given)
    case .enum:
      guard node.kind == .enum else {
        throw ExecutionError("Enum \"\(type)\" cannot represent non-enum value: \(node.text).")
      }
      return try enumValue(node.text, definition)
    case .scalar:
      try checkLiteralKind(node, of: definition)
      return try scalar(named: definition.name).parse(untyped(node))
    case .object, .interface, .union:
      throw ExecutionError("\"\(type)\" is not an input type.")
    }
  }

  /// Checks the kind of a literal, because the scalar's parser would accept `"1"` as Int and `1` as String.
  private func checkLiteralKind(_ node: ValueNode, of definition: TypeDefinition) throws(ExecutionError) {
    let isFine =
      switch definition.name {
      case "Int": node.kind == .int
      case "Float": node.kind == .int || node.kind == .float
      case "String": node.kind == .string
      case "Boolean": node.kind == .boolean
      case "ID": node.kind == .string || node.kind == .int
      default: true
      }
    guard isFine else { throw ExecutionError("\(definition.name) cannot represent value: \(node.text)") }
  }

  /// Whether a value is a variable without value and default.
  func isWithoutValue(_ node: ValueNode) -> Bool {
    node.kind == .variable && variables[node.variableName] == nil
  }

  /// Returns a literal as plain JSON, for scalars that parse it themselves.
  func untyped(_ node: ValueNode) -> JSONValue {
    switch node.kind {
    case .variable: variables[node.variableName] ?? .null
    case .int, .float: JSONNumber(text: node.text).map { JSONValue($0) } ?? .null
    case .string: JSONValue(node.stringValue)
    case .boolean: JSONValue(node.boolValue)
    case .null: .null
    case .enum: JSONValue(node.text)
    case .list: .array(node.elements.map(untyped))
    case .object: .object(node.fields.map { ($0.name.value, untyped($0.value)) })
    }
  }

  // MARK: JSON

  /// Coerces the value of a variable. Errors are appended to `problems`, each with its path in the value.
  func value(
    _ value: JSONValue, as type: some InputType, at place: String, problems: inout [(place: String, message: String)]
  ) -> JSONValue {
    func problem(_ message: String) -> JSONValue {
      problems.append((place, message))
      return .null
    }
    if type.isNonNull {
      if value.isNull { return problem("Expected non-nullable type \"\(type)\" not to be null.") }
      return self.value(value, as: type.nullable, at: place, problems: &problems)
    }
    if value.isNull { return .null }
    if let element = type.elementType {
      guard value.kind == .array else {
        return .array([self.value(value, as: element, at: place, problems: &problems)])
      }
      return .array(
        value.elements.enumerated().map { index, item in
          self.value(item, as: element, at: "\(place)[\(index)]", problems: &problems)
        })
    }
    guard let definition = type.definition else { return problem("Type \"\(type)\" is not known.") }
    do throws(ExecutionError) {
      switch definition.kind {
      case .inputObject:
        guard value.kind == .object else { return problem("Expected type \"\(type)\" to be an object.") }
        var given: [(String, JSONValue?)] = []
        for (name, member) in value.members {
          if let definition = definition.inputField(named: name) {
            given.append(
              (name, self.value(member, as: definition.type, at: "\(place).\(name)", problems: &problems)))
          } else {
            problems.append((place, "Field \"\(name)\" is not defined by type \"\(type)\"."))
          }
        }
        return try inputObject(definition, given)
      case .enum:
        guard let name = value.string else {
          return problem("Enum \"\(type)\" cannot represent non-string value: \(value).")
        }
        return try enumValue(name, definition)
      case .scalar: return try scalar(named: definition.name).parse(value)
      case .object, .interface, .union: return problem("\"\(type)\" is not an input type.")
      }
    } catch {
      return problem(error.message)
    }
  }

  // MARK: Literals and JSON

  private func enumValue(_ name: String, _ definition: TypeDefinition) throws(ExecutionError) -> JSONValue {
    guard definition.enumValue(named: name) != nil else {
      throw ExecutionError("Value \"\(name)\" does not exist in \"\(definition.name)\" enum.")
    }
    return JSONValue(name)
  }

  /// Fills in defaults and checks required fields. A nil value is an omitted variable.
  private func inputObject(
    _ definition: TypeDefinition, _ given: [(name: String, value: JSONValue?)]
  ) throws(ExecutionError) -> JSONValue {
    if definition.isOneOf {
      guard given.count == 1, let value = given.first?.value, !value.isNull else {
        throw ExecutionError("Exactly one key must be specified for OneOf type \"\(definition.name)\", and not null.")
      }
    }
    var members: [(String, JSONValue)] = []
    for field in definition.inputFields {
      if let value = given.last(where: { $0.name == field.name })?.value {
        members.append((field.name, value))
      } else if let defaultValue = field.defaultValue {
        members.append((field.name, try literal(defaultValue, as: field.type)))
      } else if field.type.isNonNull {
        throw ExecutionError("Field \"\(field.name)\" of required type \"\(field.type)\" was not provided.")
      }
    }
    return .object(members)
  }
}

extension ValueNode {
  /// The name of the variable, if the value is one.
  var variableReference: String? { kind == .variable ? variableName : nil }
}
