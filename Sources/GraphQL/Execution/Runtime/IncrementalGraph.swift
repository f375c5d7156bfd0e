import ApusJSON

/// A `@defer` at one response path.
final class DeferredFragmentRecord {
  enum State { case waiting, announced, settled }

  let path: ResponsePath
  let label: String?
  let parent: DeferredFragmentRecord?
  var state = State.waiting
  var delivery: PendingResult?
  /// The fragments that can be announced once this one is delivered.
  var children: [DeferredFragmentRecord] = []
  var childStreams: [StreamRecord] = []
  var groups: [PendingExecutionGroup] = []
  /// The errors because of which it cannot be delivered.
  var failure: [ExecutionError] = []

  init(path: ResponsePath, label: String?, parent: DeferredFragmentRecord?) {
    self.path = path
    self.label = label
    self.parent = parent
  }

  /// Breaks reference cycles so that the objects can be freed.
  func release() {
    groups = []
    children = []
    childStreams = []
  }
}

/// Fields of an object that belong to the same deferred fragments.
final class PendingExecutionGroup {
  enum State { case waiting, started, finished(JSONValue, [ExecutionError]), delivered, failed }

  let path: [PathComponent]
  let selection: SelectionSetPlan
  let source: any Sendable
  let map: FragmentMap
  let fragments: [DeferredFragmentRecord]
  /// The execution that started before the group was announced, if any.
  private var earlyUnit: ExecutionUnit?
  var state = State.waiting

  init(
    path: [PathComponent], selection: SelectionSetPlan, source: any Sendable, map: FragmentMap,
    fragments: [DeferredFragmentRecord], earlyUnit: ExecutionUnit?
  ) {
    self.path = path
    self.selection = selection
    self.source = source
    self.map = map
    self.fragments = fragments
    self.earlyUnit = earlyUnit
  }

  /// Removes and returns the early execution, which from then on refers to the group.
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

/// The rest of a list with `@stream`.
final class StreamRecord {
  let path: [PathComponent]
  let start: StreamStart
  let map: FragmentMap
  var delivery: PendingResult?
  /// Results by index that wait for earlier ones.
  var ready: [Int: ResultCollector] = [:]
  var nextIndex: Int
  /// The number of items, known once the list has ended.
  var endIndex: Int?
  /// The error thrown by requesting the next item.
  var failure: ExecutionError?
  var isSettled = false

  init(path: [PathComponent], start: StreamStart, map: FragmentMap) {
    self.path = path
    self.start = start
    self.map = map
    nextIndex = start.firstIndex
  }
}

/// Tracks announcements and dependencies, and determines which results can be sent (the incremental publisher of the draft).
///
/// 1. `add` registers the deferred parts of a finished result.
/// 2. A fragment is announced when its parent is delivered. Then its groups are returned for execution.
/// 3. It is delivered when all its groups are finished, and completed with errors when one failed.
/// 4. Fragments, groups and lists refer to each other. The cycles are broken on completion or in `dismantle`.
struct IncrementalGraph {
  private(set) var events: [IncrementalEvent] = []
  /// Announced groups and lists that can be executed.
  private(set) var groupsToStart: [PendingExecutionGroup] = []
  private(set) var streamsToStart: [StreamRecord] = []
  /// Lists that may have finished items.
  private var advancedStreams: [StreamRecord] = []
  /// The fragments and lists that are not completed.
  private var openFragments: [ObjectIdentifier: DeferredFragmentRecord] = [:]
  private var openStreams: [ObjectIdentifier: StreamRecord] = [:]
  private var announced = 0
  private var settled = 0

  var hasNext: Bool { settled < announced }

  /// Removes and returns the events. Items that became ready together are one event.
  mutating func drainEvents() -> [IncrementalEvent] {
    while let stream = advancedStreams.popLast() { advance(stream) }
    defer { events = [] }
    return events
  }

  mutating func drainStarts() -> (groups: [PendingExecutionGroup], streams: [StreamRecord]) {
    defer { (groupsToStart, streamsToStart) = ([], []) }
    return (groupsToStart, streamsToStart)
  }

  /// Breaks the reference cycles of everything that was not completed.
  mutating func dismantle() {
    for fragment in openFragments.values { fragment.release() }
    for stream in openStreams.values { stream.ready = [:] }
    self = IncrementalGraph()
  }

  // MARK: Input

  /// Registers the deferred parts of the initial result or a streamed item.
  mutating func add(_ result: ResultCollector) {
    attach(result)
    for fragment in result.fragments where fragment.parent == nil { announce(fragment) }
    for fragment in result.fragments where fragment.parent?.state == .settled { announce(fragment) }
    for stream in result.streams { announce(stream) }
  }

  mutating func finish(_ group: PendingExecutionGroup, with result: ResultCollector) {
    guard let value = result.value else {
      group.state = .failed
      for fragment in group.fragments where fragment.state != .settled {
        fragment.failure += result.errors
        if fragment.state == .announced { complete(fragment) }
      }
      return
    }
    group.state = .finished(value, result.errors)
    attach(result)
    for fragment in result.fragments where fragment.parent == nil { announce(fragment) }
    if let owner = group.fragments.first { owner.childStreams += result.streams }
    for fragment in group.fragments { deliverIfComplete(fragment) }
  }

  /// Records a finished item. Items are sent in list order.
  mutating func finishItem(_ index: Int, of stream: StreamRecord, with result: ResultCollector) {
    stream.ready[index] = result
    noteAdvance(of: stream)
  }

  /// Records the end of a list, or the error of requesting its next item.
  mutating func end(_ stream: StreamRecord, at index: Int, failure: ExecutionError? = nil) {
    stream.endIndex = index
    stream.failure = failure
    noteAdvance(of: stream)
  }

  private mutating func noteAdvance(of stream: StreamRecord) {
    if !advancedStreams.contains(where: { $0 === stream }) { advancedStreams.append(stream) }
  }

  private mutating func advance(_ stream: StreamRecord) {
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

  // MARK: Consequences

  private mutating func attach(_ result: ResultCollector) {
    for fragment in result.fragments {
      openFragments[ObjectIdentifier(fragment)] = fragment
      if let parent = fragment.parent, parent.state != .settled { parent.children.append(fragment) }
    }
    for group in result.groups {
      for fragment in group.fragments where fragment.state != .settled { fragment.groups.append(group) }
    }
  }

  private mutating func announce(_ fragment: DeferredFragmentRecord) {
    guard fragment.state == .waiting else { return }
    if fragment.failure.isEmpty, fragment.groups.allSatisfy(\.isDelivered) {
      // There is nothing to deliver, so inner fragments take its place.
      fragment.state = .settled
      releaseChildren(of: fragment)
      remove(fragment)
      return
    }
    let delivery = PendingResult(id: announced, kind: .fragment, path: fragment.path, label: fragment.label)
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
    if fragment.failure.isEmpty { deliverIfComplete(fragment) } else { complete(fragment) }
  }

  private mutating func announce(_ stream: StreamRecord) {
    let delivery = PendingResult(
      id: announced, kind: .stream, path: ResponsePath(stream.path), label: stream.start.field.stream?.label)
    announced += 1
    stream.delivery = delivery
    openStreams[ObjectIdentifier(stream)] = stream
    events.append(.pending(delivery))
    streamsToStart.append(stream)
  }

  private mutating func deliverIfComplete(_ fragment: DeferredFragmentRecord) {
    guard fragment.state == .announced, !fragment.groups.contains(where: \.isOpen) else {
      // The group was discovered late and belongs to a fragment that is already announced.
      startWaitingGroups(of: fragment)
      return
    }
    for group in fragment.groups {
      guard case .finished(let data, let errors) = group.state else { continue }
      group.state = .delivered
      // Use the announced fragment with the longest path, which gives the shortest `subPath`.
      let candidates = group.fragments.filter { $0.state == .announced }
      let best = candidates.max { $0.path.components.count < $1.path.components.count } ?? fragment
      guard let delivery = best.delivery else { continue }
      events.append(.object(delivery, path: ResponsePath(group.path), data: data, errors: errors))
    }
    complete(fragment)
  }

  private mutating func startWaitingGroups(of fragment: DeferredFragmentRecord) {
    guard fragment.state == .announced else { return }
    for group in fragment.groups {
      if case .waiting = group.state {
        group.state = .started
        groupsToStart.append(group)
      }
    }
  }

  /// Completes a fragment. Inner fragments can follow if it was delivered.
  private mutating func complete(_ fragment: DeferredFragmentRecord) {
    guard let delivery = fragment.delivery else { return }
    fragment.state = .settled
    settled += 1
    events.append(.completed(delivery, errors: fragment.failure))
    if fragment.failure.isEmpty { releaseChildren(of: fragment) }
    remove(fragment)
  }

  private mutating func releaseChildren(of fragment: DeferredFragmentRecord) {
    for child in fragment.children { announce(child) }
    for stream in fragment.childStreams { announce(stream) }
  }

  private mutating func remove(_ fragment: DeferredFragmentRecord) {
    openFragments[ObjectIdentifier(fragment)] = nil
    fragment.release()
  }
}
