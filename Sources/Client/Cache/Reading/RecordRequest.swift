import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// Which records a read needs: those that an operation leads to, or a fragment on the record under a key.
public struct RecordRequest: Sendable {
  let plan: SelectionPlan
  var policies: CachePolicies
  let resolver: CacheKeyResolver
  /// The record that the selections are made on.
  let root: CacheKey
  /// Whether that is another than the root of an operation.
  let isFragment: Bool

  init(plan: SelectionPlan, policies: CachePolicies, resolver: CacheKeyResolver, fragmentOn key: CacheKey? = nil) {
    self.plan = plan
    self.policies = policies
    self.resolver = resolver
    root = key ?? plan.operation.rootKey
    isFragment = key != nil
  }

  /// Whether the selections are made on a record of this type: a fragment may be on another.
  func covers(_ typename: String?) -> Bool {
    guard isFragment, let typename else { return true }
    return plan.operation.selections.possibleTypes?.contains(typename) ?? plan.root.isPossible(typename)
  }
}

/// Walks along an operation through a set that may not have all of its records yet, level by level.
///
/// 1. The frontier is the records that are looked at next, each with what is selected on it.
/// 2. Whoever holds the records sees to it that the frontier's are in the set.
/// 3. To advance is to go where the frontier's fields lead.
struct RecordWalk {
  struct Step: Hashable {
    let record: RecordID
    let node: ObjectIdentifier
  }

  private(set) var frontier: [(record: RecordID, node: PlanNode)]
  private var seen: Set<Step> = []
  private let request: RecordRequest

  init(_ request: RecordRequest, in set: inout RecordSet) {
    self.request = request
    frontier = [(set.find(request.root) ?? set.intern(request.root), request.plan.root)]
  }

  mutating func advance(in set: inout RecordSet) {
    var next: [(record: RecordID, node: PlanNode)] = []
    // Shapes know the present fields of a storage, so each level makes others.
    let context = ReaderContext(request)
    for (id, node) in frontier {
      let shape = context.shapes(of: node).shape(type: set.storage[id].type, in: set.storage)
      for index in shape.ids.indices where shape.hasChild[index] {
        let field = shape.fields[index]
        guard let child = field.child?.node else { continue }
        var targets: [RecordID] = []
        if let own = field.id, let slot = set.storage.value(of: own, in: id) {
          set.storage.forEachTarget(of: slot) { targets.append($0) }
        } else if let redirect = field.redirect {
          targets = redirect.keys.map { set.intern($0) }
        } else if field.isConnection {
          // Its other pages may answer for it.
          for slot in set.storage.fields(of: id) where field.isPage(set.storage.fieldNames[slot.field]) {
            set.storage.forEachTarget(of: slot) { targets.append($0) }
          }
        }
        for target in targets where seen.insert(Step(record: target, node: ObjectIdentifier(child))).inserted {
          next.append((target, child))
        }
      }
    }
    frontier = next
  }
}

extension RecordRequest {
  func redirect(_ field: PlanField, of typename: String?) -> FieldRedirect? {
    policies.redirect(field, of: typename, variables: plan.variables, resolver: resolver)
  }
}
