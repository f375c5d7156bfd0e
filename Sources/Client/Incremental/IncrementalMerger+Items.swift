import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// Merging the entries of `incremental`.
extension IncrementalMerger {
  mutating func receiveItem(_ item: PayloadMembers, isWholePayload: Bool) {
    let reported = GraphQLError.list(item.errors)
    errors += reported
    // Extensions at the top level of a payload are already merged.
    if !isWholePayload { mergeExtensions(item.extensions) }
    attempt(item) { (merger) throws(IncrementalError) in try merger.mergeItem(item, errors: reported) }
    updateNulls()
  }

  private mutating func mergeItem(_ item: PayloadMembers, errors reported: [GraphQLError]) throws(IncrementalError) {
    if let id = identifier(item.id), format == .incrementalV02 {
      return try mergeAnnouncedItem(item, id: id, errors: reported)
    }
    // An item without a path belongs to the root.
    let path = try path(item.path)
    if path == nil, let id = identifier(item.id) { throw .unknownID(id) }
    format = format ?? .defer20220824
    // The list element may be gone, because a later payload repeated the list without it.
    guard let place = tracker.presentPath(of: path ?? .root, label: item.labelText) else { return }
    do throws(IncrementalError) {
      try mergePlacedItem(item, at: place, errors: reported)
    } catch {
      fail(item, at: place, [self.error(error, item)])
      throw error
    }
  }

  /// Merges an item of the v0.2 format at its announced path. The fragment is fulfilled only when it is completed.
  private mutating func mergeAnnouncedItem(
    _ item: PayloadMembers, id: String, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    let announcement = try openAnnouncement(id)
    announcements[id]?.errors += reported
    guard let place = tracker.presentPath(of: announcement.path, label: announcement.label) else { return }
    do throws(IncrementalError) {
      let path = place.appending(try path(item.subPath) ?? .root)
      switch item.content {
      case .data(let data):
        if data.kind != .object, !reported.isEmpty { return }
        announcements[id]?.hasData = true
        try merge(data, at: path)
      case .items(let items): try append(items, to: path, at: nil, errors: reported)
      case .nullItems: tracker.settleStream(path: path, errors: reported)
      case .nullData: break
      }
    } catch {
      let failure = self.error(error, item)
      announcements[id]?.violations.append(failure)
      tracker.settleStream(path: place, errors: [failure])
      throw error
    }
  }

  /// Merges an item of the 2022 format at its own path.
  private mutating func mergePlacedItem(
    _ item: PayloadMembers, at path: ResponsePath, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    let subPath = try self.path(item.subPath)
    let place = path.appending(subPath ?? .root)
    switch item.content {
    case .data(let value):
      if let (list, index) = olderStreamItem(value, at: place) {
        return try append(.array([value]), to: list, at: index, errors: reported)
      }
      if let field = deferredField(at: place, label: item.labelText, value) {
        return try set(field, at: place, to: value, item, errors: reported)
      }
      // PHP servers write an empty list for a failed object.
      if value.kind != .object, !reported.isEmpty { return fail(item, at: place, reported) }
      try merge(value, at: place)
      tracker.arrive(
        path: path, label: item.labelText, item: value, errors: reported, isPiece: subPath != nil, data: data)
    case .items(let items):
      let (list, index) = streamPlace(place)
      try append(items, to: list, at: index, errors: reported)
    case .nullData:
      if let (list, index) = olderStreamItem(.null, at: place), tracker.takesNull(inStream: list) {
        return try append(.array([.null]), to: list, at: index, errors: reported)
      }
      if let field = deferredField(at: place, label: item.labelText, .null) {
        return try set(field, at: place, to: .null, item, errors: reported)
      }
      fail(item, at: place, reported)
    case .nullItems: fail(item, at: place, reported)
    }
  }

  private mutating func merge(_ object: JSONValue, at path: ResponsePath) throws(IncrementalError) {
    let count = merged.replacements.count
    try merged.merge(object, at: path)
    followChanges(since: count)
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

  // MARK: - Deferred fields

  /// Returns the field whose value an item has, as graphql-ruby sends it for `@defer` on a field. Its path ends in a
  /// selected field, and is not that of a deferred fragment.
  private func deferredField(at path: ResponsePath, label: String?, _ value: JSONValue) -> PlanField? {
    guard let key = path.lastKey, let parent = data.value(at: path.parent), parent.kind == .object,
      let field = plan.root.place(at: path, in: data)?.field
    else { return nil }
    if let existing = parent[key], existing.kind == .object, value.kind == .object || field.child != nil { return nil }
    if tracker.deferredField(at: path) != nil { return field }
    if field.child == nil { return label == nil || value.isNull == false ? field : nil }
    // The item can be that of a fragment whose object is null or has not arrived.
    let isFree = label == nil && tracker.indexes[path] == nil
    return isFree && (value.kind == .object || value.kind == .array) ? field : nil
  }

  private mutating func set(
    _ field: PlanField, at path: ResponsePath, to value: JSONValue, _ item: PayloadMembers, errors: [GraphQLError]
  ) throws(IncrementalError) {
    let count = merged.replacements.count
    try merged.set(path, of: field, to: value)
    followChanges(since: count)
    tracker.arrive(field: path, label: item.labelText, isNull: value.isNull, errors: errors, data: data)
  }

  // MARK: - Streams

  /// Returns the list and first index of stream items in a path, which ends in that index. Some servers omit the index.
  private func streamPlace(_ path: ResponsePath) -> (list: ResponsePath, index: Int?) {
    guard case .index(let first)? = path.components.last else { return (path, nil) }
    // An item may itself be a list.
    return tracker.isStream(path.parent) || data.value(at: path)?.kind != .array ? (path.parent, first) : (path, nil)
  }

  /// Returns the list and index of an item in an older stream format: its path ends in the index, which is the next of
  /// the list. An object at an earlier index can be that of a deferred fragment.
  private func olderStreamItem(_ item: JSONValue, at path: ResponsePath) -> (list: ResponsePath, index: Int)? {
    guard case .index(let index)? = path.components.last, tracker.isStream(path.parent),
      let list = data.value(at: path.parent),
      index == list.count || index < list.count && !item.isNull && item.kind != .object
    else { return nil }
    return (path.parent, index)
  }

  private mutating func append(
    _ items: JSONValue, to list: ResponsePath, at index: Int?, errors reported: [GraphQLError]
  ) throws(IncrementalError) {
    guard items.kind == .array else { throw .malformed("items", "a list or null") }
    let count = merged.replacements.count
    let indexes = try merged.append(items.elements.map { $0 }, to: list, at: index)
    followChanges(since: count)
    tracker.discoverItems(of: list, indexes: indexes, data: data)
    replacements += tracker.itemsLackingFields(of: list, indexes: indexes)
    if !reported.isEmpty { tracker.noteErrors(ofStream: list) }
  }
}
