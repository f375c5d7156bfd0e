/// Work for the cache pane.
package enum CacheEffect: Equatable, Sendable {
  case listRecords(RecordListing)
  case openRecord(String, at: CacheRevision?)
  case preview(CacheEdit)
  case edit(CacheEdit)
  /// Opens another program's cache or, for `nil`, the explorer's own.
  case open(ExternalCache?)
  case listWrites
  case openWrite(Int)
  /// Opens the newest write that changed a field, such as `name` of `Bird:b42`.
  case openLastWrite(record: String, field: String)

  enum Key: Hashable {
    case records, record, preview, writes
    case changes(EndpointID)
  }

  func work(at endpoint: EndpointID) -> EffectWork {
    switch self {
    case .listRecords(let listing):
      .start(Key.records) { environment, send in
        let page = await environment.cache.listRecords(listing)
        send(
          .cache(
            .recordsListed(page.entries, totalCount: page.totalCount, totalBytes: page.totalBytes, listing)))
        if let note = page.note { send(.recordsNoted(note)) }
      }
    case .openRecord(let key, let revision):
      .start(Key.record) { environment, send in
        let record = await environment.cache.openRecord(key, revision)
        send(.cache(record.map { .recordOpened($0) } ?? .recordGone(key)))
      }
    case .preview(let edit):
      .start(Key.preview) { environment, send in
        if let preview = await environment.cache.preview(edit) { send(.editPreviewed(edit, preview)) }
      }
    // Every change to the cache is made, in order.
    case .edit(let edit):
      .start(Key.changes(endpoint), .isQueued) { environment, send in
        do {
          send(.cache(.edited(edit, try await environment.cache.edit(edit))))
        } catch {
          send(.operationFailed("\(error)"))
        }
      }
    case .open(let cache): .start(Key.changes(endpoint), .isQueued) { $1(await $0.cache.open(cache)) }
    case .listWrites: .start(Key.writes) { $1(.cache(.writesListed(await $0.cache.listWrites()))) }
    case .openWrite(let number):
      .start(Key.writes) { environment, send in
        if let write = await environment.cache.openWrite(number) { send(.cache(.writeOpened(write))) }
      }
    case .openLastWrite(let record, let field):
      .start(Key.writes) { environment, send in
        let write = await environment.cache.openLastWrite(record, field)
        send(
          write.map { .cache(.writeOpened($0)) }
            ?? .operationFailed("The write of \(field) is not in this session's log"))
      }
    }
  }
}

/// Access to the inspected cache and to the log of its writes.
package struct CacheEnvironment: Sendable {
  package var listRecords: @Sendable (RecordListing) async -> RecordPage = { _ in RecordPage() }
  package var openRecord: @Sendable (_ key: String, _ revision: CacheRevision?) async -> RecordDetail? = { _, _ in nil }
  /// Describes the consequences of an edit; `nil` if they are unknown.
  package var preview: @Sendable (CacheEdit) async -> String? = { _ in nil }
  /// Performs an edit and describes the result.
  package var edit: @Sendable (CacheEdit) async throws -> String = { _ in "" }
  /// Opens another program's cache or, for `nil`, the explorer's own; returns `opened` or `operationFailed`.
  package var open: @Sendable (ExternalCache?) async -> Action = { .cache(.opened($0)) }
  package var listWrites: @Sendable () async -> [CacheWriteEntry] = { [] }
  package var openWrite: @Sendable (_ number: Int) async -> CacheWriteDetail? = { _ in nil }
  package var openLastWrite: @Sendable (_ record: String, _ field: String) async -> CacheWriteDetail? = { _, _ in nil }

  package init() {}
}

/// A page of the list of records.
package struct RecordPage: Sendable {
  package var entries: [RecordEntry]
  package var totalCount: Int
  package var totalBytes: Int
  /// Additional information about the records.
  package var note: String?

  package init(entries: [RecordEntry] = [], totalCount: Int = 0, totalBytes: Int = 0, note: String? = nil) {
    self.note = note
    self.entries = entries
    self.totalCount = totalCount
    self.totalBytes = totalBytes
  }
}
