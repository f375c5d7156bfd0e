import ApusClientOperation
import ApusJSON

/// IDs as text: a server may send an ID as an integer, and both spell the same one (specification, section 3.5.5).
///
/// The cache and the output have what was sent. Models have text, wherever it comes from, so that two are equal that show
/// the same.
enum IDCoercion {
  /// A response's data with the integers in the places of IDs as text.
  static func coerce(_ data: JSONValue, plan: SelectionPlan) -> JSONValue { changed(object: data, plan.root) ?? data }

  /// The value at a path of the data, coerced; `nil` where the data has none or nobody asked for it.
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

  // What is not changed is `nil`, so that it is shared.

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
      // The member is there: replacing it cannot fail.
      result = (try? (result ?? object).replacing(at: [.key(field.responseKey)], with: other)) ?? result
    }
    return result
  }
}
