import ApusClientOperation
import ApusJSON

/// Removes the fields that were added for the cache from the data.
package enum RequestedData {
  /// Returns the data without added fields; the same value if there are none.
  package static func strip(_ data: JSONValue, plan: SelectionPlan) -> JSONValue {
    strip(data, node: plan.root)
  }

  private static func strip(_ value: JSONValue, node: PlanNode) -> JSONValue {
    guard node.hasAdded else { return value }
    switch value.kind {
    case .array:
      return .array(value.elements.map { strip($0, node: node) })
    case .object:
      let fields = node.fields(of: value)
      var members: [(String, JSONValue)] = []
      members.reserveCapacity(value.count)
      for (key, member) in value.members {
        guard let field = fields[key] else {
          members.append((key, member))
          continue
        }
        if field.isAdded { continue }
        members.append((key, field.child.map { strip(member, node: $0) } ?? member))
      }
      return .object(members)
    default:
      return value
    }
  }
}
