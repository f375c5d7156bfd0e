import ApusClientOperation
import ApusJSON

/// Converts IDs to strings, because a server may send them as integers (GraphQL specification, section 3.5.5).
///
/// The cache and the output keep what the server sent. Models always have strings, so that equal IDs compare equal.
enum IDCoercion {
  /// Returns the data with integer IDs as strings.
  static func coerce(_ data: JSONValue, plan: SelectionPlan) -> JSONValue { changed(object: data, plan.root) ?? data }

  /// Returns the converted value at a path; `nil` if the data or the operation does not have it.
  static func coerce(_ data: JSONValue, at path: ResponsePath, plan: SelectionPlan) -> JSONValue? {
    var (node, value) = (plan.root, data)
    var place: (field: PlanField, level: Int)?
    for component in path.components {
      switch component {
      case .key(let key):
        guard let field = node.fields(of: value)[key], let member = value[key] else { return nil }
        place = (field, 0)
        value = member
        if let child = field.child { node = child }
      case .index(let index):
        guard let element = value[index] else { return nil }
        place?.level += 1
        value = element
      }
    }
    guard let place else { return coerce(data, plan: plan) }
    return changed(value, place.field, level: place.level) ?? value
  }

  // These functions return `nil` for an unchanged value, so that it can be shared.

  private static func changed(_ value: JSONValue, _ field: PlanField, level: Int) -> JSONValue? {
    switch value.kind {
    case .array where field.child != nil || field.shape.leaf == .id:
      var isOther = false
      let elements = value.elements.map { element in
        guard let other = changed(element, field, level: level + 1) else { return element }
        isOther = true
        return other
      }
      return isOther ? .array(elements) : nil
    case .object:
      return field.child.flatMap { changed(object: value, $0) }
    case .number where field.shape.leaf == .id && level == Int(field.shape.listDepth) && LeafCheck.isInteger(value):
      return value.numberText.map { JSONValue($0) }
    default:
      return nil
    }
  }

  private static func changed(object: JSONValue, _ node: PlanNode) -> JSONValue? {
    guard object.kind == .object else { return nil }
    var result: JSONValue?
    node.fields(of: object).forEachField(of: object) { _, field, value in
      guard let other = changed(value, field, level: 0) else { return }
      // The member exists, so replacing it cannot fail.
      result = (try? (result ?? object).replacing(at: [.key(field.responseKey)], with: other)) ?? result
    }
    return result
  }
}
