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

  /// Resolves the remaining fragments: fulfilled if their data is present, failed otherwise.
  mutating func settleRest(data: JSONValue, after ending: Ending) {
    self.data = data
    let isCut = ending == .cut
    var hidden: Set<Int> = []
    var index = 0
    // Fulfilling a fragment may reveal inner fragments, which this loop then visits.
    while index < fragments.count {
      defer { index += 1 }
      guard fragments[index].state.isPending else { continue }
      let instance = instances[index]
      let path = fragments[index].path
      if isDelivered(instance, value: data.value(at: path) ?? .null) {
        resolve(index, .fulfilled)
      } else if instance.isUncertain && !instance.isAnnounced && !isCut, !coverage(of: index).isShown {
        resolve(index, .notExecuted)
        if !coverage(of: index).isEnclosingShown { hidden.insert(index) }
      } else {
        let message =
          isCut ? "the response broke off before this part arrived" : "the response ended without this part"
        resolve(index, .failed([reason(message, path)]), ending == .complete ? .missing : .cut)
      }
    }
    for index in streams.indices where streams[index].state.isPending {
      let message = "the response was cut off before the list was complete"
      streams[index].state = isCut ? .failed([reason(message, streams[index].path)]) : .fulfilled
      streams[index].settledAfter = elapsed
      if isCut { streams[index].shortfall = .cut }
    }
    if !hidden.isEmpty { remove(hidden) }
  }

  /// Whether the data shows that a fragment covers its object, and that its enclosing fragments do.
  func coverage(of index: Int) -> (isShown: Bool, isEnclosingShown: Bool) {
    let path = fragments[index].path
    guard let (node, _) = locate(path), let object = data.value(at: path) else { return (false, false) }
    let fields = node.fields(of: object)
    guard let existing = fields.fragments.first(where: { $0.fragment.id == fragments[index].fragmentID }) else {
      return (false, false)
    }
    func isShown(_ conditions: [String]) -> Bool {
      conditions.isEmpty || FragmentCoverage.isShown(conditions, by: object, of: fields)
    }
    return (existing.application != .never && isShown(existing.conditions), isShown(existing.enclosingConditions))
  }

  /// Removes fragments inside fragments that do not cover their object.
  mutating func remove(_ hidden: Set<Int>) {
    let retained = fragments.indices.filter { !hidden.contains($0) }
    let numbers = Dictionary(uniqueKeysWithValues: retained.enumerated().map { ($0.element, $0.offset) })
    fragments = retained.map { fragments[$0] }
    instances = retained.map { instances[$0] }
    fulfilled = fulfilled.compactMap { numbers[$0] }
    indexes = Dictionary(grouping: fragments.indices) { fragments[$0].path }
  }

  /// Whether the response ended without a fragment that it promised.
  var isShort: Bool { fragments.contains { $0.shortfall == .cut || $0.shortfall == .missing } }
}
