import ApusGraphQLLanguage
import ApusGraphQLSchema

extension ValueNode {
  /// Returns a text that is equal for literals with the same value: `[0.5]`, `[5e-1]` and `0.5` for a list of floats,
  /// and `{a: 1, b: 2}` in either order. It ignores the order of fields, the notation of strings and numbers, and the
  /// brackets around a single list item.
  ///
  /// Source: input coercion in the GraphQL specification (September 2025), sections 3.5 "Scalars" and 3.12 "List".
  ///
  /// - Parameter type: The expected type; `nil` if the schema does not define it.
  func canonicalText(as type: TypeReference?) -> String {
    let items = type?.nullable.elementType
    switch kind {
    case .null: return "null"
    case .list: return "[\(elements.map { $0.canonicalText(as: items) }.joined(separator: ","))]"
    case .variable, .int, .float, .string, .boolean, .enum, .object:
      return items.map { "[\(canonicalText(as: $0))]" } ?? canonicalItem(type)
    }
  }

  private func canonicalItem(_ type: TypeReference?) -> String {
    switch kind {
    case .int, .float: return canonicalNumber(type?.name)
    case .string: return Self.quoted(stringValue)
    case .object:
      let members = fields.map { field in
        let name = field.name.value
        return "\(name):\(field.value.canonicalText(as: type?.definition?.inputField(named: name)?.type))"
      }
      return "{\(members.sorted().joined(separator: ","))}"
    case .variable, .boolean, .enum, .null, .list: return text
    }
  }

  private func canonicalNumber(_ type: String?) -> String {
    if type == "ID" { return Self.quoted(text) }
    guard type == "Float" || kind == .float, let number = Double(text) else { return text }
    return "\(number)"
  }

  /// Puts the length before the string, which separates it from the text around it: `"4:bird"`.
  private static func quoted(_ string: String) -> String { "\"\(string.utf8.count):\(string)\"" }
}

extension DirectiveNode {
  /// Returns a text that is equal for directives with the same name and arguments, in any order:
  /// `@cost(complexity:1,weight:2)`.
  func canonicalText(in schema: Schema) -> String {
    let definition = schema.directive(named: name.value)
    let values = arguments.map { argument in
      let name = argument.name.value
      return "\(name):\(argument.value.canonicalText(as: definition?.argument(named: name)?.type))"
    }
    return "@\(name.value)(\(values.sorted().joined(separator: ",")))"
  }
}
