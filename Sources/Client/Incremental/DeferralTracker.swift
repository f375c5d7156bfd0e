import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Knows each place where the operation defers a fragment or streams a list, and what became of it.
///
/// Places are found by walking the data that arrived along the operation's plan: a fragment inside a list of 50 has
/// 50 instances. A fragment inside a deferred one becomes known when the outer one is fulfilled.
struct DeferralTracker: Sendable {
  private struct Instance: Sendable {
    let plan: PlanFragment
    let typename: String?
    /// The lengths of the paths of the objects from the root down to this one.
    let levels: [Int]
    /// Whether nobody knows if the fragment, or one that it stands in, covers the object.
    let isUncertain: Bool
    var isAnnounced = false
    /// Whether the server said something about it.
    var isConfirmed = false
  }

  private struct Place: Hashable, Sendable {
    let path: ResponsePath
    let label: String?
  }

  private(set) var fragments: [DeferredFragment] = []
  /// Those that the payload at hand has fulfilled, by their index.
  private(set) var fulfilled: [Int] = []
  private(set) var streams: [DeferredStream] = []

  private let root: PlanNode
  /// The time of the payload at hand.
  private var elapsed = Duration.zero
  private var instances: [Instance] = []
  private var indexes: [ResponsePath: [Int]] = [:]
  private var streamIndexes: [ResponsePath: Int] = [:]
  /// Announcements whose fragment is not known yet.
  private var unclaimed: [Place: Int] = [:]
  /// What arrived for fragments that are not known yet: a server may send an inner one before its outer one.
  private var early: [Place: (state: DeferredState, shortfall: DeliveryShortfall?)] = [:]
  private var hasAnnouncements = false
  /// Whether the server announces with labels.
  private var tellsLabels = false
  private var data = JSONValue.null
  private var continuation = Continuation.none
  /// The place and the data of the entry at hand, or of the first payload.
  private(set) var entry: (path: ResponsePath, value: JSONValue)?
  /// Nulls of the payload at hand in place of fields that are still to come.
  private var placeholders: [ResponsePath] = []
  /// The fields of the streams, in their order.
  private var streamFields: [PlanField] = []

  init(plan: SelectionPlan) {
    root = plan.root
  }

  // MARK: - What the payloads say

  /// Whether more follows the payload at hand.
  enum Continuation { case none, possible, promised }

  /// The next payload begins.
  mutating func begin(at elapsed: Duration, continuation: Continuation = .none) {
    self.elapsed = elapsed
    self.continuation = continuation
    fulfilled = []
  }

  mutating func announce(path: ResponsePath, label: String?) {
    hasAnnouncements = true
    if label != nil { tellsLabels = true }
    if let index = pending(at: path, label: label).first(where: { !instances[$0].isAnnounced }) {
      instances[index].isAnnounced = true
    } else {
      unclaimed[Place(path: path, label: label), default: 0] += 1
    }
  }

  /// The first result: finds everything in it.
  mutating func discoverAll(in data: JSONValue) {
    self.data = data
    entry = (.root, data)
    defer { entry = nil }
    discover(root, value: data, path: [], levels: [])
  }

  /// New items of a list.
  mutating func discoverItems(of path: ResponsePath, indexes: Range<Int>, data: JSONValue) {
    self.data = data
    guard let (node, levels) = locate(path), node.hasIncremental, let list = data.value(at: path) else { return }
    for index in indexes {
      guard let value = list[index] else { continue }
      discover(node, value: value, path: path.components + [.index(index)], levels: levels)
    }
  }

  /// The 2022 format: a fragment's item arrived; JSON null says that it failed. A piece of it settles the fragment once all
  /// of it is there.
  mutating func arrive(
    path: ResponsePath, label: String?, item: JSONValue, errors: [GraphQLError], isPiece: Bool = false, data: JSONValue
  ) {
    self.data = data
    if isPiece, !item.isNull {
      let value = data.value(at: path) ?? .null
      if let index = pending(at: path, label: label).first(where: { isDelivered(instances[$0], value: value) }) {
        settle(index, .fulfilled, errors.isEmpty ? nil : .errors)
      }
      return
    }
    let failure = DeferredState.failed(
      errors.isEmpty ? [reason("the server sent null for this fragment", path)] : errors)
    let settled: (state: DeferredState, shortfall: DeliveryShortfall?) =
      item.isNull ? (failure, errors.isEmpty ? .null : nil) : (.fulfilled, errors.isEmpty ? nil : .errors)
    guard let index = match(path: path, label: label, item: item, errors: errors) else {
      early[Place(path: path, label: label)] = settled
      if item.isNull { return }
      // Not a fragment that is known here; what it brought may hold some.
      if let (node, levels) = locate(path), let value = data.value(at: path) {
        discover(node, value: value, path: path.components, levels: levels)
      }
      return
    }
    instances[index].isConfirmed = true
    entry = (path, item)
    defer { entry = nil }
    settle(index, settled.state, settled.shortfall)
  }

  /// Format B: an announced part is completed; with errors it failed, and so did one that nothing came of.
  ///
  /// - Parameters:
  ///   - fieldErrors: What its fields came with.
  ///   - hasData: Whether some of them came as its own; what fragments share may be sent once for all.
  mutating func complete(
    path: ResponsePath, label: String?, errors: [GraphQLError]?, fieldErrors: [GraphQLError], hasData: Bool,
    data: JSONValue
  ) {
    self.data = data
    if streamIndexes[path] != nil, data.value(at: path)?.kind == .array {
      settleStream(path: path, errors: errors)
      return
    }
    let shortfall: DeliveryShortfall? = fieldErrors.isEmpty ? nil : .errors
    let value = data.value(at: path) ?? .null
    let open = pending(at: path, label: label)
    let candidates = open.filter { instances[$0].isAnnounced }
    let complete = candidates.first { isDelivered(instances[$0], value: value) }
    if let errors {
      let failed = candidates.first { $0 != complete && !isDelivered(instances[$0], value: value) } ?? candidates.first
      if let failed {
        settle(failed, .failed(errors))
      } else {
        early[Place(path: path, label: label)] = (.failed(errors), nil)
      }
    } else if let index = complete {
      settle(index, .fulfilled, shortfall)
    } else if let other = open.first(where: { isDelivered(instances[$0], value: value) }) {
      // Without labels and types an announcement may have been taken for another fragment's: the data tells.
      if let index = candidates.first { instances[index].isAnnounced = false }
      settle(other, .fulfilled, shortfall)
    } else if let index = candidates.first, hasData {
      settle(index, .fulfilled, shortfall)
    } else if fieldErrors.isEmpty, claim(Place(path: path, label: label)) {
      // One of several announcements of one fragment, which the operation spreads more than once.
    } else if fieldErrors.isEmpty, open.count > 1, let index = candidates.first(where: { instances[$0].isUncertain }) {
      // The announcement may have been another's; nobody knows whether this one covers the object.
      settle(index, .notExecuted)
    } else if let index = candidates.first {
      let missing = reason("the server completed this fragment without sending it", path)
      settle(index, .failed(fieldErrors.isEmpty ? [missing] : fieldErrors), fieldErrors.isEmpty ? .null : nil)
    } else if unclaimed[Place(path: path, label: label)] != nil {
      early[Place(path: path, label: label)] = (.fulfilled, shortfall)
    }
  }

  /// Ends a stream; with errors, or where the server sent null, it failed.
  mutating func settleStream(path: ResponsePath, errors: [GraphQLError]?) {
    guard let index = streamIndexes[path], streams[index].state.isPending else { return }
    streams[index].state = errors.map { .failed($0) } ?? .fulfilled
    streams[index].settledAfter = elapsed
    if errors?.isEmpty == true { streams[index].shortfall = .null }
  }

  /// Whether a list that is streamed stands at a path.
  func isStream(_ path: ResponsePath) -> Bool { streamIndexes[path] != nil }

  /// Whether null may be an item of the list that is streamed at a path.
  func takesNull(inStream path: ResponsePath) -> Bool {
    streamIndexes[path].map { !streamFields[$0].shape.isNonNull(level: 1) } ?? false
  }

  /// Whether a fragment or a stream is still to come.
  var hasPending: Bool { fragments.contains { $0.state.isPending } || streams.contains { $0.state.isPending } }

  /// Whether a fragment that covers its object is still to come, and its data is not there.
  var lacksFragments: Bool {
    fragments.indices.contains { index in
      fragments[index].state.isPending && !instances[index].isUncertain
        && !isDelivered(instances[index], value: data.value(at: fragments[index].path) ?? .null)
    }
  }

  /// The nulls in place of fields that are still to come, which the data is to be without.
  mutating func takePlaceholders() -> [ResponsePath] {
    defer { placeholders = [] }
    return placeholders
  }

  /// Items of a stream came with errors.
  mutating func noteErrors(ofStream path: ResponsePath) {
    if let index = streamIndexes[path] { streams[index].shortfall = .errors }
  }

  /// How a response ended.
  enum Ending {
    /// Its last payload promised nothing more.
    case whole
    /// In good order, with more promised.
    case early
    /// The connection broke off.
    case cut
  }

  /// Nothing more comes: a fragment whose data is there is fulfilled, one whose data never came is failed.
  mutating func settleRest(data: JSONValue, after ending: Ending) {
    self.data = data
    let isCut = ending == .cut
    var hidden: Set<Int> = []
    var index = 0
    // Fulfilling one may make more known, which are met later in this loop.
    while index < fragments.count {
      defer { index += 1 }
      guard fragments[index].state.isPending else { continue }
      let instance = instances[index]
      let path = fragments[index].path
      if isDelivered(instance, value: data.value(at: path) ?? .null) {
        settle(index, .fulfilled)
      } else if instance.isUncertain && !instance.isAnnounced && !isCut, !coverage(of: index).isShown {
        settle(index, .notExecuted)
        if !coverage(of: index).isEnclosingShown { hidden.insert(index) }
      } else {
        let message =
          isCut ? "the response broke off before this part arrived" : "the response ended without this part"
        settle(index, .failed([reason(message, path)]), ending == .whole ? .missing : .cut)
      }
    }
    for index in streams.indices where streams[index].state.isPending {
      let message = "the response broke off before the list was whole"
      streams[index].state = isCut ? .failed([reason(message, streams[index].path)]) : .fulfilled
      streams[index].settledAfter = elapsed
      if isCut { streams[index].shortfall = .cut }
    }
    if !hidden.isEmpty { remove(hidden) }
  }

  /// Whether the object shows that a fragment covers it, and that the fragments around it do.
  private func coverage(of index: Int) -> (isShown: Bool, isEnclosingShown: Bool) {
    let path = fragments[index].path
    guard let (node, _) = locate(path), let object = data.value(at: path) else { return (false, false) }
    let fields = node.fields(of: object)
    guard let known = fields.fragments.first(where: { $0.fragment.id == fragments[index].fragmentID }) else {
      return (false, false)
    }
    func isShown(_ conditions: [String]) -> Bool {
      conditions.isEmpty || FragmentCoverage.isShown(conditions, by: object, of: fields)
    }
    return (known.application != .never && isShown(known.conditions), isShown(known.enclosingConditions))
  }

  /// Removes fragments inside others that do not cover their object.
  private mutating func remove(_ hidden: Set<Int>) {
    let kept = fragments.indices.filter { !hidden.contains($0) }
    let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($0.element, $0.offset) })
    fragments = kept.map { fragments[$0] }
    instances = kept.map { instances[$0] }
    fulfilled = fulfilled.compactMap { numbers[$0] }
    indexes = Dictionary(grouping: fragments.indices) { fragments[$0].path }
  }

  /// Whether the response ended without something that was to come.
  var isShort: Bool { fragments.contains { $0.shortfall == .cut || $0.shortfall == .missing } }

  private func reason(_ message: String, _ path: ResponsePath) -> GraphQLError {
    GraphQLError(message: message, path: path)
  }

  // MARK: - Finding places

  private mutating func discover(_ node: PlanNode, value: JSONValue, path: [PathComponent], levels: [Int]) {
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

  private mutating func discoverNothing(_ node: PlanNode, path: [PathComponent], levels: [Int]) {
    guard node.hasIncremental else { return }
    for (inner, fragment) in node.fragmentsOnNull(isOpen: { isOpen($0, path: path, levels: levels) }) {
      add(fragment, typename: nil, path: ResponsePath(path + inner), levels: levels, state: .notExecuted)
    }
  }

  private mutating func add(
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
    for index in coming { claim(index) }
    for index in indexes[place] ?? [] where fragments[index].state.isPending {
      guard let state = early.removeValue(forKey: Place(path: place, label: fragments[index].label)) else { continue }
      settle(index, state.state, state.shortfall)
    }
    for index in delivered where fragments[index].state.isPending {
      // An announcement says that the fragment is still to come, whatever is there already; but of a fragment with no
      // fields of its own nothing comes.
      let isAnnounced = hasOwnFields(instances[index]) && (claim(index) || claimUnlabelled(index))
      if isAnnounced || (continuation != .none && !hasAnnouncements) {
        let nulls = nullsInPlace(of: instances[index].plan, in: object, path: path, levels: levels)
        if isAnnounced || continuation == .promised { placeholders += nulls }
        if !nulls.isEmpty { continue }
      }
      if isAnnounced { continue }
      if hasAnnouncements || isInlined(instances[index], object: object, path: place) { settle(index, .fulfilled) }
    }
    // An announcement without a label is for a fragment without one, which may stand in one of those above; only a server that
    // tells no labels means another.
    guard !tellsLabels else { return }
    for index in coming where isUnannounced(index) && !instances[index].isUncertain { claimUnlabelled(index) }
    for index in coming where isUnannounced(index) { claimUnlabelled(index) }
  }

  private func isUnannounced(_ index: Int) -> Bool {
    fragments[index].state.isPending && !instances[index].isAnnounced
  }

  @discardableResult
  private mutating func add(
    _ fragment: PlanFragment, typename: String?, path: ResponsePath, levels: [Int], state: DeferredState
  ) -> Int {
    if let known = indexes[path]?.first(where: { fragments[$0].fragmentID == fragment.fragment.id }) { return known }
    let index = fragments.count
    let outer = fragment.parentUsage.flatMap { instance(of: $0, path: path.components, levels: levels) }
    let isUncertain =
      fragment.application == .mayCover
      || outer.map { instances[$0].isUncertain && !instances[$0].isConfirmed && !instances[$0].isAnnounced } ?? false
    instances.append(Instance(plan: fragment, typename: typename, levels: levels, isUncertain: isUncertain))
    fragments.append(
      DeferredFragment(
        fragmentID: fragment.fragment.id, label: fragment.fragment.deferral?.label, path: path,
        typeCondition: fragment.fragment.typeCondition, name: fragment.fragment.name, state: state,
        settledAfter: state.isPending ? nil : elapsed))
    indexes[path, default: []].append(index)
    if state == .fulfilled { fulfilled.append(index) }
    return index
  }

  private mutating func addStream(_ field: PlanField, value: JSONValue, path: [PathComponent]) {
    let path = ResponsePath(path)
    guard value.kind == .array, streamIndexes[path] == nil else { return }
    streamIndexes[path] = streams.count
    streams.append(DeferredStream(label: field.stream?.label, path: path, state: .pending, settledAfter: nil))
    streamFields.append(field)
    let places = [Place(path: path, label: field.stream?.label), Place(path: path, label: nil)]
    if hasAnnouncements, !places.contains(where: { claim($0) }) {
      settleStream(path: path, errors: nil)
    }
  }

  private mutating func settle(_ index: Int, _ state: DeferredState, _ shortfall: DeliveryShortfall? = nil) {
    guard fragments[index].state.isPending else { return }
    fragments[index] = fragments[index].settled(state, after: elapsed, shortfall)
    if state == .fulfilled { fulfilled.append(index) }
    guard state == .fulfilled, let value = data.value(at: fragments[index].path) else { return }
    let instance = instances[index]
    discover(
      instance.plan.node, value: value, path: fragments[index].path.components,
      levels: Array(instance.levels.dropLast()))
  }

  // MARK: - Questions

  private func isKnown(_ fragment: PlanFragment, at path: ResponsePath) -> Bool {
    indexes[path]?.contains { fragments[$0].fragmentID == fragment.fragment.id } == true
  }

  /// Whether the fragment that something stands in has arrived.
  func isOpen(_ usage: DeferUsage?, path: [PathComponent], levels: [Int]) -> Bool {
    guard let usage else { return true }
    return instance(of: usage, path: path, levels: levels).map { fragments[$0].state == .fulfilled } ?? false
  }

  /// The instance of a deferral on an object or on one above it.
  private func instance(of usage: DeferUsage, path: [PathComponent], levels: [Int]) -> Int? {
    guard usage.depth < levels.count else { return nil }
    let place = ResponsePath(Array(path.prefix(levels[usage.depth])))
    return indexes[place]?.first { fragments[$0].fragmentID == usage.fragment.id }
  }

  /// The fragments at a path that are still to come: those with the label; without one the unlabelled ones, or any where the
  /// server tells no labels.
  private func pending(at path: ResponsePath, label: String?) -> [Int] {
    let all = (indexes[path] ?? []).filter { fragments[$0].state.isPending }
    let matching = all.filter { fragments[$0].label == label }
    return matching.isEmpty && label == nil && !tellsLabels ? all : matching
  }

  @discardableResult
  private mutating func claim(_ index: Int) -> Bool {
    take(Place(path: fragments[index].path, label: fragments[index].label), for: index)
  }

  /// The same where the server tells no labels.
  @discardableResult
  private mutating func claimUnlabelled(_ index: Int) -> Bool {
    take(Place(path: fragments[index].path, label: nil), for: index)
  }

  private mutating func take(_ place: Place, for index: Int) -> Bool {
    guard claim(place) else { return false }
    instances[index].isAnnounced = true
    return true
  }

  private mutating func claim(_ place: Place) -> Bool {
    guard let count = unclaimed[place] else { return false }
    unclaimed[place] = count == 1 ? nil : count - 1
    return true
  }

  /// Format A: which fragment an item is for. Several without a label at one path are told apart by their fields.
  private func match(path: ResponsePath, label: String?, item: JSONValue, errors: [GraphQLError]) -> Int? {
    let candidates = pending(at: path, label: label)
    guard candidates.count > 1 else { return candidates.first }
    var best: (index: Int, score: (Int, Int))?
    let failedKeys: [String] = errors.compactMap { error in
      guard let components = error.path?.components, components.count > path.components.count else { return nil }
      guard case .key(let key) = components[path.components.count] else { return nil }
      return key
    }
    let keys = item.isNull ? failedKeys : item.members.map { $0.key }
    for index in candidates {
      let instance = instances[index]
      let own = instance.plan.node.fields(for: instance.typename)
      let expected = own.fields.filter { FragmentCoverage.isOwn($0, usage: instance.plan.usage) }
      let missing = item.isNull ? 0 : expected.filter { item[$0.responseKey] == nil }.count
      let score = (-missing, keys.filter { own[$0] != nil }.count)
      if best.map({ score > $0.score }) ?? true { best = (index, score) }
    }
    return best?.index
  }

  private func isDelivered(_ instance: Instance, value: JSONValue) -> Bool {
    value.kind == .object
      && FragmentCoverage.covers(
        instance.plan.node, value: value, typename: instance.typename, usage: instance.plan.usage)
  }

  private func hasOwnFields(_ instance: Instance) -> Bool {
    instance.plan.node.fields(for: instance.typename).fields.contains {
      FragmentCoverage.isOwn($0, usage: instance.plan.usage)
    }
  }

  /// Whether what is there of a fragment shows that the server did not defer it: a field that nothing else brings.
  private func isInlined(_ instance: Instance, object: JSONValue, path: ResponsePath) -> Bool {
    guard let (whole, _) = locate(path) else { return false }
    var available: [DeferUsage] = []
    var usage = instance.plan.parentUsage
    while let current = usage {
      available.append(current)
      usage = current.parent
    }
    return FragmentCoverage.bringsMore(
      instance.plan.node, than: whole, value: object, usage: instance.plan.usage, available: available)
  }

  /// The plan's node for a place of the data, and the lengths of the paths of the objects above it.
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
