import ApusClientAPI
import ApusClientCache
import ApusExplorerCore
import ApusJSON

/// The records and writes of the cache that the inspector shows.
extension LiveEnvironment {
  var cacheEnvironment: CacheEnvironment {
    var environment = CacheEnvironment()
    environment.listRecords = { await self.listRecords($0) }
    environment.openRecord = { await self.openRecord($0, at: $1) }
    environment.preview = { await self.preview($0) }
    environment.edit = { try await self.perform($0) }
    environment.open = { await self.openCache($0) }
    environment.listWrites = { self.log.lines }
    environment.openWrite = { self.log.opened($0) }
    environment.openLastWrite = { record, field in
      self.log.number(ofLastWriteTo: record, field: field).flatMap { self.log.opened($0) }
    }
    return environment
  }

  func listRecords(_ listing: RecordListing) async -> RecordPage {
    guard let (snapshot, note) = await snapshot(at: listing.revision) else { return RecordPage() }
    guard RecordPresenter.isProgram(listing.filter) else {
      let entries = RecordPresenter.entries(of: snapshot, filter: listing.filter, sort: listing.sort)
      return RecordPage(
        entries: entries, totalCount: snapshot.count, totalBytes: snapshot.byteCount, note: note)
    }
    let (entries, failure) = await entries(of: snapshot, program: listing.filter, listing.sort)
    return RecordPage(
      entries: entries, totalCount: snapshot.count, totalBytes: snapshot.byteCount, note: failure ?? note)
  }

  /// Returns the records for which a jq program outputs a truthy value, or the reason why the program failed.
  private func entries(
    of snapshot: CacheSnapshot, program: String, _ sort: RecordSort
  ) async -> (entries: [RecordEntry], failure: String?) {
    let all = RecordPresenter.entries(of: snapshot, filter: "", sort: sort, limit: .max)
    let records = all.map { entry in RecordPresenter.json(entry.key, in: snapshot) }
    let program = "[.[] | (try ([\(program)] | any) catch false)]"
    switch await filtering.filter(program, VisibleJSON(.array(records))) {
    case .success(let summary):
      let found = zip(all, summary.elements).lazy.filter { $0.1.bool == true }.map(\.0)
      return (Array(found.prefix(RecordPresenter.entryLimit)), nil)
    case .failure(let failure): return ([], "\(failure)")
    }
  }

  func openRecord(_ key: String, at revision: CacheRevision?) async -> RecordDetail? {
    guard let (snapshot, _) = await snapshot(at: revision), var opened = RecordPresenter.opened(key, in: snapshot)
    else {
      return nil
    }
    if openedCache == nil { opened.watchers = await readers { snapshot.isRead(CacheKey(key), by: $0) }.map(\.name) }
    return opened
  }
}
