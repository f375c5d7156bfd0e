import ApusClientAPI
import ApusClientOperation
import ApusGraphQLMediaTypes
import ApusJSON

/// Merges the payloads of a response into one result, and tracks the state of each deferred fragment.
///
/// 1. The first payload is the initial result; its objects show where fragments are deferred.
/// 2. Each item of a later payload is merged at its path. The result is a new value that shares unchanged parts.
/// 3. Fragments are resolved by their items, which reveals the fragments inside them.
/// 4. The last payload or the end of the connection resolves the rest, depending on the data present.
///
/// The formats and their hybrids are distinguished by whether the server announces pending fragments. An entry that
/// cannot be merged becomes an error of the result; all other entries are used.
package struct IncrementalMerger: Sendable {
  /// The transport of payloads, which decides the meaning of a missing `hasNext`.
  package enum Delivery: Sendable {
    /// The body is a single payload.
    case complete
    /// Payloads follow until the response ends.
    case parts
    /// The response is a stream of results. Each one lasts until the next begins.
    case events
  }

  package let plan: SelectionPlan
  package private(set) var isComplete = false

  private let delivery: Delivery
  private var hasBegun = false
  var merged: MergedData
  var errors: [GraphQLError] = []
  /// All protocol violations so far.
  package internal(set) var violations: [IncrementalError] = []
  private var extensions: JSONValue?
  var format: IncrementalFormat?
  var tracker: DeferralTracker
  var announcements: [String: PendingEntry] = [:]
  /// The values that replaced others, which may lack selected fields until a later payload brings them.
  var replacements: [ResponsePath] = []
  /// Whether the latest `hasNext` was true.
  private var hasPromised = false

  /// A fragment or stream that the server announced as pending.
  struct PendingEntry: Sendable {
    let path: ResponsePath
    let label: String?
    var isOpen = true
    /// Whether data was sent under its id.
    var hasData = false
    /// The errors of its fields.
    var errors: [GraphQLError] = []
    /// The errors of its entries that could not be merged.
    var violations: [GraphQLError] = []
  }

  package init(operation: CompiledOperation, variables: JSONValue, delivery: Delivery = .complete) {
    self.init(plan: SelectionPlan(operation: operation, variables: variables), delivery: delivery)
  }

  /// Creates a merger. `keyRules` are those of the cache; by default those that the operation was compiled with.
  package init(plan: SelectionPlan, delivery: Delivery = .complete, keyRules: KeyRules? = nil) {
    self.plan = plan
    self.delivery = delivery
    merged = MergedData(plan: plan, rules: keyRules ?? plan.operation.keyRules)
    tracker = DeferralTracker(plan: plan)
  }

  /// Whether a payload is the next event of a subscription rather than a continuation of the current result.
  package static func isEvent(_ payload: JSONValue) -> Bool { PayloadMembers(payload).isEvent }

  /// Whether a payload only says that the result is complete, which a server may repeat.
  package static func isBareEnd(_ payload: JSONValue) -> Bool { PayloadMembers(payload).isBareEnd }

  /// Whether the server promised more, by `hasNext` or by a pending announcement.
  package var promisesMore: Bool { hasPromised || announcements.values.contains { $0.isOpen } }

  /// Processes the next payload, received `elapsed` after the start of the request. Returns `nil` for a heartbeat, and
  /// for a repeated end.
  package mutating func receive(
    payload: JSONValue, at elapsed: Duration
  ) throws(IncrementalError) -> MergedResult? {
    guard payload.kind == .object else { throw .notAnObject }
    if payload.count == 0 { return nil }
    let members = PayloadMembers(payload).withoutReplacedData
    if isComplete {
      if members.isBareEnd { return nil }
      throw .payloadAfterEnd
    }
    if !hasBegun { try checkFirst(members) }
    merged.begin()
    let hasNext = hasNext(members)
    hasPromised = hasNext ?? hasPromised
    tracker.begin(at: elapsed, continuation: continuation(hasNext))
    mergeExtensions(members.extensions)
    if hasBegun {
      receiveLater(members)
      isComplete = hasNext == false
    } else {
      receiveFirst(members)
      isComplete = hasNext.map { !$0 } ?? !mayContinue(after: members)
    }
    if isComplete { settleRest(after: .complete) }
    return result()
  }

  /// Processes the end of the response; `cut` means that the connection was interrupted. Returns the final state of an
  /// incomplete result, or `nil` if nothing changes.
  package mutating func finish(cut: Bool, at elapsed: Duration) -> MergedResult? {
    guard hasBegun, !isComplete else { return nil }
    // A response that never says whether more follows is complete when it ends.
    let ending: DeferralTracker.Ending =
      promisesMore ? (cut ? .cut : .early) : (cut && tracker.hasPending ? .cut : .complete)
    return end(ending, at: elapsed)
  }

  /// Completes a result of a subscription because the next one begins.
  package mutating func endEvent(at elapsed: Duration) -> MergedResult? {
    hasBegun && !isComplete ? end(.complete, at: elapsed) : nil
  }

  private mutating func end(_ ending: DeferralTracker.Ending, at elapsed: Duration) -> MergedResult {
    merged.begin()
    tracker.begin(at: elapsed)
    settleRest(after: ending)
    // A normal end without a promised fragment does not make the response complete.
    isComplete = ending == .complete || (ending == .early && !tracker.isShort)
    return result()
  }

  private mutating func settleRest(after ending: DeferralTracker.Ending) {
    tracker.settleRest(data: data, after: ending)
    updateNulls()
  }

  var data: JSONValue { merged.value ?? .null }

  /// The number of replaced values up to which contradictions are searched in each result, not only in the last.
  private static let searchLimit = 1000

  /// Returns the result so far. Contradictions are searched in each result, because a later payload may bring the
  /// missing fields.
  private func result() -> MergedResult {
    var fragments = tracker.fragments
    var (conflicts, fulfilled) = ([GraphQLError](), tracker.fulfilled)
    if !replacements.isEmpty, isComplete || replacements.count <= Self.searchLimit {
      let contradictions = Contradictions(of: replacements, in: tracker, serverErrors: errors)
      conflicts = contradictions.errors
      for (index, error) in contradictions.losses {
        fragments[index] = fragments[index].withState(.failed([error]), after: fragments[index].settledAfter)
      }
      fulfilled.removeAll { contradictions.losses[$0] != nil }
    }
    if !tracker.gone.isEmpty {
      var numbers = Array(repeating: 0, count: fragments.count)
      var shown: [DeferredFragment] = []
      for (index, fragment) in fragments.enumerated() where !tracker.gone.contains(index) {
        numbers[index] = shown.count
        shown.append(fragment)
      }
      fulfilled = fulfilled.map { numbers[$0] }
      fragments = shown
    }
    if !tracker.fields.isEmpty { fragments += tracker.fields }
    return MergedResult(
      data: merged.value, errors: conflicts.isEmpty ? errors : errors + conflicts, violations: violations,
      conflicts: conflicts, extensions: extensions, isComplete: isComplete, fragments: fragments, fulfilled: fulfilled,
      streams: tracker.shownStreams, changedPaths: merged.changes, format: format)
  }

  // MARK: - Payloads

  private func checkFirst(_ payload: PayloadMembers) throws(IncrementalError) {
    // A response without data must have at least one error (GraphQL specification, section "Response Format").
    guard payload.data != nil || !GraphQLError.list(payload.errors).isEmpty else { throw .notAResponse }
    if let data = payload.data, data.kind != .object, !data.isNull { throw .malformed("data", "an object or null") }
  }

  private mutating func receiveFirst(_ payload: PayloadMembers) {
    hasBegun = true
    merged.begin(with: payload.data)
    addErrors(of: payload)
    announceAll(payload)
    tracker.discoverAll(in: data)
    updateNulls()
    receiveEntries(payload)
  }

  private mutating func receiveLater(_ payload: PayloadMembers) {
    announceAll(payload)
    if payload.isEntry {
      receiveItem(payload, isWholePayload: true)
    } else {
      addErrors(of: payload)
    }
    receiveEntries(payload)
  }

  /// Adds the errors of a payload. Those of an entry belong to its fragment instead.
  private mutating func addErrors(of payload: PayloadMembers) {
    let reported = GraphQLError.list(payload.errors)
    errors += reported
    tracker.errors += reported
  }

  private func continuation(_ hasNext: Bool?) -> DeferralTracker.Continuation {
    switch (hasNext, delivery) {
    case (true, _): .promised
    case (nil, .parts): .possible
    case (false, _), (nil, .complete), (nil, .events): .none
    }
  }

  /// Whether more may follow a first payload without `hasNext`.
  private func mayContinue(after payload: PayloadMembers) -> Bool {
    switch delivery {
    case .complete: payload.pending != nil || payload.incremental != nil
    case .parts: payload.pending != nil || payload.incremental != nil || tracker.hasPending
    // The data of a streamed list does not show whether it is complete, so assume that an event has all of it.
    case .events: payload.pending != nil || payload.incremental != nil || tracker.lacksFragments
    }
  }

  /// Returns the payload's `hasNext`; `nil` if it has none. Relay servers send `is_final` in the extensions instead.
  private mutating func hasNext(_ payload: PayloadMembers) -> Bool? {
    guard let value = payload.hasNext else { return payload.extensions?["is_final"]?.bool.map { !$0 } }
    if value.bool == nil { report(.malformed("hasNext", "true or false")) }
    return value.bool
  }

  /// Processes the entries in protocol order: pending, then incremental, then completed.
  private mutating func receiveEntries(_ payload: PayloadMembers) {
    for item in entries("incremental", payload.incremental) { receiveItem(item, isWholePayload: false) }
    for completion in entries("completed", payload.completed) {
      mergeExtensions(completion.extensions)
      attempt(completion) { (merger) throws(IncrementalError) in try merger.complete(completion) }
    }
  }

  private mutating func announceAll(_ payload: PayloadMembers) {
    for entry in entries("pending", payload.pending) {
      mergeExtensions(entry.extensions)
      attempt(entry) { (merger) throws(IncrementalError) in try merger.announce(entry) }
    }
  }

  private mutating func announce(_ entry: PayloadMembers) throws(IncrementalError) {
    guard let id = identifier(entry.id) else { return }
    format = .incrementalV02
    guard announcements[id]?.isOpen != true else { throw .repeatedID(id) }
    let isRepeated = announcements[id] != nil
    let path = try path(entry.path) ?? .root
    announcements[id] = PendingEntry(path: path, label: entry.labelText)
    tracker.announce(path: path, label: entry.labelText)
    if isRepeated { throw .repeatedID(id) }
  }

  private mutating func complete(_ completion: PayloadMembers) throws(IncrementalError) {
    guard let id = identifier(completion.id) else { return }
    let announcement = try openAnnouncement(id)
    announcements[id]?.isOpen = false
    let reported = GraphQLError.list(completion.errors)
    errors += reported
    let failures = reported + announcement.violations
    guard let place = tracker.presentPath(of: announcement.path, label: announcement.label) else { return }
    tracker.complete(
      path: place, label: announcement.label, errors: failures.isEmpty ? nil : failures,
      fieldErrors: announcement.errors, hasData: announcement.hasData, data: data)
    updateNulls()
  }

  func openAnnouncement(_ id: String) throws(IncrementalError) -> PendingEntry {
    guard let announcement = announcements[id] else { throw .unknownID(id) }
    guard announcement.isOpen else { throw .completedID(id) }
    return announcement
  }

  /// Removes the nulls in fields that are still pending from the data, and puts those back that are data.
  mutating func updateNulls() {
    let places = tracker.takePlaceholders()
    if !places.isEmpty { merged.remove(places) }
    let released = tracker.takeReleased()
    if !released.isEmpty { merged.insert(released) }
  }

  /// Follows the list elements that an entry moved, and the objects that it replaced.
  mutating func followChanges(since count: Int) {
    tracker.data = data
    let moves = merged.takeMoves()
    let new = Array(merged.replacements.dropFirst(count))
    guard !moves.isEmpty || !new.isEmpty else { return }
    var replaced = PathIndex<Void>()
    for path in new { replaced.insert((), at: path) }
    replacements = replacements.compactMap { moves.path(of: $0) }.filter { replaced.value(atOrAbove: $0) == nil } + new
    tracker.follow(moves, replacements: new, data: data)
  }

  mutating func mergeExtensions(_ more: JSONValue?) {
    guard let more, more.kind == .object else { return }
    extensions = extensions.map { Self.mergingMembers(of: more, into: $0) } ?? more
  }

  /// Merges objects by member. Lists and leaves are replaced.
  private static func mergingMembers(of more: JSONValue, into existing: JSONValue) -> JSONValue {
    existing.mergingMembers(of: more) { _, old, new in
      guard let old, old.kind == .object, new.kind == .object else { return new }
      return mergingMembers(of: new, into: old)
    }
  }

}
