import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Resolves the remaining fragments when a response ends.
extension DeferralTracker {
  /// The way in which a response ended.
  enum Ending {
    /// The last payload did not promise more.
    case complete
    /// The connection was closed normally, although more was promised.
    case early
    /// The connection was interrupted.
    case cut
  }

  /// Resolves the remaining fragments by the table "At the end" in `Docs/Development/PayloadsOfOneResponse.md`.
  mutating func settleRest(data: JSONValue, after ending: Ending) {
    self.data = data
    var hidden = gone
    var index = 0
    // Fulfilling a fragment may reveal inner fragments, which this loop then visits.
    while index < fragments.count {
      defer { index += 1 }
      guard fragments[index].state.isPending else { continue }
      if let settled = settlement(of: index, after: ending) {
        resolve(index, settled.state, settled.shortfall)
      } else {
        resolve(index, .notExecuted)
        if !coverage(of: index).isEnclosingShown { hidden.insert(index) }
      }
    }
    for index in streams.indices where streams[index].state.isPending {
      let isCut = ending == .cut
      let message = "the response was cut off before the list was complete"
      streams[index].state = isCut ? .failed([reason(message, streams[index].path)]) : .fulfilled
      streams[index].settledAfter = elapsed
      if isCut { streams[index].shortfall = .cut }
    }
    if !hidden.isEmpty { remove(hidden) }
  }

  /// Returns the final state of a pending fragment; `nil` if nothing shows that it covers its object.
  private mutating func settlement(of index: Int, after ending: Ending) -> Settlement? {
    let instance = instances[index]
    func failed(_ message: String) -> DeferredState { .failed([reason(message, instance.path)]) }
    if ending == .cut {
      return Settlement(state: failed("the response broke off before this part arrived"), shortfall: .cut)
    }
    let silence = Settlement(
      state: failed("the response ended without this part"), shortfall: ending == .complete ? .missing : .cut)
    if instance.isAnnounced { return silence }
    let ownErrors = errors.filter { $0.path == fragments[index].path }
    if !ownErrors.isEmpty { return Settlement(state: .failed(ownErrors)) }
    if ending == .complete { release(held.removeValue(forKey: index) ?? []) }
    let fieldErrors = errors.filter { concerns($0, index) }
    if !fieldErrors.isEmpty {
      for error in fieldErrors { releaseMissing(error) }
      return Settlement(state: .fulfilled, shortfall: .errors)
    }
    if isDelivered(instance, value: data.value(at: instance.path) ?? .null) { return Settlement(state: .fulfilled) }
    // Some of its fields came with another payload, so the server executed it; the others are missing.
    if ending == .complete, isBrought(index) { return Settlement(state: .fulfilled, shortfall: .missing) }
    return instance.isUncertain && !coverage(of: index).isShown ? nil : silence
  }

  /// Whether the data has a field that no other arrived fragment explains.
  private func isBrought(_ index: Int) -> Bool {
    let path = instances[index].path
    guard let object = data.value(at: path) else { return false }
    let arrived = fragments.indices.filter {
      fragments[$0].state == .fulfilled && path.starts(with: instances[$0].path)
    }
    return isInlined(
      instances[index], object: object, path: path, arrived: arrived.compactMap { instances[$0].plan.usage })
  }

  /// Whether an error is in a field that only this fragment, or others that did not arrive, select.
  func concerns(_ error: GraphQLError, _ index: Int) -> Bool {
    let instance = instances[index]
    guard let path = error.path, path.count > instance.path.count, path.starts(with: instance.path),
      var (whole, _) = locate(instance.path)
    else { return false }
    var (node, value, levels) = (instance.plan.node, data.value(at: instance.path), instance.levels)
    for (count, component) in path.components.enumerated().dropFirst(instance.path.count) {
      switch component {
      case .index(let index): value = value?[index]
      case .key(let key):
        if levels.last != count { levels.append(count) }
        let typename = value.flatMap { whole.typename(of: $0) }
        guard let field = node.fields(for: typename)[key], FragmentCoverage.isOwn(field, usage: instance.plan.usage),
          let same = whole.fields(for: typename)[key]
        else { return false }
        let place = Array(path.components.prefix(count))
        if !same.usages.isEmpty, !same.usages.contains(where: { isOpen($0, path: place, levels: levels) }) {
          return true
        }
        guard let child = field.child, let wholeChild = same.child else { return false }
        (node, whole, value) = (child, wholeChild, value?[key])
      }
    }
    return false
  }

  /// Whether the data shows that a fragment covers its object, and that its enclosing fragments do.
  func coverage(of index: Int) -> (isShown: Bool, isEnclosingShown: Bool) {
    let path = instances[index].path
    guard let (node, _) = locate(path), let object = data.value(at: path) else { return (false, false) }
    let fields = node.fields(of: object)
    guard let planned = fields.fragments.first(where: { $0.fragment.id == fragments[index].fragmentID }) else {
      return (false, false)
    }
    func isShown(_ conditions: [String]) -> Bool {
      conditions.isEmpty || FragmentCoverage.isShown(conditions, by: object, of: fields)
    }
    return (planned.application != .never && isShown(planned.conditions), isShown(planned.enclosingConditions))
  }

  /// Removes fragments from the list when the response has ended: inside fragments that do not cover their object, or in
  /// removed list elements.
  mutating func remove(_ hidden: Set<Int>) {
    let retained = fragments.indices.filter { !hidden.contains($0) }
    let numbers = Dictionary(uniqueKeysWithValues: retained.enumerated().map { ($0.element, $0.offset) })
    fragments = retained.map { fragments[$0] }
    instances = retained.map { instances[$0] }
    fulfilled = fulfilled.compactMap { numbers[$0] }
    held = Dictionary(held.compactMap { index, nulls in numbers[index].map { ($0, nulls) } }) { first, _ in first }
    indexes = Dictionary(grouping: instances.indices) { instances[$0].path }
    gone = []
    moved = nil
  }

  /// Whether the response ended without a fragment that it promised.
  var isShort: Bool { fragments.contains { $0.shortfall == .cut || $0.shortfall == .missing } }
}
