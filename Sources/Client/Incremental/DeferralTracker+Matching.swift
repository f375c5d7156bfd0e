import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Matching entries and announcements to pending fragments.
extension DeferralTracker {
  func isKnown(_ fragment: PlanFragment, at path: ResponsePath) -> Bool {
    indexes[path]?.contains { fragments[$0].fragmentID == fragment.fragment.id } == true
  }

  /// Whether the enclosing fragment has arrived.
  func isOpen(_ usage: PlanDeferral?, path: [PathComponent], levels: [Int]) -> Bool {
    guard let usage else { return true }
    return instance(of: usage, path: path, levels: levels).map { fragments[$0].state == .fulfilled } ?? false
  }

  /// Returns the instance of a deferral on an object or one of its ancestors.
  func instance(of usage: PlanDeferral, path: [PathComponent], levels: [Int]) -> Int? {
    guard usage.depth < levels.count else { return nil }
    let place = ResponsePath(Array(path.prefix(levels[usage.depth])))
    return indexes[place]?.first { fragments[$0].fragmentID == usage.fragment.id }
  }

  /// Returns the pending fragments with a label at a path. Without a label, those without one; all of them if the
  /// server sends no labels.
  func pending(at path: ResponsePath, label: String?) -> [Int] {
    let all = (indexes[path] ?? []).filter { fragments[$0].state.isPending }
    let matching = all.filter { fragments[$0].label == label }
    return matching.isEmpty && label == nil && !sendsLabels ? all : matching
  }

  @discardableResult
  mutating func claim(_ index: Int) -> Bool {
    claim(Location(path: instances[index].path, label: fragments[index].label), for: index)
  }

  /// Claims the announcement of a fragment from a server that omits labels.
  @discardableResult
  mutating func claimUnlabelled(_ index: Int) -> Bool {
    claim(Location(path: instances[index].path, label: nil), for: index)
  }

  mutating func claim(_ place: Location, for index: Int) -> Bool {
    guard claim(place) else { return false }
    instances[index].isAnnounced = true
    return true
  }

  mutating func claim(_ place: Location) -> Bool {
    guard let count = unclaimed[place] else { return false }
    unclaimed[place] = count == 1 ? nil : count - 1
    return true
  }

  /// The fragment that an item in the 2022 format belongs to.
  enum Match {
    case known(Int)
    /// A fragment inside one that has not arrived, by its id.
    case inner(Int)
  }

  /// Returns the fragment for an item in the 2022 format. If several fragments at the path have no label, the fields of
  /// the item decide. An inner fragment may arrive before the one around it.
  func match(path: ResponsePath, label: String?, item: JSONValue, errors: [GraphQLError]) -> Match? {
    let known = pending(at: path, label: label)
    guard let first = known.first else { return nil }
    let inner = known.flatMap { innerFragments(of: $0, at: path, label: label) }
    if known.count == 1, inner.isEmpty { return .known(first) }
    let failedKeys: [String] = errors.compactMap { error in
      guard let components = error.path?.components, components.count > path.components.count else { return nil }
      guard case .key(let key) = components[path.components.count] else { return nil }
      return key
    }
    let keys = item.isNull ? failedKeys : item.members.map { $0.key }
    var best: (match: Match, score: (Int, Int))?
    func consider(_ match: Match, _ plan: PlanFragment, _ typename: String?) {
      let own = plan.node.fields(for: typename).fields.filter { FragmentCoverage.isOwn($0, usage: plan.usage) }
      let missing = item.isNull ? 0 : own.count { item[$0.responseKey] == nil }
      let extra = keys.count { key in !own.contains { $0.responseKey == key } }
      let score = (-missing, -extra)
      if best.map({ score > $0.score }) ?? true { best = (match, score) }
    }
    for index in known { consider(.known(index), instances[index].plan, instances[index].typename) }
    for (fragment, typename) in inner { consider(.inner(fragment.fragment.id), fragment, typename) }
    return best?.match
  }

  /// Returns the fragments on the same object inside a pending one, which are discovered when that arrives.
  private func innerFragments(
    of index: Int, at path: ResponsePath, label: String?
  ) -> [(fragment: PlanFragment, typename: String?)] {
    let instance = instances[index]
    return instance.plan.node.fields(for: instance.typename).fragments.filter { fragment in
      fragment.isDeferred && fragment.application != .never && !isKnown(fragment, at: path)
        && earlyInner[InnerFragment(path: path, fragmentID: fragment.fragment.id)] == nil
        && (fragment.fragment.deferral?.label == label || label == nil && !sendsLabels)
    }.map { ($0, instance.typename) }
  }

  /// Returns the pending or resolved instance of a field with its own `@defer`.
  func deferredField(at path: ResponsePath) -> Int? {
    guard let key = path.lastKey else { return nil }
    return indexes[path.parent]?.first { instances[$0].plan.fragment.deferredField == key }
  }

  func isDelivered(_ instance: Instance, value: JSONValue) -> Bool {
    value.kind == .object
      && FragmentCoverage.covers(
        instance.plan.node, value: value, typename: instance.typename, usage: instance.plan.usage)
  }

  func hasOwnFields(_ instance: Instance) -> Bool {
    instance.plan.node.fields(for: instance.typename).fields.contains {
      FragmentCoverage.isOwn($0, usage: instance.plan.usage)
    }
  }

  /// Whether the server did not defer a fragment, because the object already has one of the fields that only the
  /// fragment selects. The fields of `arrived` fragments prove nothing.
  func isInlined(
    _ instance: Instance, object: JSONValue, path: ResponsePath, arrived: [PlanDeferral] = []
  ) -> Bool {
    guard let (complete, _) = locate(path) else { return false }
    var available = arrived
    var usage = instance.plan.parentUsage
    while let current = usage {
      available.append(current)
      usage = current.parent
    }
    return FragmentCoverage.bringsMore(
      instance.plan.node, than: complete, value: object, usage: instance.plan.usage, available: available)
  }

  /// Returns the plan node for a path in the data, and the path lengths of the objects above it.
  func locate(_ path: ResponsePath) -> (node: PlanNode, levels: [Int])? {
    var node = root
    var value = data
    var levels: [Int] = []
    for (count, component) in path.components.enumerated() {
      switch component {
      case .key(let key):
        guard let child = node.fields(for: node.typename(of: value))[key]?.child, let member = value[key] else {
          return nil
        }
        levels.append(count)
        node = child
        value = member
      case .index(let index):
        guard let element = value[index] else { return nil }
        value = element
      }
    }
    return (node, levels)
  }
}
