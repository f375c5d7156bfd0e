import PeopleAPI
import ScriptedServers

/// Checks transactions, fragments at a key, and both with a custom cache.
func checkTransactions(_ report: Report) async throws {
  let counting = CountingCache()
  let store = Scripted.store(counting, CachePolicies(schema: PeopleSchema.Metadata.self))
  let query = PersonQuery(id: "1", later: false)
  try await store.write(ada, for: query)
  report.check("a fragment is read at a key", try await store.read(Card.self, key: "User:1")?.name, is: "Ada")
  report.check("not on another type", try await store.read(Card.self, key: "Bot:1") == nil)
  try await store.update(Card.self, key: "User:1") { $0.likes += 1 }
  report.check("and updated", try await store.read(query)?.person?.likes, is: 4)
  try await store.write(Card(id: "9", name: "Nine", likes: 0), key: "User:9")
  report.check("and written", try await store.record("User:9")?[field: "name"], is: .scalar("Nine"))

  var changes = await store.changes().makeAsyncIterator()
  let names: [String?] = try await store.transaction { (cache: inout CacheTransaction) in
    let before = try cache.read(query)?.person?.name
    try cache.update(Card.self, key: "User:1") { $0.name = "Augusta" }
    try cache.update(LikesLocalCacheMutation(id: "1")) { $0.person?.likes = 9 }
    cache.evict("User:9")
    return [before, try cache.read(query)?.person?.name, try cache.read(Card.self, key: "User:9")?.name]
  }
  report.check("a transaction reads its own writes", names, is: ["Ada", "Augusta", nil])
  let change = await changes.next()
  report.check("and is one change", change?.cause, is: .transaction)
  report.check("of all of it", change?.changedKeys.recordKeys.sorted(), is: ["User:1", "User:9"])
  do {
    try await store.transaction { cache in
      cache.clear()
      try cache.write(Card(id: "2", name: "Two", likes: 0), key: "User:1")
    }
    report.check("the key of another record is refused", false)
  } catch {
    report.check(
      "the key of another record is refused", error as? CacheTransactionError,
      is: .otherKey("User:1", data: "User:2"))
  }
  report.check("and changes nothing", try await store.read(query)?.person?.name, is: "Augusta")
  report.check("a custom cache is read", await counting.count > 0)

  let declared: [DeclaredFieldPolicy] = PeopleSchema.Metadata.fieldPolicies
  report.check("models carry the schema's policies", declared.map(\.field), is: ["session", "list"])
  report.check("and a store has them", store.policies.fields["Query.session"]?.secretArguments, is: ["token"])
  let roots: RootTypes? = PeopleSchema.Metadata.rootTypes
  report.check("models state the root types of the schema", roots?.query, is: "Query")
}
