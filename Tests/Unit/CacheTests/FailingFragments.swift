import ApusClientAPI
import ApusClientOperation
import ApusJSON
import ApusTestSupport

/// Makes deferred fragments of a response fail: their fields are removed unless they are also selected elsewhere.
struct FailingFragments {
  static let error = GraphQLError(message: "the fragment failed")

  let plan: SelectionPlan
  /// The average number of fragments per failing one.
  let frequency: Int
  private(set) var failed: [DeferredFragment] = []

  init(plan: SelectionPlan, frequency: Int) {
    self.plan = plan
    self.frequency = frequency
  }

  mutating func remove(from data: JSONValue, using random: inout SplitMix) -> JSONValue {
    remove(from: data, plan.root, [], using: &random)
  }

  private mutating func remove(
    from value: JSONValue, _ node: PlanNode, _ path: [PathComponent], using random: inout SplitMix
  ) -> JSONValue {
    switch value.kind {
    case .array:
      var elements: [JSONValue] = []
      for (index, element) in value.elements.enumerated() {
        elements.append(remove(from: element, node, path + [.index(index)], using: &random))
      }
      return .array(elements)
    case .object:
      let fields = node.fields(of: value)
      var rest = value
      for fragment in fields.fragments {
        guard let usage = fragment.usage, Int.random(in: 0..<frequency, using: &random) == 0 else { continue }
        let remaining = Self.rest(of: rest, node, without: usage)
        guard remaining != rest else { continue }
        rest = remaining
        failed.append(
          DeferredFragment(
            fragmentID: fragment.fragment.id, label: fragment.fragment.deferral?.label, path: ResponsePath(path),
            typeCondition: fragment.fragment.typeCondition, name: nil, state: .failed([Self.error])))
      }
      var members: [(String, JSONValue)] = []
      for member in rest.members {
        let child = fields[member.key]?.child
        members.append(
          (
            member.key,
            child.map { remove(from: member.value, $0, path + [.key(member.key)], using: &random) } ?? member.value
          ))
      }
      return .object(members)
    default: return value
    }
  }

  private static func rest(of value: JSONValue, _ node: PlanNode, without usage: PlanDeferral) -> JSONValue {
    switch value.kind {
    case .array: return .array(value.elements.map { rest(of: $0, node, without: usage) })
    case .object:
      let fields = node.fields(of: value)
      return .object(
        value.members.compactMap { key, value in
          guard let field = fields[key] else { return (key, value) }
          if !field.usages.isEmpty, FragmentCoverage.isOwn(field, usage: usage) { return nil }
          return (key, field.child.map { rest(of: value, $0, without: usage) } ?? value)
        })
    default: return value
    }
  }
}
