import ApusJSON

/// A `@defer` at one place of the response.
final class DeferredFragment {
  enum State { case waiting, announced, settled }

  let path: ResponsePath
  let label: String?
  let parent: DeferredFragment?
  var state = State.waiting
  var delivery: Delivery?
  /// What can be announced once this fragment is delivered.
  var children: [DeferredFragment] = []
  var childStreams: [StreamedList] = []
  var groups: [DeferredGroup] = []
  /// Why it cannot be delivered.
  var failure: [ExecutionError] = []

  init(path: ResponsePath, label: String?, parent: DeferredFragment?) {
    self.path = path
    self.label = label
    self.parent = parent
  }

  /// Lets go of what refers back to it, so that both can be freed.
  func letGo() {
    groups = []
    children = []
    childStreams = []
  }
}

/// Fields at one place that the same deferred fragments wait for.
final class DeferredGroup {
  enum State { case waiting, started, finished(JSONValue, [ExecutionError]), delivered, failed }

  let path: [PathComponent]
  let selection: SelectionSetPlan
  let source: any Sendable
  let map: FragmentMap
  let fragments: [DeferredFragment]
  /// Its execution, where that was begun before it was announced.
  private var earlyUnit: ExecutionUnit?
  var state = State.waiting

  init(
    path: [PathComponent], selection: SelectionSetPlan, source: any Sendable, map: FragmentMap,
    fragments: [DeferredFragment], earlyUnit: ExecutionUnit?
  ) {
    self.path = path
    self.selection = selection
    self.source = source
    self.map = map
    self.fragments = fragments
    self.earlyUnit = earlyUnit
  }

  /// The execution that was begun early, once: from then on that one knows the group.
  func takeEarlyUnit() -> ExecutionUnit? {
    defer { earlyUnit = nil }
    return earlyUnit
  }

  var isDelivered: Bool {
    if case .delivered = state { true } else { false }
  }

  var isOpen: Bool {
    switch state {
    case .waiting, .started: true
    case .finished, .delivered, .failed: false
    }
  }
}

/// The rest of a list under `@stream`.
final class StreamedList {
  let path: [PathComponent]
  let start: StreamStart
  let map: FragmentMap
  var delivery: Delivery?
  /// Results by index that wait for those before them.
  var ready: [Int: ResultCollector] = [:]
  var nextIndex: Int
  /// Known once the list has ended.
  var endIndex: Int?
  /// What pulling the next item threw.
  var failure: ExecutionError?
  var isSettled = false

  init(path: [PathComponent], start: StreamStart, map: FragmentMap) {
    self.path = path
    self.start = start
    self.map = map
    nextIndex = start.firstIndex
  }
}

/// Knows what has been announced, what waits for what, and what can be sent now (the draft's incremental publisher).
///
/// 1. `add` takes what a finished result leaves for later.
/// 2. A fragment is announced when its parent is delivered; its groups are then handed out to be executed.
/// 3. It is delivered when all its groups are finished, and settled without them when one failed.
/// 4. Fragments, groups and lists refer to one another; what is settled lets go at once, the rest in `dismantle`.
struct DeliveryGraph {
  private(set) var events: [IncrementalEvent] = []
  /// Announced groups and lists whose execution can begin.
  private(set) var groupsToStart: [DeferredGroup] = []
  private(set) var streamsToStart: [StreamedList] = []
  /// Lists with items that may be ready.
  private var advancedStreams: [StreamedList] = []
  /// What has not been settled.
  private var openFragments: [ObjectIdentifier: DeferredFragment] = [:]
  private var openStreams: [ObjectIdentifier: StreamedList] = [:]
  private var announced = 0
  private var settled = 0

  var hasNext: Bool { settled < announced }

  /// Items that became ready together are one event.
  mutating func takeEvents() -> [IncrementalEvent] {
    while let stream = advancedStreams.popLast() { advance(stream) }
    defer { events = [] }
    return events
  }

  mutating func takeStarts() -> (groups: [DeferredGroup], streams: [StreamedList]) {
    defer { (groupsToStart, streamsToStart) = ([], []) }
    return (groupsToStart, streamsToStart)
  }

  /// Nothing more will be sent: what was never settled is let go of.
  mutating func dismantle() {
    for fragment in openFragments.values { fragment.letGo() }
    for stream in openStreams.values { stream.ready = [:] }
    self = DeliveryGraph()
  }

  // MARK: What comes in

  /// What the initial result or a streamed item leaves for later.
  mutating func add(_ result: ResultCollector) {
    attach(result)
    for fragment in result.fragments where fragment.parent == nil { announce(fragment) }
    for fragment in result.fragments where fragment.parent?.state == .settled { announce(fragment) }
    for stream in result.streams { announce(stream) }
  }

  mutating func finish(_ group: DeferredGroup, with result: ResultCollector) {
    guard let value = result.value else {
      group.state = .failed
      for fragment in group.fragments where fragment.state != .settled {
        fragment.failure += result.errors
        if fragment.state == .announced { settle(fragment) }
      }
      return
    }
    group.state = .finished(value, result.errors)
    attach(result)
    for fragment in result.fragments where fragment.parent == nil { announce(fragment) }
    if let owner = group.fragments.first { owner.childStreams += result.streams }
    for fragment in group.fragments { deliverIfComplete(fragment) }
  }

  /// Items leave in the order of the list.
  mutating func finishItem(_ index: Int, of stream: StreamedList, with result: ResultCollector) {
    stream.ready[index] = result
    noteAdvance(of: stream)
  }

  /// The list has ended here, or pulling its next item failed.
  mutating func end(_ stream: StreamedList, at index: Int, failure: ExecutionError? = nil) {
    stream.endIndex = index
    stream.failure = failure
    noteAdvance(of: stream)
  }

  private mutating func noteAdvance(of stream: StreamedList) {
    if !advancedStreams.contains(where: { $0 === stream }) { advancedStreams.append(stream) }
  }

  private mutating func advance(_ stream: StreamedList) {
    guard let delivery = stream.delivery, !stream.isSettled else { return }
    let firstIndex = stream.nextIndex
    var items: [JSONValue] = []
    var errors: [ExecutionError] = []
    var delivered: [ResultCollector] = []
    var fatal: [ExecutionError] = []
    while let result = stream.ready.removeValue(forKey: stream.nextIndex) {
      guard let value = result.value else {
        fatal = result.errors
        break
      }
      items.append(value)
      errors += result.errors
      delivered.append(result)
      stream.nextIndex += 1
    }
    if !items.isEmpty { events.append(.items(delivery, firstIndex: firstIndex, items: items, errors: errors)) }
    for result in delivered { add(result) }
    if fatal.isEmpty {
      guard stream.nextIndex == stream.endIndex else { return }
      if let failure = stream.failure { fatal = [failure] }
    }
    stream.isSettled = true
    stream.ready = [:]
    openStreams[ObjectIdentifier(stream)] = nil
    settled += 1
    events.append(.completed(delivery, errors: fatal))
  }

  // MARK: What follows

  private mutating func attach(_ result: ResultCollector) {
    for fragment in result.fragments {
      openFragments[ObjectIdentifier(fragment)] = fragment
      if let parent = fragment.parent, parent.state != .settled { parent.children.append(fragment) }
    }
    for group in result.groups {
      for fragment in group.fragments where fragment.state != .settled { fragment.groups.append(group) }
    }
  }

  private mutating func announce(_ fragment: DeferredFragment) {
    guard fragment.state == .waiting else { return }
    if fragment.failure.isEmpty, fragment.groups.allSatisfy(\.isDelivered) {
      // Nothing of its own, or nothing that others have not delivered: what is inside takes its place.
      fragment.state = .settled
      releaseChildren(of: fragment)
      forget(fragment)
      return
    }
    let delivery = Delivery(id: announced, kind: .fragment, path: fragment.path, label: fragment.label)
    announced += 1
    fragment.state = .announced
    fragment.delivery = delivery
    events.append(.pending(delivery))
    for group in fragment.groups {
      if case .waiting = group.state {
        group.state = .started
        groupsToStart.append(group)
      }
    }
    if fragment.failure.isEmpty { deliverIfComplete(fragment) } else { settle(fragment) }
  }

  private mutating func announce(_ stream: StreamedList) {
    let delivery = Delivery(
      id: announced, kind: .stream, path: ResponsePath(stream.path), label: stream.start.field.stream?.label)
    announced += 1
    stream.delivery = delivery
    openStreams[ObjectIdentifier(stream)] = stream
    events.append(.pending(delivery))
    streamsToStart.append(stream)
  }

  private mutating func deliverIfComplete(_ fragment: DeferredFragment) {
    guard fragment.state == .announced, !fragment.groups.contains(where: \.isOpen) else {
      // A group that was found late belongs to a fragment that is announced already.
      startWaitingGroups(of: fragment)
      return
    }
    for group in fragment.groups {
      guard case .finished(let data, let errors) = group.state else { continue }
      group.state = .delivered
      // Filed under the announced fragment with the longest path: the least is left to say.
      let candidates = group.fragments.filter { $0.state == .announced }
      let best = candidates.max { $0.path.components.count < $1.path.components.count } ?? fragment
      guard let delivery = best.delivery else { continue }
      events.append(.object(delivery, path: ResponsePath(group.path), data: data, errors: errors))
    }
    settle(fragment)
  }

  private mutating func startWaitingGroups(of fragment: DeferredFragment) {
    guard fragment.state == .announced else { return }
    for group in fragment.groups {
      if case .waiting = group.state {
        group.state = .started
        groupsToStart.append(group)
      }
    }
  }

  /// Its end is told; what is inside can follow if it was delivered.
  private mutating func settle(_ fragment: DeferredFragment) {
    guard let delivery = fragment.delivery else { return }
    fragment.state = .settled
    settled += 1
    events.append(.completed(delivery, errors: fragment.failure))
    if fragment.failure.isEmpty { releaseChildren(of: fragment) }
    forget(fragment)
  }

  private mutating func releaseChildren(of fragment: DeferredFragment) {
    for child in fragment.children { announce(child) }
    for stream in fragment.childStreams { announce(stream) }
  }

  private mutating func forget(_ fragment: DeferredFragment) {
    openFragments[ObjectIdentifier(fragment)] = nil
    fragment.letGo()
  }
}
