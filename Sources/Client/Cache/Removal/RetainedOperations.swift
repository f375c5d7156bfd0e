/// A token for a retained operation. Garbage collection keeps the records of retained operations.
public struct Retainer: Sendable, Hashable {
  fileprivate let number: Int
}

/// The retained operations of a store.
struct RetainedOperations {
  private var retained: [Int: RecordRequest] = [:]
  private var count = 0

  mutating func add(_ request: RecordRequest) -> Retainer {
    count += 1
    retained[count] = request
    return Retainer(number: count)
  }

  mutating func remove(_ retainer: Retainer) { retained[retainer.number] = nil }

  var requests: [RecordRequest] { Array(retained.values) }

  /// The root fields that retained operations read: `QUERY_ROOT.birds({"first":10})`, and `QUERY_ROOT.birds(*)` for a
  /// connection, because all of its pages can be used.
  var rootFields: Set<String> {
    var fields: Set<String> = []
    for request in retained.values {
      let plan = request.plan
      let typename = plan.root.concreteType
      for field in plan.root.fields(for: typename).fields {
        let key = request.policies.fieldKey(field, of: typename, variables: plan.variables)
        fields.insert("\(plan.operation.rootKey.text).\(key)")
        if case .connection? = request.policies.policy(field.field.name, of: typename)?.merge {
          fields.insert("\(plan.operation.rootKey.text).\(field.field.name)(*)")
        }
      }
    }
    return fields
  }
}
