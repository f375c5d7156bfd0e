import PeopleAPI
import ScriptedServers

/// Checks the results of each cache policy, their order, and the requests.
func checkPolicies(_ report: Report) async throws {
  let query = PersonQuery(id: "1", later: false)
  /// Returns the source and the name in each result (`server Eve`, `cache Ada`), then `error` if the request failed, and
  /// the number of requests.
  func run(
    _ policy: CachePolicy, cached: Bool, _ answers: [ScriptedAnswer] = [People.whole(name: "Eve")],
    _ change: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> ([String], Int) {
    let scripted = try Scripted(answers)
    if cached { try await scripted.store.write(ada, for: query) }
    var options = RequestOptions(cachePolicy: policy)
    change(&options)
    let (results, error) = await all(scripted.client.fetch(query: query, options: options))
    let words = results.map { "\($0.source.rawValue) \($0.data?.person?.name ?? "nothing")" }
    return (words + (error == nil ? [] : ["error"]), scripted.requestCount)
  }
  func check(_ what: String, _ found: ([String], Int), _ words: [String], _ count: Int) {
    report.check(what, found.0, is: words)
    report.check("\(what): requests", found.1, is: count)
  }
  check("cacheFirst uses the server if nothing is cached", try await run(.cacheFirst, cached: false), ["server Eve"], 1)
  check("cacheFirst uses cached data", try await run(.cacheFirst, cached: true), ["cache Ada"], 0)
  check("networkOnly always uses the server", try await run(.networkOnly, cached: true), ["server Eve"], 1)
  check("cacheOnly never uses the server", try await run(.cacheOnly, cached: false), ["error"], 0)
  check("cacheOnly uses cached data", try await run(.cacheOnly, cached: true), ["cache Ada"], 0)
  check("cacheAndNetwork returns both", try await run(.cacheAndNetwork, cached: true), ["cache Ada", "server Eve"], 1)
  check("networkFirst uses the server", try await run(.networkFirst, cached: true), ["server Eve"], 1)
  check(
    "networkFirst uses the cache if the network fails",
    try await run(.networkFirst, cached: true, [.raw([.close])]), ["cache Ada"], 1)
  check(
    "networkFirst reports a server's failure", try await run(.networkFirst, cached: true, [.json("{}", status: 500)]),
    ["error"], 1)
  let declared: DeclaredFieldMerge? = PeopleSchema.Metadata.fieldPolicies.first { $0.field == "list" }?.merge
  report.check(
    "models carry how the schema says that pages join", declared, is: .offset(argument: "offset", limit: "limit"))
  report.check("there are five policies", CachePolicy.allCases.count, is: 5)

  let never = try Scripted([People.whole()])
  var options = RequestOptions(cachePolicy: .networkOnly)
  options.cacheWrites = CacheWritePolicy.never
  _ = await all(never.client.fetch(query: query, options: options))
  report.check("excluded results are not written", try await never.store.read(query) == nil)

  let partial = try Scripted([People.whole(name: "Eve")])
  try await partial.store.write(ada, for: query)
  try await partial.store.evict("User:1", field: "mood")
  options = RequestOptions(cachePolicy: .cacheFirst, allowsPartialReads: true)
  let parts = await all(partial.client.fetch(query: query, options: options)).results
  report.check("allowed partial reads come first", parts.map(\.source), is: [.cache, .server])
  report.check("and are reported as partial", parts.first?.completeness, is: .partial)

  let time = Clock()
  let stale = try Scripted(
    [People.whole(name: "Eve")],
    store: Scripted.store(InMemoryNormalizedCache(), CachePolicies(timeToLive: ["User": 10]), clock: { time.seconds }))
  try await stale.store.write(ada, for: query)
  time.pass(11)
  report.check("expired data is missing", try await stale.store.read(query) == nil)
  options = RequestOptions(cachePolicy: .cacheOnly)
  options.allowsStaleReads = true
  let old = await all(stale.client.fetch(query: query, options: options)).results
  report.check("unless stale reads are allowed", old.first?.data?.person?.name, is: "Ada")

  let wrong = try Scripted([People.whole(["name": "7"]), People.whole()])
  let invalid = await all(wrong.client.fetch(query: query)).results.first
  report.check(
    "a response that contradicts the schema is reported", invalid?.errors.map(\.path), is: [["person", "name"]])
  report.check(
    "with its code", invalid?.errors.first?.extensions?["code"]?.string, is: GraphQLError.invalidResponseCode)
  report.check("the nearest nullable field becomes null", invalid?.data != nil && invalid?.data?.person == nil)
  let corrected = await all(wrong.client.fetch(query: query)).results.first
  report.check("and is requested again", corrected?.data?.person?.name, is: "Ada")
}

/// The expected response of a server, as a model.
var ada: PersonQuery.Data {
  let user = PersonQuery.Data.Person.AsUser(
    id: "1", name: "Ada", likes: 3, email: "a@b.c", mood: .init(.happy), born: Day("1815-12-10"), weight: 1.5,
    tags: ["x"], friends: .init(friends: []))
  return PersonQuery.Data(person: user.asRootEntityType)
}
