import ApusClientRecords
import ApusJSON

/// Merging a field's new value with the existing one by its merge policy.
extension RecordMerge {
  /// Returns the merged value, or `nil` if the existing one does not change.
  func joined(
    _ value: StoredValue, to existing: StoredValue?, _ pending: PendingMerge, in storage: inout StoredRecords
  ) -> StoredValue? {
    switch pending.merge {
    case .connection: return replacement(of: existing, by: value, in: &storage)
    case .append: return appended(value, to: existing, in: &storage)
    case .offset(let offset, let limit):
      let window = OffsetWindow(offset: pending.arguments[offset], limit: pending.arguments[limit])
      guard value.kind == .list, let window else { return replacement(of: existing, by: value, in: &storage) }
      let list = existing?.kind == .list ? existing : nil
      if pending.isUpdate, let list, let part = window.part(of: list, in: storage) {
        return replaced(part.range, of: list, by: value, in: &storage)
      }
      return placed(value, window, in: list, in: &storage)
    case .function(_, let merge):
      let (old, new) = (existing.map { storage.value($0) }, source.value(value))
      let result = merge(old, new, pending.arguments)
      if result == new { return replacement(of: existing, by: value, in: &storage) }
      if result == old { return nil }
      return made(result, of: value, existing, in: &storage)
    }
  }

  /// Appends the items that the list does not refer to yet.
  private func appended(
    _ value: StoredValue, to existing: StoredValue?, in storage: inout StoredRecords
  ) -> StoredValue? {
    guard value.kind == .list, let existing, existing.kind == .list else {
      return replacement(of: existing, by: value, in: &storage)
    }
    var listed = Set(storage.items(of: existing).filter { $0.kind == .reference }.map(\.target))
    let added = source.items(of: value).filter { $0.kind != .reference || listed.insert(records[$0.target]).inserted }
    if added.isEmpty { return nil }
    let items = storage.items(of: existing).map { storage.copy($0) } + added.map { adopted($0, in: &storage) }
    return storage.list(items, isOpen: existing.isOpen)
  }

  /// Returns the result of a merge function as a value of the target. References to records that neither value refers to
  /// become missing items.
  private func made(
    _ value: RecordValue, of new: StoredValue, _ existing: StoredValue?, in storage: inout StoredRecords
  ) -> StoredValue {
    switch value {
    case .missing: return .missing
    case .scalar(let scalar): return storage.scalar(scalar)
    case .reference(let reference):
      var target: RecordID?
      source.forEachTarget(of: new) { if source.key($0) == reference.key { target = records[$0] } }
      if let existing, target == nil {
        storage.forEachTarget(of: existing) { if storage.key($0) == reference.key { target = $0 } }
      }
      return target.map { .reference($0) } ?? .missing
    case .list(let values):
      return storage.list(values.map { made($0, of: new, existing, in: &storage) })
    }
  }
}

/// Merging of lists with offset paging.
extension RecordMerge {
  /// Replaces a range of a list. Later items move, and whether the end of the list is known does not change.
  private func replaced(
    _ range: Range<Int>, of list: StoredValue, by value: StoredValue, in storage: inout StoredRecords
  ) -> StoredValue? {
    let (old, new) = (storage.items(of: list), source.items(of: value))
    let isSame = new.count == range.count && zip(old[range], new).allSatisfy { isEqual($0, $1, in: storage) }
    if isSame { return nil }
    var items = old[..<range.lowerBound].map { storage.copy($0) }
    items += new.map { adopted($0, in: &storage) }
    items += old[range.upperBound...].map { storage.copy($0) }
    return storage.list(items, isOpen: list.isOpen)
  }

  /// Stores the items of a page at their positions in the list.
  private func placed(
    _ value: StoredValue, _ window: OffsetWindow, in list: StoredValue?, in storage: inout StoredRecords
  ) -> StoredValue? {
    let (old, page) = (list.map { storage.items(of: $0) } ?? [], source.items(of: value))
    /// The items of the new list.
    var items: [JoinedItem] = old.map { .existing($0) }
    var isEndKnown = list != nil && old.last?.kind != .missing
    while items.last?.isMissing == true { items.removeLast() }
    let end = window.offset + page.count
    if !page.isEmpty {
      while items.count < window.offset { items.append(.missing) }
    }
    for (index, item) in page.enumerated() {
      let place = window.offset + index
      if place >= items.count {
        items.append(.new(item))
        isEndKnown = false
      } else if case .existing(let existing) = items[place], isEqual(existing, item, in: storage) {
        continue
      } else {
        items[place] = .new(item)
      }
    }
    let isShort = !value.isOpen && window.limit.map { page.count < $0 } ?? true
    if isShort, end <= items.count {
      items.removeSubrange(end...)
      isEndKnown = true
    }
    if !isEndKnown { items.append(.missing) }
    let isSame =
      list?.isOpen == value.isOpen && old.count == items.count
      && zip(old, items).allSatisfy { existing, item in item.isKept(existing) }
    return isSame ? nil : storage.list(items.map { stored($0, in: &storage) }, isOpen: value.isOpen)
  }

  private func stored(_ item: JoinedItem, in storage: inout StoredRecords) -> StoredValue {
    switch item {
    case .existing(let value): storage.copy(value)
    case .missing: .missing
    case .new(let value): adopted(value, in: &storage)
    }
  }
}

/// An item of a merged list: existing, from the new page, or missing.
private enum JoinedItem {
  case existing(StoredValue), new(StoredValue), missing

  /// Whether the item leaves the one at its position as it was.
  func isKept(_ old: StoredValue) -> Bool {
    switch self {
    case .existing: true
    case .missing: old.kind == .missing
    case .new: false
    }
  }

  var isMissing: Bool {
    switch self {
    case .existing(let value): value.kind == .missing
    case .missing: true
    case .new: false
    }
  }
}
