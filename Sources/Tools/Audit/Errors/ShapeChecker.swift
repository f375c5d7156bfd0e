import ApusGraphQLSchema
import ApusJSON

/// Compares response data with its selections and the schema (GraphQL, section 6.4.3).
struct ShapeChecker {
  let schema: Schema

  /// Returns the first mismatch with its path; nil if there is none.
  func problem(of exchange: Exchange, selections: [DerivedSelection]) -> String? {
    guard let data = exchange.data else { return nil }
    return problem(object: data, selections, typename: schema.queryType?.name ?? "", path: "")
  }

  private func problem(
    object: JSONValue, _ selections: [DerivedSelection], typename: String, path: String
  ) -> String? {
    guard object.kind == .object else { return "\(path) is not an object" }
    let expected = fields(selections, on: object["__typename"]?.string ?? typename)
    let names = Set(expected.map(\.name)).union(["__typename"])
    if let additional = object.keys.first(where: { !names.contains($0) }) {
      return "\(path).\(additional) was not selected"
    }
    for field in expected {
      let place = "\(path).\(field.name)"
      guard let value = object[field.name] else { return "\(place) is absent" }
      if let problem = problem(value, field, field.type, place) { return problem }
    }
    return nil
  }

  /// Returns the fields that apply to an object type.
  private func fields(_ selections: [DerivedSelection], on typename: String) -> [DerivedField] {
    selections.flatMap { selection -> [DerivedField] in
      switch selection {
      case .field(let field): [field]
      case .typename: []
      case .fragment(let type, let inner): type == typename ? fields(inner, on: typename) : []
      }
    }
  }

  private func problem(_ value: JSONValue, _ field: DerivedField, _ type: TypeReference, _ path: String) -> String? {
    if value.isNull { return type.isNonNull ? "\(path) is null, but not nullable" : nil }
    if let element = type.nullable.elementType {
      guard value.kind == .array else { return "\(path) is not a list" }
      for (index, item) in value.elements.enumerated() {
        if let problem = problem(item, field, element, "\(path).\(index)") { return problem }
      }
      return nil
    }
    guard let definition = type.definition else { return nil }
    if definition.isComposite {
      return problem(object: value, field.selections, typename: definition.name, path: path)
    }
    return isLeaf(value, of: definition) ? nil : "\(path) is \(value.shortText), not of type \(definition.name)"
  }

  /// Returns the number of components of an error's path that lead to the nearest nullable position; nil if the path
  /// does not belong to the field.
  func nullDepth(of path: [JSONValue], in root: DerivedField) -> Int? {
    var depth = 0
    var selections = [DerivedSelection.field(root)]
    var type: TypeReference?
    for (index, component) in path.enumerated() {
      if let name = component.string {
        guard let field = named(name, in: selections) else { return nil }
        (type, selections) = (field.type, field.selections)
      } else {
        type = type?.nullable.elementType
      }
      guard let type else { return nil }
      if !type.isNonNull { depth = index + 1 }
    }
    return depth
  }

  private func named(_ name: String, in selections: [DerivedSelection]) -> DerivedField? {
    for selection in selections {
      switch selection {
      case .field(let field) where field.name == name: return field
      case .fragment(_, let inner): if let field = named(name, in: inner) { return field }
      case .field, .typename: continue
      }
    }
    return nil
  }

  private func isLeaf(_ value: JSONValue, of type: TypeDefinition) -> Bool {
    if type.kind == .enum { return value.string.map { type.enumValue(named: $0) != nil } ?? false }
    return switch type.name {
    case "Int": value.int.map { Int32(exactly: $0) != nil } ?? false
    case "Float": value.kind == .number
    case "String": value.kind == .string
    case "Boolean": value.kind == .bool
    case "ID": value.kind == .string || value.int != nil
    default: true
    }
  }
}
