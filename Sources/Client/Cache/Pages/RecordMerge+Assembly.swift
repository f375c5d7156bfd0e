import ApusClientRecords
import ApusJSON

/// Connections that a local change was made from and that were read from several pages.
extension RecordMerge {
  /// Stores the connections that were assembled from pages under the arguments of the change, as if they had been received
  /// in one page. The change is then compared with them, so that their elements keep the fields that it does not select.
  func assembleConnections(
    of number: RecordID, in cached: RecordID, of storage: inout StoredRecords, log: inout ChangeLog
  ) {
    for value in source.fields(of: number) where isEmbeddedConnection(value, of: number) {
      let field = fields[value.field]
      guard isAbsent(field, of: cached, in: storage), let path = source.path(of: value.target),
        case .field(let pathField) = path.component,
        let slice = ConnectionSlice(
          storage.fieldNames[field], of: cached, in: storage,
          mayRead: { !isExpired(storage.expiry(of: $0, in: cached)) }),
        storage.isEmbedded(slice.last.record)
      else { continue }
      let target = storage.record(in: cached, at: .field(fields[pathField]))
      store(slice, in: target, of: &storage, log: &log)
      storage.set(StoredValue.reference(target).stored(in: field), in: cached)
      log.record(cached, field)
    }
  }

  /// Returns the pages that a local change may have been read from, so that a file loads them first.
  func pages(of number: RecordID, in storage: StoredRecords) -> [StoredValue] {
    guard incoming.origin == .local, !incoming.merges.isEmpty else { return [] }
    return source.fields(of: number).filter { isEmbeddedConnection($0, of: number) }.flatMap { value in
      storage.pages(ofField: storage.fieldNames[fields[value.field]], in: records[number])
    }
  }

  private func isEmbeddedConnection(_ value: StoredValue, of number: RecordID) -> Bool {
    guard value.kind == .reference, source.isEmbedded(value.target) else { return false }
    switch incoming.merges[FieldLocation(number, value.field)]?.merge {
    case .connection: return true
    case .append, .offset, .function, nil: return false
    }
  }

  private func isExpired(_ expiry: UInt32) -> Bool { expiry != 0 && expiry <= changeStamp.time }

  /// Returns whether a read does not find a field under its own key.
  private func isAbsent(_ field: FieldID, of record: RecordID, in storage: StoredRecords) -> Bool {
    storage.value(of: field, in: record) == nil || isExpired(storage.expiry(of: field, in: record))
  }

  // MARK: Storing

  /// Stores a range of a connection in a record: the edges and nodes of the pages, their page info, and the other fields of
  /// the last page.
  private func store(
    _ slice: ConnectionSlice, in target: RecordID, of storage: inout StoredRecords, log: inout ChangeLog
  ) {
    let before = storage
    copy(slice.last.record, of: before, to: target, in: &storage, log: &log)
    for (name, items) in [("edges", slice.edges), ("nodes", slice.nodes)] {
      guard let field = storage.fieldNames.find(name), storage.value(of: field, in: target) != nil else { continue }
      let copies = items.enumerated().map { index, item -> StoredValue in
        guard item.kind == .reference, before.isEmbedded(item.target) else { return storage.copy(item) }
        let element = storage.record(in: target, field, [UInt32(index)])
        if before.exists(item.target) { copy(item.target, of: before, to: element, in: &storage, log: &log) }
        return .reference(element)
      }
      storage.set(storage.list(copies).stored(in: field), in: target)
      log.record(target, field)
    }
    storePageInfo(of: slice, in: target, of: &storage, log: &log)
  }

  private func storePageInfo(
    of slice: ConnectionSlice, in target: RecordID, of storage: inout StoredRecords, log: inout ChangeLog
  ) {
    guard let field = storage.fieldNames.find("pageInfo"), let value = storage.value(of: field, in: target),
      value.kind == .reference, storage.exists(value.target), storage.isEmbedded(value.target)
    else { return }
    for (name, json) in slice.pageInfo {
      let field = storage.fieldNames.intern(name)
      storage.set(storage.scalar(json).stored(in: field), in: value.target)
      log.record(value.target, field)
    }
  }
}
