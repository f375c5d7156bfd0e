import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Merges the payloads of a response into one result, and knows the state of each deferred fragment at each place.
///
/// 1. The first payload is the result so far; its objects show where fragments are deferred.
/// 2. Each item of a later payload goes to its place. The result is a new value that shares the rest with the last.
/// 3. What an item settles is settled, and fragments that stand inside it become known.
/// 4. The last payload, or the cut of the connection, settles the rest by what is there.
///
/// Both formats and their hybrids are told apart by whether anything was announced as pending.
package struct IncrementalMerger: Sendable {
  package let plan: SelectionPlan
  package private(set) var isComplete = false

  private var hasBegun = false
  private var data: JSONValue?
  private var errors: [GraphQLError] = []
  private var extensions: JSONValue?
  private var format: IncrementalFormat?
  private var tracker: DeferralTracker
  private var announcements: [String: Announcement] = [:]
  private var changes: [ResponsePath] = []

  /// A deferred part that the server said would come.
  private struct Announcement: Sendable {
    let path: ResponsePath
    let label: String?
    var isOpen = true
    /// Whether any of its data was sent under its id.
    var hasData = false
    /// What its fields came with.
    var errors: [GraphQLError] = []
  }

  package init(operation: CompiledOperation, variables: JSONValue) {
    self.init(plan: SelectionPlan(operation: operation, variables: variables))
  }

  package init(plan: SelectionPlan) {
    self.plan = plan
    tracker = DeferralTracker(plan: plan)
  }

  /// Takes the next payload, `elapsed` after the request began. Returns `nil` for a heartbeat.
  package mutating func receive(
    payload: JSONValue, at elapsed: Duration
  ) throws(IncrementalError) -> MergedResult? {
    guard payload.kind == .object else { throw .notAnObject }
    if payload.count == 0 { return nil }
    if isComplete { throw .payloadAfterEnd }
    changes = []
    tracker.begin(at: elapsed)
    let members = PayloadMembers(payload)
    mergeExtensions(members.extensions)
    if hasBegun {
      try receiveLater(members)
    } else {
      try receiveFirst(members)
    }
    if isComplete { tracker.settleRest(data: data ?? .null, after: .whole) }
    return result()
  }

  /// Ends the stream. `cut` says that the connection ended before the stream did. Returns the last state of what was
  /// not complete, `nil` when there is nothing to say.
  package mutating func finish(cut: Bool, at elapsed: Duration) -> MergedResult? {
    guard hasBegun, !isComplete else { return nil }
    changes = []
    tracker.begin(at: elapsed)
    tracker.settleRest(data: data ?? .null, after: cut ? .cut : .early)
    // An end in good order that leaves out what was promised is no whole response either.
    isComplete = !cut && !tracker.isShort
    return result()
  }

  private func result() -> MergedResult {
    MergedResult(
      data: data, errors: errors, extensions: extensions, isComplete: isComplete, fragments: tracker.fragments,
      fulfilled: tracker.fulfilled, streams: tracker.streams, changedPaths: changes, format: format)
  }

  // MARK: - Payloads

  private mutating func receiveFirst(_ payload: PayloadMembers) throws(IncrementalError) {
    // The specification, section "Response Format": without data there are errors, and at least one.
    let reported = GraphQLError.list(payload.errors)
    guard payload.data != nil || !reported.isEmpty else { throw .notAResponse }
    if let data = payload.data, data.kind != .object, !data.isNull { throw .malformed("data", "an object or null") }
    let hasNext = try hasNext(payload)
    hasBegun = true
    data = payload.data
    errors = reported
    changes = [ResponsePath([])]
    let pending = try entries("pending", payload.pending)
    try announce(pending)
    let parts = try pending + entries("incremental", payload.incremental)
    tracker.discoverAll(in: data ?? .null)
    try receiveItems(payload)
    isComplete = !(hasNext ?? !parts.isEmpty)
  }

  private mutating func receiveLater(_ payload: PayloadMembers) throws(IncrementalError) {
    let hasNext = try hasNext(payload)
    try announce(try entries("pending", payload.pending))
    if payload.data != nil || payload.items != nil {
      // The older variant of format A: the payload is the item itself.
      try receiveItem(payload, isWholePayload: true)
    } else {
      errors += GraphQLError.list(payload.errors)
    }
    try receiveItems(payload)
    isComplete = hasNext == false
  }

  /// `nil` where the payload does not say.
  private func hasNext(_ payload: PayloadMembers) throws(IncrementalError) -> Bool? {
    guard let value = payload.hasNext, !value.isNull else { return nil }
    guard let hasNext = value.bool else { throw .malformed("hasNext", "true or false") }
    return hasNext
  }

  /// Within one payload: what was announced, then what arrives, then what is completed.
  private mutating func receiveItems(_ payload: PayloadMembers) throws(IncrementalError) {
    for item in try entries("incremental", payload.incremental) { try receiveItem(item, isWholePayload: false) }
    for completion in try entries("completed", payload.completed) { try complete(completion) }
  }

  private mutating func announce(_ pending: [PayloadMembers]) throws(IncrementalError) {
    for entry in pending {
      guard let id = identifier(entry.id) else { continue }
      guard announcements[id] == nil else { throw .repeatedID(id) }
      format = .incrementalV02
      let path = try path(entry.path) ?? ResponsePath([])
      let label = entry.label?.string
      announcements[id] = Announcement(path: path, label: label)
      tracker.announce(path: path, label: label)
    }
  }

  private mutating func complete(_ completion: PayloadMembers) throws(IncrementalError) {
    guard let id = identifier(completion.id) else { return }
    let announcement = try openAnnouncement(id)
    announcements[id]?.isOpen = false
    let reported = GraphQLError.list(completion.errors)
    errors += reported
    tracker.complete(
      path: announcement.path, label: announcement.label, errors: reported.isEmpty ? nil : reported,
      fieldErrors: announcement.errors, hasData: announcement.hasData, data: data ?? .null)
  }

  private func openAnnouncement(_ id: String) throws(IncrementalError) -> Announcement {
    guard let announcement = announcements[id] else { throw .unknownID(id) }
    guard announcement.isOpen else { throw .completedID(id) }
    return announcement
  }

  // MARK: - Items

  private mutating func receiveItem(_ item: PayloadMembers, isWholePayload: Bool) throws(IncrementalError) {
    let reported = GraphQLError.list(item.errors)
    errors += reported
    // At the top level of a payload the extensions have been merged already.
    if !isWholePayload { mergeExtensions(item.extensions) }
    if let id = identifier(item.id), format == .incrementalV02 {
      let announcement = try openAnnouncement(id)
      announcements[id]?.errors += reported
      if item.data?.kind == .object { announcements[id]?.hasData = true }
      try receiveItem(item, announcement: announcement, errors: reported)
      return
    }
    let path = try place(of: item)
    format = format ?? .defer20220824
    if let items = item.items {
      try receiveStreamed(items, path: path, errors: reported)
    } else {
      try receiveFragment(item.data ?? .null, path: path, label: item.label?.string, errors: reported)
    }
  }

  /// Format A: the place that an item names; one that names none goes to the root.
  private func place(of item: PayloadMembers) throws(IncrementalError) -> ResponsePath {
    if let path = try path(item.path) { return path }
    if let id = identifier(item.id) { throw .unknownID(id) }
    return ResponsePath([])
  }

  /// `nil` where there is none.
  private func path(_ value: JSONValue?) throws(IncrementalError) -> ResponsePath? {
    guard let value, !value.isNull else { return nil }
    guard let path = ResponsePath(value) else { throw .brokenPath }
    return path
  }

  /// Format B: the place is the announced one; the fragment is ready only when it is completed.
  private mutating func receiveItem(
    _ item: PayloadMembers, announcement: Announcement, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    var path = announcement.path
    if let subPath = try self.path(item.subPath) {
      path = ResponsePath(path.components + subPath.components)
    }
    if let items = item.items {
      guard let items = try elements(of: items) else { return tracker.settleStream(path: path, errors: reported) }
      try append(items, to: path, at: nil)
      if !reported.isEmpty { tracker.noteErrors(ofStream: path) }
    } else if let object = item.data, !object.isNull {
      try merge(object, at: path)
    }
  }

  /// Format A: a fragment's data. Null merges nothing and says that the fragment failed.
  private mutating func receiveFragment(
    _ object: JSONValue, path: ResponsePath, label: String?, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    if !object.isNull {
      if try appendOlderStreamItem(object, path: path) { return }
      try merge(object, at: path)
    }
    tracker.arrive(path: path, label: label, item: object, errors: reported, data: data ?? .null)
  }

  /// Format A: the items of a stream. The path ends in the index of the first; some servers leave it out.
  private mutating func receiveStreamed(
    _ items: JSONValue, path: ResponsePath, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    var listPath = path
    var index: Int?
    if case .index(let first)? = path.components.last {
      let outer = ResponsePath(Array(path.components.dropLast()))
      // An item may be a list itself.
      if tracker.isStream(outer) || data?.value(at: path)?.kind != .array { (listPath, index) = (outer, first) }
    }
    guard let items = try elements(of: items) else { return tracker.settleStream(path: listPath, errors: reported) }
    try append(items, to: listPath, at: index)
    if !reported.isEmpty { tracker.noteErrors(ofStream: listPath) }
  }

  /// An older way to stream: one item as the `data` of a path that ends in its index.
  private mutating func appendOlderStreamItem(
    _ object: JSONValue, path: ResponsePath
  ) throws(IncrementalError) -> Bool {
    guard case .index(let index)? = path.components.last, data?.value(at: path) == nil else { return false }
    let listPath = ResponsePath(Array(path.components.dropLast()))
    guard let list = data?.value(at: listPath), list.kind == .array, list.count == index else { return false }
    try append([object], to: listPath, at: index)
    return true
  }

  // MARK: - Merging

  private mutating func merge(_ object: JSONValue, at path: ResponsePath) throws(IncrementalError) {
    guard let current = data, let target = current.value(at: path), target.kind == .object, object.kind == .object
    else { throw .noPlace(path) }
    noteChanges(from: target, to: object, path: path.components)
    do {
      data = try current.mergingDeeply(object, at: path)
    } catch {
      throw .noPlace(path)
    }
  }

  /// Items behind the end of a list are appended; those before it are merged with what is there.
  private mutating func append(
    _ items: [JSONValue], to path: ResponsePath, at index: Int?
  ) throws(IncrementalError) {
    guard var current = data, let list = current.value(at: path), list.kind == .array else { throw .noPlace(path) }
    let first = index ?? list.count
    guard first >= 0, first <= list.count else {
      throw .noPlace(ResponsePath(path.components + [.index(first)]))
    }
    let known = min(items.count, list.count - first)
    do {
      for (offset, item) in items.prefix(known).enumerated() {
        let place = path.components + [.index(first + offset)]
        if let present = list[first + offset] { noteChanges(from: present, to: item, path: place) }
        current = try current.mergingDeeply(item, at: ResponsePath(place))
      }
      if items.count > known { current = try current.appending(Array(items.dropFirst(known)), at: path) }
    } catch {
      throw .noPlace(path)
    }
    for offset in known..<max(known, items.count) {
      changes.append(ResponsePath(path.components + [.index(first + offset)]))
    }
    data = current
    tracker.discoverItems(of: path, indexes: first..<(first + items.count), data: current)
  }

  /// Notes the outermost paths that differ: a new member, a changed scalar.
  private mutating func noteChanges(from old: JSONValue, to new: JSONValue, path: [PathComponent]) {
    switch (old.kind, new.kind) {
    case (.object, .object):
      for (key, value) in new.members {
        let place = path + [.key(key)]
        if let present = old[key] {
          noteChanges(from: present, to: value, path: place)
        } else {
          changes.append(ResponsePath(place))
        }
      }
    case (.array, .array):
      for (index, value) in new.elements.enumerated() {
        let place = path + [.index(index)]
        if let present = old[index] {
          noteChanges(from: present, to: value, path: place)
        } else {
          changes.append(ResponsePath(place))
        }
      }
    // In format A parts know nothing of one another: what an error made null in one stays as another brought it.
    case (.object, .null), (.array, .null): break
    default:
      if old != new { changes.append(ResponsePath(path)) }
    }
  }

  private mutating func mergeExtensions(_ more: JSONValue?) {
    guard let more, more.kind == .object else { return }
    if let extensions, let merged = try? extensions.mergingDeeply(more, at: ResponsePath([])) {
      self.extensions = merged
    } else {
      extensions = more
    }
  }

  // MARK: - Reading

  /// What a payload lists in a member; nothing where it does not.
  private func entries(_ name: String, _ list: JSONValue?) throws(IncrementalError) -> [PayloadMembers] {
    guard let list, !list.isNull else { return [] }
    guard list.kind == .array, list.elements.allSatisfy({ $0.kind == .object }) else {
      throw .malformed(name, "a list of objects")
    }
    return list.elements.map { PayloadMembers($0) }
  }

  /// The items of a stream's part; `nil` where the server sent null, which says that the stream failed.
  private func elements(of items: JSONValue) throws(IncrementalError) -> [JSONValue]? {
    if items.isNull { return nil }
    guard items.kind == .array else { throw .malformed("items", "a list or null") }
    return items.elements.map { $0 }
  }

  /// Ids are strings; a server that sends numbers means the same.
  private func identifier(_ value: JSONValue?) -> String? {
    value?.string ?? value?.numberText
  }
}
