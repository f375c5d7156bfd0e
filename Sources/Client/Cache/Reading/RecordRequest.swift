import ApusClientOperation
import ApusClientRecords
import ApusJSON

/// The records that a read needs: those reachable through an operation, or through a fragment on the record with a key.
public struct RecordRequest: Sendable {
  let plan: SelectionPlan
  var policies: CachePolicies
  let resolver: CacheKeyResolver
  /// The record on which the selections are made.
  let root: CacheKey
  /// The name of the query root type; `nil` if it is unknown.
  var queryTypeName: String?
  /// Whether the request is for a fragment, so that `root` is not a root of the operation.
  let isFragment: Bool

  init(plan: SelectionPlan, policies: CachePolicies, resolver: CacheKeyResolver, fragmentOn key: CacheKey? = nil) {
    self.plan = plan
    self.policies = policies
    self.resolver = resolver
    root = key ?? plan.operation.rootKey
    isFragment = key != nil
  }

  /// Returns whether the selections apply to records of a type. A fragment may be on a different type.
  func covers(_ typename: String?) -> Bool {
    guard isFragment, let typename else { return true }
    return plan.operation.selections.possibleTypes?.contains(typename) ?? plan.root.isPossible(typename)
  }
}

/// Traverses an operation level by level, through a set that may not contain all of its records yet.
///
/// 1. The frontier is the next level: records and their selections.
/// 2. The caller loads the frontier's records into the set.
/// 3. `advance` follows the fields of the frontier to the next level.
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
    // A context caches the field ids of the storage, so each level needs a new one.
    let context = ReaderContext(request)
    for (id, node) in frontier {
      let shape = context.shapes(of: node).shape(type: set.storage[id].type, in: set.storage)
      for index in shape.ids.indices where shape.hasChild[index] {
        let field = shape.fields[index]
        guard let child = field.child?.node else { continue }
        var targets: [RecordID] = []
        let slot = field.id.flatMap { set.storage.value(of: $0, in: id) }
        if let slot { set.storage.forEachTarget(of: slot) { targets.append($0) } }
        // A value that expires may be expired.
        if slot == nil || field.id.map({ set.storage.expiry(of: $0, in: id) != 0 }) == true {
          if let redirect = field.redirect {
            targets += redirect.keys.map { set.intern($0) }
          } else if field.isConnection {
            // Other pages of the connection may provide the value.
            for page in set.storage.pages(ofField: field.key, in: id) {
              set.storage.forEachTarget(of: page) { targets.append($0) }
            }
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
