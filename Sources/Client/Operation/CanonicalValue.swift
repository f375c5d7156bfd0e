import ApusGraphQLSchema
import ApusJSON

/// One spelling for equal argument values, so that a field has one key in the cache however it was asked for.
package enum CanonicalValue {
  /// Members in the order of their names, whole numbers without a fraction; with a type also defaults filled in,
  /// lone values of a list in a list, and ids as text.
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
    // What the schema does not know is kept: two requests that differ in it are two.
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
    guard let double = value.double, let whole = Int(exactly: double) else { return value }
    return JSONValue(whole)
  }
}
