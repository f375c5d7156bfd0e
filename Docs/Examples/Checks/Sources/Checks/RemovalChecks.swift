import PeopleAPI
import ScriptedServers

/// Checks removal from a cache, and that other data stays.
func checkRemoval(_ report: Report) async throws {
  let query = PersonQuery(id: "1", later: false)
  func filled(_ policies: CachePolicies = CachePolicies()) async throws -> CacheStore {
    let store = Scripted.store(InMemoryNormalizedCache(), policies)
    try await store.write(ada, for: query)
    try await store.modify("Bot:9") { $0["name"] = .scalar("alone") }
    return store
  }
  var store = try await filled()
  report.check("a record is evicted", try await store.evict("User:1").recordKeys, is: ["User:1"])
  report.check("data that needs it is missing", try await store.read(query) == nil)
  store = try await filled()
  try await store.evict("User:1", field: "mood")
  report.check("a field is evicted", try await store.record("User:1")?[field: "mood"] == nil)
  report.check("the others stay", try await store.record("User:1")?[field: "name"] != nil)
  store = try await filled()
  try await store.evict(matching: RecordPattern(typename: "User"))
  report.check("a type is evicted", try await store.record("User:1") == nil)
  store = try await filled()
  report.check("unreachable records are removed", try await store.collectGarbage().recordKeys, is: ["Bot:9"])
  report.check("the rest stays", try await store.read(query) != nil)
  store = try await filled()
  let retainer: Retainer = await store.retain(query.compiled, variables: query.variables)
  try await store.collectGarbage(onlyRetained: true)
  report.check("retained records are not collected", try await store.read(query) != nil)
  await store.release(retainer)
  try await store.collectGarbage(onlyRetained: true)
  report.check("released ones are", try await store.read(query) == nil)
  store = try await filled()
  try await store.evict("User:1", cascading: true)
  report.check("evicting cascades", try await store.snapshot().record("User:1") == nil)
  store = try await filled()
  try await store.clear()
  report.check("everything is cleared", try await store.snapshot().count, is: 0)
  store = try await filled(CachePolicies(byteLimit: 1))
  try await store.modify("Bot:10") { $0["name"] = .scalar("newest") }
  report.check("a byte limit removes the oldest records", try await store.record("Bot:9") == nil)
  report.check("the newest stays", try await store.record("Bot:10") != nil)
  store = try await filled()
  report.check("trimming returns the removed keys", try await store.trim(to: 0).isEmpty, is: false)

  let secret = Scripted.store(
    InMemoryNormalizedCache(), CachePolicies(fields: ["Query.person": FieldPolicy(secretArguments: ["id"])]))
  try await secret.write(ada, for: query)
  let key = try await secret.record(.queryRoot)?.fields.first?.key ?? ""
  report.check("a secret argument is a digest", key.contains("sha256:") && !key.contains(#":"1""#))
  report.check("and can still be read", try await secret.read(query) != nil)

  let redirect = Scripted.store(
    InMemoryNormalizedCache(),
    CachePolicies(fields: ["Query.person": FieldPolicy(keyArguments: ["id"], targetType: "User")]))
  try await redirect.write(ada, for: PersonQuery(id: "another", later: false))
  report.check("arguments identify a record", try await redirect.read(query)?.person?.name, is: "Ada")

  let merge = FieldMerge.offset()
  let scripted = try Scripted(
    [.json(People.slice(0..<5)), .json(People.slice(5..<10))],
    store: Scripted.store(InMemoryNormalizedCache(), CachePolicies(fields: ["Query.list": FieldPolicy(merge: merge)])))
  for offset in [0, 5] { _ = await all(scripted.client.fetch(query: ListQuery(offset: offset, limit: 5))) }
  report.check("pages are requested", scripted.requestCount, is: 2)
  let middle = try await scripted.store.read(ListQuery(offset: 3, limit: 4))
  report.check("a page between two others is read", middle?.list.map(\.id), is: ["3", "4", "5", "6"])
  report.check(
    "data that was never fetched is missing", try await scripted.store.read(ListQuery(offset: 8, limit: 5)) == nil)

  let login = try Scripted([
    .json(
      #"{"data":{"login":{"__typename":"Session","token":"t","user":{"__typename":"User","id":"5","name":"Eve"}}}}"#)
  ])
  _ = await all(login.client.perform(mutation: LoginMutation(password: "hunter2")))
  let kept = CacheExport.json(try await login.store.snapshot()).description
  report.check("a mutation's arguments are not stored", !kept.contains("hunter2"))
  report.check("its objects are stored", kept.contains("User:5"))
}
