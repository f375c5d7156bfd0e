import ApusFormatting
import ApusClientCache
import ApusClientOperation
import ApusExplorerCore
import ApusJSON

/// The inspector's cache edits: preview, apply and undo.
extension LiveEnvironment {
  private func mutations(_ edit: CacheEdit) -> [CacheMutation] {
    switch edit {
    case .evictRecords(let keys): keys.map { .removeRecord(CacheKey($0)) }
    case .evictField(let record, let field): [.removeField(CacheKey(record), field: field)]
    case .evictType(let type): [.removeRecords(RecordPattern(typename: type))]
    case .setValue(let record, let field, let value):
      [.modify(CacheKey(record)) { $0[field] = .scalar(value) }]
    case .collect: [.collect(rootFields: nil)]
    case .clear: [.removeAll]
    case .undo: []
    }
  }

  /// Describes the effects of an edit, computed on a copy of the records.
  func preview(_ edit: CacheEdit) async -> String? {
    guard let snapshot = try? await inspected.snapshot() else { return nil }
    if case .undo = edit { return "Restores the earlier values of the records." }
    let changed = snapshot.changes(of: mutations(edit))
    let records = changed.recordKeys.count
    var details: [String] = []
    switch edit {
    case .evictRecords(let keys) where keys.count == 1:
      let summary = snapshot.summary(of: CacheKey(keys[0]))
      let count = summary?.referrerCount ?? 0
      let fields = summary?.fieldCount ?? 0
      details.append("\(fields) \(fields == 1 ? "field" : "fields")")
      details.append(count == 1 ? "1 record refers to it" : "\(count) records refer to it")
    case .evictField(let record, _): details.append("Removes the field from the record \(record)")
    case .evictRecords, .evictType, .setValue, .collect, .clear, .undo:
      details.append(records == 1 ? "1 record" : "\(records) records")
      details.append(changed.count == 1 ? "1 field" : "\(changed.count) fields")
    }
    if openedCache == nil {
      let evicts = if case .setValue = edit { false } else { true }
      details += await consequences(of: changed, isLoss: evicts)
    }
    return details.joined(separator: "; ") + "."
  }

  /// Describes how an edit affects the displayed queries: which ones redraw, which ones refetch, and why others do not.
  private func consequences(of changed: ChangedKeys, isLoss: Bool) async -> [String] {
    let readers = await readers { $0.intersects(changed) }
    guard !readers.isEmpty else { return isLoss ? ["no displayed query reads this data, so nothing is refetched"] : [] }
    let names = { (some: [ActiveQuery]) in some.map(\.name).joined(separator: ", ") }
    guard isLoss else { return ["\(names(readers)) will update"] }
    let fetching = readers.filter { $0.reasonAgainstFetching == nil }
    var words: [String] = []
    if !fetching.isEmpty { words.append("\(names(fetching)) will update and refetch the missing data") }
    for reader in readers {
      if let reason = reader.reasonAgainstFetching { words.append("\(reader.name) will not refetch: \(reason)") }
    }
    return words
  }

  /// Applies an edit and returns a message; throws the reason if the edit is refused.
  func perform(_ edit: CacheEdit) async throws -> String {
    if let refusal = openedCache?.refusal { throw refusal }
    let store = inspected
    if case .undo = edit {
      guard let undo = popUndo() else { return "There is nothing to undo" }
      let restored = try await undo.store.restore(undo.changed, from: undo.before, title: "undo")
      if restored.isEmpty {
        return "Undone: \(undo.title). Nothing changed: the data was already restored or overwritten"
      }
      let (fields, records) = (restored.count, restored.recordKeys.count)
      return
        "Undone: \(undo.title). \(DisplayFormat.plural(fields, "field")) of \(DisplayFormat.plural(records, "record")) changed"
    }
    let before = try await store.snapshot()
    let title = edit.title
    let changed = try await store.apply(mutations(edit), cause: .modification, title: title)
    if !changed.isEmpty { pushUndo(UndoStep(title: title, store: store, before: before, changed: changed)) }
    switch edit {
    case .evictRecords(let keys): return keys.count == 1 ? "Evicted \(keys[0])" : "Evicted \(keys.count) records"
    case .evictField(let record, let field): return "Evicted \(field) of \(record)"
    case .evictType(let type): return "Evicted \(changed.recordKeys.count) \(type) records"
    case .setValue(let record, let field, _): return "Set \(field) of \(record)"
    case .collect:
      let count = changed.recordKeys.count
      return count == 0
        ? "All records are reachable" : "Removed \(count) unreachable \(count == 1 ? "record" : "records")"
    case .clear: return "Cleared the cache"
    case .undo: return ""
    }
  }

  /// An edit that can be undone.
  struct UndoStep: Sendable {
    let title: String
    let store: CacheStore
    let before: CacheSnapshot
    let changed: ChangedKeys
  }
}
