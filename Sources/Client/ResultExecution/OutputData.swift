import ApusClientOperation
import ApusJSON

/// Data as the user asked for it: without what was added to the operation for the cache's sake.
package enum OutputData {
  /// Strips what was added. Where nothing was, the value itself comes back, sharing everything.
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
