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
  private var merged = MergedData()
  private var errors: [GraphQLError] = []
  /// All protocol violations so far.
  package private(set) var violations: [IncrementalError] = []
  private var extensions: JSONValue?
  private var format: IncrementalFormat?
  private var tracker: DeferralTracker
  private var announcements: [String: PendingEntry] = [:]
  /// Whether the latest `hasNext` was true.
  private var hasPromised = false

  /// A fragment or stream that the server announced as pending.
  private struct PendingEntry: Sendable {
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

  package init(plan: SelectionPlan, delivery: Delivery = .complete) {
    self.plan = plan
    self.delivery = delivery
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
    let members = PayloadMembers(payload)
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
    if isComplete { tracker.settleRest(data: data, after: .complete) }
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
    tracker.settleRest(data: data, after: ending)
    // A normal end without a promised fragment does not make the response complete.
    isComplete = ending == .complete || (ending == .early && !tracker.isShort)
    return result()
  }

  private var data: JSONValue { merged.value ?? .null }

  private func result() -> MergedResult {
    MergedResult(
      data: merged.value, errors: errors, violations: violations, extensions: extensions, isComplete: isComplete,
      fragments: tracker.fragments, fulfilled: tracker.fulfilled, streams: tracker.streams,
      changedPaths: merged.changes, format: format)
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
    errors += GraphQLError.list(payload.errors)
    announceAll(payload)
    tracker.discoverAll(in: data)
    dropPlaceholders()
    receiveEntries(payload)
  }

  private mutating func receiveLater(_ payload: PayloadMembers) {
    announceAll(payload)
    if payload.isEntry {
      receiveItem(payload, isWholePayload: true)
    } else {
      errors += GraphQLError.list(payload.errors)
    }
    receiveEntries(payload)
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
      attempt(completion) { (merger) throws(IncrementalError) in try merger.complete(completion) }
    }
  }

  private mutating func announceAll(_ payload: PayloadMembers) {
    for entry in entries("pending", payload.pending) {
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
    tracker.complete(
      path: announcement.path, label: announcement.label, errors: failures.isEmpty ? nil : failures,
      fieldErrors: announcement.errors, hasData: announcement.hasData, data: data)
    dropPlaceholders()
  }

  private func openAnnouncement(_ id: String) throws(IncrementalError) -> PendingEntry {
    guard let announcement = announcements[id] else { throw .unknownID(id) }
    guard announcement.isOpen else { throw .completedID(id) }
    return announcement
  }

  // MARK: - Items

  private mutating func receiveItem(_ item: PayloadMembers, isWholePayload: Bool) {
    let reported = GraphQLError.list(item.errors)
    errors += reported
    // Extensions at the top level of a payload are already merged.
    if !isWholePayload { mergeExtensions(item.extensions) }
    attempt(item) { (merger) throws(IncrementalError) in try merger.targetPath(item, errors: reported) }
    dropPlaceholders()
  }

  private mutating func targetPath(_ item: PayloadMembers, errors reported: [GraphQLError]) throws(IncrementalError) {
    if let id = identifier(item.id), format == .incrementalV02 { return try targetPath(item, id: id, errors: reported) }
    // An item without a path belongs to the root.
    let path = try path(item.path)
    if path == nil, let id = identifier(item.id) { throw .unknownID(id) }
    format = format ?? .defer20220824
    let place = path ?? .root
    do throws(IncrementalError) {
      try self.targetPath(item, at: place, errors: reported)
    } catch {
      fail(item, at: place, [self.error(error, item)])
      throw error
    }
  }

  /// Merges an item of the v0.2 format at its announced path. The fragment is fulfilled only when it is completed.
  private mutating func targetPath(
    _ item: PayloadMembers, id: String, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    let announcement = try openAnnouncement(id)
    announcements[id]?.errors += reported
    do throws(IncrementalError) {
      let path = announcement.path.appending(try path(item.subPath))
      switch item.content {
      case .object(let object):
        announcements[id]?.hasData = true
        try merged.merge(object, at: path)
      case .items(let items): try append(items, to: path, at: nil, errors: reported)
      case .nullItems: tracker.settleStream(path: path, errors: reported)
      case .nullData: break
      }
    } catch {
      let failure = self.error(error, item)
      announcements[id]?.violations.append(failure)
      tracker.settleStream(path: announcement.path, errors: [failure])
      throw error
    }
  }

  /// Merges an item of the 2022 format at its own path.
  private mutating func targetPath(
    _ item: PayloadMembers, at path: ResponsePath, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    let subPath = try self.path(item.subPath)
    let place = path.appending(subPath)
    switch item.content {
    case .object(let object):
      if let (list, index) = olderStreamItem(at: place) {
        return try append(.array([object]), to: list, at: index, errors: reported)
      }
      try merged.merge(object, at: place)
      tracker.arrive(
        path: path, label: item.labelText, item: object, errors: reported, isPiece: subPath != nil, data: data)
    case .items(let items):
      let (list, index) = streamPlace(place)
      try append(items, to: list, at: index, errors: reported)
    case .nullData:
      if let (list, index) = olderStreamItem(at: place), tracker.takesNull(inStream: list) {
        return try append(.array([.null]), to: list, at: index, errors: reported)
      }
      fail(item, at: place, reported)
    case .nullItems: fail(item, at: place, reported)
    }
  }

  /// Marks the fragment or stream of an item in the 2022 format as failed.
  private mutating func fail(_ item: PayloadMembers, at path: ResponsePath, _ failures: [GraphQLError]) {
    let list = streamPlace(path).list
    let isObjectThere = list != path && data.value(at: path) != nil
    if tracker.isStream(list), item.items != nil || !isObjectThere {
      tracker.settleStream(path: list, errors: failures)
    } else {
      tracker.arrive(path: path, label: item.labelText, item: .null, errors: failures, data: data)
    }
  }

  /// Returns the list and first index of stream items in a path, which ends in that index. Some servers omit the index.
  private func streamPlace(_ path: ResponsePath) -> (list: ResponsePath, index: Int?) {
    guard case .index(let first)? = path.components.last else { return (path, nil) }
    let outer = ResponsePath(Array(path.components.dropLast()))
    // An item may itself be a list.
    return tracker.isStream(outer) || data.value(at: path)?.kind != .array ? (outer, first) : (path, nil)
  }

  /// Returns the list and index of an item in an older stream format: its path ends in the index, which is the next of
  /// the list.
  private func olderStreamItem(at path: ResponsePath) -> (list: ResponsePath, index: Int)? {
    guard case .index(let index)? = path.components.last else { return nil }
    let list = ResponsePath(Array(path.components.dropLast()))
    guard tracker.isStream(list), data.value(at: list)?.count == index else { return nil }
    return (list, index)
  }

  private mutating func append(
    _ items: JSONValue, to list: ResponsePath, at index: Int?, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    guard items.kind == .array else { throw .malformed("items", "a list or null") }
    let indexes = try merged.append(items.elements.map { $0 }, to: list, at: index)
    tracker.discoverItems(of: list, indexes: indexes, data: data)
    if !reported.isEmpty { tracker.noteErrors(ofStream: list) }
  }

  /// Removes the nulls in fields that are still pending.
  private mutating func dropPlaceholders() {
    let places = tracker.takePlaceholders()
    if !places.isEmpty { merged.remove(places) }
  }

  private mutating func mergeExtensions(_ more: JSONValue?) {
    guard let more, more.kind == .object else { return }
    if let extensions, let merged = try? extensions.mergingDeeply(more, at: .root) {
      self.extensions = merged
    } else {
      extensions = more
    }
  }

  // MARK: - Violations

  /// Processes one entry of a payload. A protocol violation becomes an error of that entry only.
  private mutating func attempt(
    _ entry: PayloadMembers, _ work: (inout IncrementalMerger) throws(IncrementalError) -> Void
  ) {
    do throws(IncrementalError) {
      try work(&self)
    } catch {
      report(error, entry)
    }
  }

  private mutating func report(_ violation: IncrementalError, _ entry: PayloadMembers? = nil) {
    violations.append(violation)
    errors.append(error(violation, entry))
  }

  /// Returns a violation as an error of the result, with the path and id of its entry.
  private func error(_ violation: IncrementalError, _ entry: PayloadMembers?) -> GraphQLError {
    let id = identifier(entry?.id)
    let path = violation.place ?? (try? self.path(entry?.path)) ?? id.flatMap { announcements[$0]?.path }
    let members: [(String, JSONValue)] = [("code", JSONValue(IncrementalError.code))]
    return GraphQLError(
      message: violation.description, path: path,
      extensions: .object(members + (id.map { [("id", JSONValue($0))] } ?? [])))
  }

  // MARK: - Reading

  private func path(_ value: JSONValue?) throws(IncrementalError) -> ResponsePath? {
    guard let value else { return nil }
    guard let path = ResponsePath(value) else { throw .brokenPath }
    return path
  }

  /// Returns the objects in a list member of a payload. Anything else is reported.
  private mutating func entries(_ name: String, _ list: JSONValue?) -> [PayloadMembers] {
    guard let list else { return [] }
    guard list.kind == .array, list.elements.allSatisfy({ $0.kind == .object }) else {
      report(.malformed(name, "a list of objects"))
      return list.elements.filter { $0.kind == .object }.map { PayloadMembers($0) }
    }
    return list.elements.map { PayloadMembers($0) }
  }

  /// Ids are strings, but some servers send numbers.
  private func identifier(_ value: JSONValue?) -> String? {
    value?.string ?? value?.numberText
  }
}

extension ResponsePath {
  fileprivate func appending(_ other: ResponsePath?) -> ResponsePath {
    other.map { ResponsePath(components + $0.components) } ?? self
  }
}
