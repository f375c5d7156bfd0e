import ApusGraphQLSchema
import ApusJSON

/// The canonical form of argument values, so that equal arguments produce the same field key in the cache.
package enum CanonicalValue {
  /// Sorts members by name and removes the fraction of integral numbers, so that `{b: 1.0, a: 2}` is `{"a":2,"b":1}`.
  /// With a type, it also fills in defaults, wraps single values of a list type, and converts ids to strings.
  package static func canonical(_ value: JSONValue, type: TypeReference? = nil) -> JSONValue {
    if let type, !value.isNull {
      if let element = type.nullable.elementType {
        return .array((value.kind == .array ? value.elements.map { $0 } : [value]).map { canonical($0, type: element) })
      }
      if type.name == "ID", let text = value.numberText { return JSONValue(text) }
      if let definition = type.definition, definition.isInput, !definition.isLeaf, value.kind == .object {
        return object(value, type: definition)
      }
    }
    return switch value.kind {
    case .object: sorted(value.members.map { ($0.key, canonical($0.value)) })
    case .array: .array(value.elements.map { canonical($0) })
    case .number: number(value)
    default: value
    }
  }

  private static func object(_ value: JSONValue, type: TypeDefinition) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for field in type.inputFields {
      guard let given = value[field.name] ?? field.defaultValue.map(ConstantValue.json) else { continue }
      members.append((field.name, canonical(given, type: field.type)))
    }
    // Members that the schema does not define are kept, because they may change the result.
    let names = Set(type.inputFields.map(\.name))
    for member in value.members where !names.contains(member.key) {
      members.append((member.key, canonical(member.value)))
    }
    return sorted(members)
  }

  private static func sorted(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) })
  }

  private static func number(_ value: JSONValue) -> JSONValue {
    if let int = value.int, value.numberText == String(int) { return value }
    guard let double = value.double, let integer = Int(exactly: double) else { return value }
    return JSONValue(integer)
  }
}
