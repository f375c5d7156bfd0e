import PeopleAPI

/// Checks that records can be inspected, written, changed, observed, exported and imported.
func checkRecords(_ report: Report) async throws {
  let store = Scripted.store()
  let query = PersonQuery(id: "1", later: false)
  let changed: ChangedKeys = try await store.write(ada, for: query)
  report.check("a write returns the changed keys", changed.descriptions.contains("User:1.name"))
  report.check("by record", changed.recordKeys.contains("User:1"))
  report.check("by field", changed.fieldNames().contains { $0.key == "User:1" && $0.field == "name" })
  report.check("and how much", changed.count > 5)
  report.check("an empty set of changed keys is empty", ChangedKeys().isEmpty)
  let read = try await store.read(query)
  report.check("written data is read", read, is: ada)

  let record: Record? = try await store.record("User:1")
  report.check("a record has a type", record?.typename, is: "User")
  report.check("its fields are found by their keys", record?[field: "name"], is: .scalar("Ada"))
  report.check("a field has a name", record?.fields.first { $0.key == "name" }?.name, is: "name")
  let field = Record.Field(key: #"photo({"size":1})"#, value: RecordValue.missing)
  report.check("a field's name has no arguments", field.name, is: "photo")
  let root = try await store.record(.queryRoot)
  let reference = CacheReference("User:1")
  report.check("the root refers to it", root?.fields.first?.value, is: .reference(reference))
  report.check("a record has its references", root?.references, is: ["User:1"])
  report.check("a key is its text", CacheKey("User:1").text, is: "User:1")
  report.check("roots are roots", CacheKey.roots.count, is: 3)
  let referrers: [Referrer] = try await store.referrers(of: "User:1")
  report.check("a record has its referring records", referrers.map(\.key), is: [.queryRoot])

  let snapshot: CacheSnapshot = try await store.snapshot()
  report.check("a snapshot has all records", snapshot.count, is: 2)
  report.check("and their size", snapshot.byteCount > 100)
  report.check("it finds a record", snapshot.record("User:1") != nil)
  report.check("the path to a record is found", snapshot.path(to: "User:1").count, is: 1)
  report.check("no reference is dangling", snapshot.danglingReferences().isEmpty)
  report.check("every record is reachable", snapshot.reachableCount, is: 2)
  report.check("types are counted", snapshot.typenames.map(\.name).sorted(), is: ["Query", "User"])
  let summaries: [RecordSummary] = try await store.summaries(RecordFilter(text: "User"))
  report.check("records are listed", summaries.map(\.key), is: ["User:1"])
  report.check("with their field counts", (summaries.first?.fieldCount ?? 0) > 8)
  report.check("in sorted order", snapshot.summaries(order: RecordOrder.key).map(\.key), is: [.queryRoot, "User:1"])
  report.check("by a value", try await store.summaries(RecordFilter(value: "Ada")).count, is: 1)
  report.check("by a pattern", snapshot.summaries(matching: RecordPattern(key: "User:*")).count, is: 1)
  let records: RecordSet = try CacheImport.records(CacheExport.json(snapshot))
  report.check("a set of records can be queried", records.contains("User:1"))
  report.check("a set of records is counted", records.records.count, is: 2)

  var changes = await store.changes().makeAsyncIterator()
  try await store.modify("User:1") { (draft: inout RecordDraft) in draft["name"] = .scalar("Augusta") }
  let change: CacheChange? = await changes.next()
  report.check("a change is reported", change?.changedKeys.descriptions, is: ["User:1.name"])
  report.check("with its cause", change?.cause, is: CacheChange.Cause.modification)
  report.check("a changed record reads as another", try await store.read(query)?.person?.name, is: "Augusta")
  let cacheRead: CacheRead = try await store.read(query.compiled, variables: query.variables)
  report.check("a read is complete", cacheRead.isComplete)
  report.check("its data is JSON", cacheRead.data?["person"]?["name"]?.string, is: "Augusta")
  report.check(
    "nothing is missing", cacheRead.missing.isEmpty && cacheRead.pendingFragments.isEmpty && !cacheRead.isStale)
  var dependent: DependentKeys = cacheRead.dependentKeys
  report.check("a read has its dependent keys", dependent.intersects(change?.changedKeys ?? ChangedKeys()))
  dependent.formUnion(DependentKeys())
  report.check("and counts it", dependent.count > 5)
  report.check(
    "others are not touched", !dependent.intersects(try await store.modify("Bot:9") { $0["x"] = .scalar(1) }))
  _ = await changes.next()

  let exported = CacheExport.json(try await store.snapshot())
  let other = Scripted.store()
  try await other.importRecords(exported)
  report.check("an export is read back", CacheExport.json(try await other.snapshot()), is: exported)
  report.check("a record is exported alone", CacheExport.json("User:1", in: snapshot) != nil)
  do {
    _ = try CacheImport.records(["format": "another"])
    report.check("invalid exports are refused", false)
  } catch {
    let failure: CacheImportError = error
    report.check("invalid exports are refused, with a reason", failure.description.isEmpty, is: false)
  }

  let before = try await store.snapshot()
  try await store.transaction { (transaction: inout CacheTransaction) in
    transaction.modify("User:1") { $0["name"] = .scalar("Eve") }
    transaction.evict("Bot:9")
  }
  let wide = await changes.next()?.changedKeys ?? ChangedKeys()
  report.check("several changes are one", wide.recordKeys, is: ["User:1", "Bot:9"])
  try await store.restore(wide, from: before)
  report.check("and are undone", try await store.record("User:1")?[field: "name"], is: .scalar("Augusta"))
  let mutation = CacheMutation.modify("User:1") { $0["likes"] = .scalar(9) }
  report.check(
    "a change is foreseen", try await store.snapshot().changes(of: [mutation]).descriptions, is: ["User:1.likes"])
  try await store.apply([mutation])
  report.check("and committed", try await store.record("User:1")?[field: "likes"], is: .scalar(9))

  let layer: OptimisticLayer = try await store.modifyOptimistically("User:1") { $0["name"] = .scalar("Maybe") }
  report.check("a layer covers the records", try await store.read(query)?.person?.name, is: "Maybe")
  await store.rollBack(layer)
  report.check("and is removed", try await store.read(query)?.person?.name, is: "Augusta")
  let written = try await store.writeOptimistically(
    ada.__data.json, operation: query.compiled, variables: query.variables)
  report.check("an expected response covers them too", try await store.read(query)?.person?.name, is: "Ada")
  await store.rollBack(written)

  let resolver = CacheKeyResolver(schema: PeopleSchema.Metadata.self)
  report.check("a key is the type and the id", resolver.key(for: ["id": "1"], typename: "User"), is: "User:1")
  report.check("a number makes the same key", resolver.key(for: ["id": 1], typename: "User"), is: "User:1")
  let seats = CacheKeyResolver(keyFields: ["Seat": ["row", "number"]])
  report.check("several fields make a key", seats.key(for: ["row": "A", "number": 2], typename: "Seat") != nil)
  report.check("without them there is none", seats.key(for: ["row": "A"], typename: "Seat") == nil)
  let own = CacheKeyResolver(cacheKeyInfo: { _, object in object["slug"]?.string.map { CacheKeyInfo(id: $0) } })
  report.check("a function determines the key", own.key(for: ["slug": "s"], typename: "Post"), is: "Post:s")
}
