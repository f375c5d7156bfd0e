import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Finding the locations of fragments and streams in the data received so far.
extension DeferralTracker {
  mutating func discover(_ node: PlanNode, value: JSONValue, path: [PathComponent], levels: [Int]) {
    guard node.hasIncremental else { return }
    switch value.kind {
    case .array:
      for (index, element) in value.elements.enumerated() {
        discover(node, value: element, path: path + [.index(index)], levels: levels)
      }
    case .object:
      let typename = node.typename(of: value)
      let fields = node.fields(for: typename)
      let levels = levels + [path.count]
      add(fields.fragments, typename: typename, object: value, path: path, levels: levels)
      for field in fields.fields {
        guard field.stream != nil || field.child?.hasIncremental == true else { continue }
        guard let member = value[field.responseKey] else { continue }
        let place = path + [.key(field.responseKey)]
        if field.stream != nil { addStream(field, value: member, path: place) }
        if let child = field.child { discover(child, value: member, path: place, levels: levels) }
      }
    case .null:
      discoverNothing(node, path: path, levels: levels)
    default:
      break
    }
  }

  mutating func discoverNothing(_ node: PlanNode, path: [PathComponent], levels: [Int]) {
    guard node.hasIncremental else { return }
    for (inner, fragment) in node.fragmentsOnNull(isOpen: { isOpen($0, path: path, levels: levels) }) {
      add(fragment, typename: nil, path: ResponsePath(path + inner), levels: levels, state: .notExecuted)
    }
  }

  mutating func add(
    _ found: [PlanFragment], typename: String?, object: JSONValue, path: [PathComponent], levels: [Int]
  ) {
    guard !found.isEmpty else { return }
    let place = ResponsePath(path)
    var delivered: [Int] = []
    var coming: [Int] = []
    for fragment in found where isOpen(fragment.parentUsage, path: path, levels: levels) {
      guard !isKnown(fragment, at: place) else { continue }
      if fragment.application == .never {
        add(fragment, typename: typename, path: place, levels: levels, state: .notExecuted)
        continue
      }
      let isDelivered = FragmentCoverage.covers(fragment.node, value: object, typename: typename, usage: fragment.usage)
      guard fragment.isDeferred else {
        let isThere = isDelivered || fragment.application == .covers
        add(fragment, typename: typename, path: place, levels: levels, state: isThere ? .fulfilled : .notExecuted)
        continue
      }
      let index = add(fragment, typename: typename, path: place, levels: levels, state: .pending)
      if isDelivered { delivered.append(index) } else { coming.append(index) }
    }
    claimAnnouncements(of: delivered, coming, object: object, path: path, levels: levels)
  }

  /// Assigns results and announcements to new fragments at one path. `delivered` have all their fields, `coming` lack
  /// some.
  private mutating func claimAnnouncements(
    of delivered: [Int], _ coming: [Int], object: JSONValue, path: [PathComponent], levels: [Int]
  ) {
    let place = ResponsePath(path)
    for index in coming { claim(index) }
    for index in indexes[place] ?? [] where fragments[index].state.isPending {
      let inner = InnerFragment(path: place, fragmentID: fragments[index].fragmentID)
      guard
        let settled = earlyInner.removeValue(forKey: inner)
          ?? early.removeValue(forKey: Location(path: place, label: fragments[index].label))
      else { continue }
      resolve(index, settled.state, settled.shortfall)
    }
    // An announced fragment is pending even if its data is present. A fragment without own fields brings no data.
    for index in delivered where fragments[index].state.isPending && hasOwnFields(instances[index]) { claim(index) }
    // An announcement whose label fits no fragment belongs to one whose data is missing, if there is one.
    if !sendsLabels {
      for index in coming where isUnannounced(index) && !instances[index].isUncertain { claimUnlabelled(index) }
    }
    for index in delivered where fragments[index].state.isPending {
      if !instances[index].isAnnounced, hasOwnFields(instances[index]) { claimUnlabelled(index) }
      let isAnnounced = instances[index].isAnnounced
      if isAnnounced || (continuation != .none && !hasAnnouncements) {
        let nulls = nullsInPlace(of: instances[index].plan, in: object, path: path, levels: levels)
        placeholders += nulls
        held[index] = nulls.isEmpty ? nil : nulls.map { HeldNull(at: $0, in: data) }
        if !nulls.isEmpty { continue }
      }
      guard !isAnnounced, hasAnnouncements || isInlined(instances[index], object: object, path: place) else { continue }
      resolve(index, .fulfilled, errors.contains { concerns($0, index) } ? .errors : nil)
    }
    // An announcement without a label belongs to a fragment without one, perhaps inside one of those above. It can
    // belong to a labeled fragment only if the server sends no labels.
    guard !sendsLabels else { return }
    for index in coming where isUnannounced(index) { claimUnlabelled(index) }
  }

  func isUnannounced(_ index: Int) -> Bool {
    fragments[index].state.isPending && !instances[index].isAnnounced
  }

  @discardableResult
  mutating func add(
    _ fragment: PlanFragment, typename: String?, path: ResponsePath, levels: [Int], state: DeferredState
  ) -> Int {
    if let index = indexes[path]?.first(where: { fragments[$0].fragmentID == fragment.fragment.id }) {
      return index
    }
    let index = fragments.count
    let outer = fragment.parentUsage.flatMap { instance(of: $0, path: path.components, levels: levels) }
    let isUncertain =
      fragment.application == .mayCover
      || outer.map { instances[$0].isUncertain && !instances[$0].isConfirmed && !instances[$0].isAnnounced } ?? false
    let origin = outer.map { instances[$0].origin.appending(path.below(instances[$0].path)) } ?? path
    instances.append(
      Instance(
        plan: fragment, typename: typename, path: path, origin: origin, levels: levels, isUncertain: isUncertain))
    fragments.append(
      DeferredFragment(
        fragment.fragment, objectPath: path, state: state, announcedAfter: elapsed,
        settledAfter: state.isPending ? nil : elapsed))
    indexes[path, default: []].append(index)
    moved?.origins[origin, default: []].append(index)
    moved?.fragments.insert(index, at: path)
    if state == .fulfilled { fulfilled.append(index) }
    return index
  }

  mutating func addStream(_ field: PlanField, value: JSONValue, path: [PathComponent]) {
    let path = ResponsePath(path)
    guard value.kind == .array, streamIndexes[path] == nil else { return }
    moved?.streams.insert(streams.count, at: path)
    streamIndexes[path] = streams.count
    streams.append(StreamedList(label: field.stream?.label, path: path, state: .pending, announcedAfter: elapsed))
    streamFields.append(field)
    let places = [Location(path: path, label: field.stream?.label), Location(path: path, label: nil)]
    if hasAnnouncements, !places.contains(where: { claim($0) }) {
      settleStream(path: path, errors: nil)
    }
  }

  mutating func resolve(_ index: Int, _ state: DeferredState, _ shortfall: IncompleteReason? = nil) {
    guard fragments[index].state.isPending else { return }
    fragments[index] = fragments[index].withState(state, after: elapsed, shortfall)
    let nulls = held.removeValue(forKey: index) ?? []
    guard state == .fulfilled else { return }
    fulfilled.append(index)
    release(nulls)
    let instance = instances[index]
    guard let value = data.value(at: instance.path) else { return }
    discover(
      instance.plan.node, value: value, path: instance.path.components, levels: Array(instance.levels.dropLast()))
  }

  /// Lists a field that the server deferred although no directive allows it.
  mutating func list(field path: ResponsePath, label: String?, _ settled: Settlement) {
    let field = DeferredFragment(
      fragmentID: -1, label: label, path: path, typeCondition: nil, name: nil, state: settled.state,
      announcedAfter: elapsed, settledAfter: elapsed, shortfall: settled.shortfall)
    if let index = fields.firstIndex(where: { $0.path == path }) { fields[index] = field } else { fields.append(field) }
  }
}
