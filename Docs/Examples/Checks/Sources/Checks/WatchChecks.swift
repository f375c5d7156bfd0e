import PeopleAPI
import ScriptedServers

/// Checks that a watched query emits again when its cached data changes.
func checkWatching(_ report: Report) async throws {
  let scripted = try Scripted([People.whole(), People.whole(name: "Anew"), People.whole(name: "Once more")])
  let query = PersonQuery(id: "1", later: false)
  var results = scripted.client.watch(query: query).makeAsyncIterator()
  func next() async throws -> String {
    let result = try await results.next()
    return
      "\(result?.source.rawValue ?? "none") \(result?.completeness.rawValue ?? "") \(result?.data?.person?.name ?? "nothing")"
  }
  report.check("a watch fetches", try await next(), is: "server complete Ada")
  try await scripted.store.modify("User:1") { $0["name"] = .scalar("Augusta") }
  report.check("a change is emitted", try await next(), is: "cache complete Augusta")
  try await scripted.store.modify("User:9") { $0["name"] = .scalar("Nobody") }
  try await scripted.store.update(LikesLocalCacheMutation(id: "1")) { $0.person?.likes += 1 }
  let liked = try await results.next()
  report.check("irrelevant changes are not emitted", liked?.changedKeys, is: ["User:1.likes"])
  report.check("an update is emitted", liked?.data?.person?.likes, is: 4)
  for (count, name) in [(2, "Anew"), (3, "Once more")] {
    try await scripted.store.evict("User:1")
    report.check("a removal is emitted", try await next(), is: "cache partial nothing")
    report.check("and refetched", try await next(), is: "server complete \(name)")
    report.check("once", scripted.requestCount, is: count)
  }
  let other = try Scripted([People.whole()])
  try await other.store.write(ada, for: query)
  var second = other.client.watch(query: query, cachePolicy: .cacheOnly).makeAsyncIterator()
  report.check("a watch has it from the cache", try await second.next()?.source, is: .cache)
  try await other.store.clear()
  report.check("and is notified of an eviction", try await second.next()?.completeness, is: .partial)
  report.check("a watch that must not use the network does not", other.requestCount, is: 0)

  let bad = try Scripted([People.whole(["name": "7"])])
  var wrong = bad.client.watch(query: query).makeAsyncIterator()
  report.check("an invalid response is reported", try await wrong.next()?.errors.count, is: 1)
  try await bad.store.modify("User:1") { $0["likes"] = .scalar(8) }
  let after = try await wrong.next()
  report.check("missing data stays reported", after?.errors.map(\.path), is: [["person", "name"]])
  report.check("and is not refetched endlessly", bad.requestCount, is: 1)
}
