import PeopleAPI
import ScriptedServers
import Synchronization

/// Checks optional features: retries, persisted queries, tokens, shared requests, logs, files.
func checkFeatures(_ report: Report) async throws {
  let query = PersonQuery(id: "1", later: false)
  var features = RequestFeatures()
  var retry = RetryPolicy()
  retry.sleep = { _ in }
  features.retry = retry
  let flaky = try Scripted([.json("{}", status: 503), .json("{}", status: 503), People.whole()], features: features)
  report.check("a query is retried", await all(flaky.client.fetch(query: query)).results.count, is: 1)
  report.check("until it has a response", flaky.requestCount, is: 3)
  let mutation = try Scripted([.json("{}", status: 503)], features: features)
  report.check(
    "a mutation is not", await all(mutation.client.perform(mutation: RenameMutation(id: "1", name: "A"))).error != nil)
  report.check("it is sent once", mutation.requestCount, is: 1)
  report.check("delays double", (retry.delay(before: 3) ?? .zero) > (retry.delay(before: 1) ?? .zero))

  features = RequestFeatures()
  features.persistedQueries = PersistedQueryOptions()
  let persisted = try Scripted(
    [
      .json(#"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#),
      People.whole(),
    ], features: features)
  _ = await all(persisted.client.fetch(query: query))
  report.check(
    "the digest is sent first", try JSONValue(parsing: persisted.server.requests[0].bodyText)["query"] == nil)
  report.check(
    "the text once it is not known", try JSONValue(parsing: persisted.server.requests[1].bodyText)["query"] != nil)

  features = RequestFeatures()
  let credentials = Credentials(token: "old") { _ in "new" }
  features.credentials = credentials
  var authentication = AuthenticationOptions()
  authentication.prefix = "Token "
  features.authentication = authentication
  let guarded = try Scripted([.json("{}", status: 401), People.whole()], features: features)
  report.check("a rejected token is renewed", await all(guarded.client.fetch(query: query)).results.count, is: 1)
  report.check(
    "with the new one", guarded.server.requests.map { $0.header("Authorization") }, is: ["Token old", "Token new"])
  report.check("which is kept", try await credentials.current(), is: "new")
  let own = AuthenticationInterceptor(credentials: credentials)
  report.check(
    "the interceptors can be had by themselves",
    ([own, PersistedQueryInterceptor()] as [any RequestChainInterceptor]).count, is: 2)

  features = RequestFeatures()
  features.deduplicatesQueries = true
  let lines = Mutex<[String]>([])
  features.log = { line in lines.withLock { $0.append(line) } }
  let gate = Gate()
  let shared = try Scripted([People.whole().held(by: gate)], features: features)
  async let one = all(shared.client.fetch(query: query, cachePolicy: .networkOnly))
  async let two = all(shared.client.fetch(query: query, cachePolicy: .networkOnly))
  _ = try await shared.server.request()
  gate.open()
  report.check("identical queries are answered", await [one.results.count, two.results.count], is: [1, 1])
  report.check("a log has lines", !lines.withLock { $0.isEmpty })
  report.check("without the values of variables", !lines.withLock { $0.joined().contains("Ada") })

  var options = RequestOptions(cachePolicy: .networkOnly)
  let seen = Mutex<[String]>([])
  let monitor = RequestMonitor { (observation: RequestMonitor.Observation) in
    let name =
      switch observation {
      case .sent: "sent"
      case .head: "head"
      case .part: "part"
      case .subscription: "subscription"
      case .ended: "ended"
      case .fellBack: "fellBack"
      }
    seen.withLock { $0.append(name) }
  }
  options.monitor = monitor
  let monitored = try Scripted([People.inParts()])
  _ = await all(monitored.client.fetch(query: PersonQuery(id: "1"), options: options))
  let facts: RequestMonitor.Snapshot = monitor.facts
  report.check("a monitor has the head", facts.head?.status, is: 200)
  report.check("and every payload", facts.parts.count, is: 2)
  let raw: RequestMonitor.RawPart? = facts.parts.first
  report.check("as it was received", raw.map { !$0.body.isEmpty }, is: true)
  report.check("and the agreed format", facts.agreedFormat, is: "deferSpec=20220824")
  report.check("and the timings", facts.timings != nil)
  report.check("a monitor reports progress", seen.withLock { $0.filter { $0 == "part" }.count }, is: 2)

  let uploads = try Scripted([.json(#"{"data":{"save":null}}"#)])
  let content: GraphQLFile.Content = .bytes(Array("hello".utf8))
  let file = GraphQLFile(variablePath: "person.name", name: "a.txt", contentType: "text/plain", content: content)
  _ = await all(uploads.client.upload(operation: SaveMutation(person: .init(id: "1")), files: [file]))
  report.check(
    "files are sent in a form", uploads.server.requests.first?.header("Content-Type")?.hasPrefix("multipart/form-data"),
    is: true)
  report.check("with their bytes", uploads.server.requests.first?.bodyText.contains("hello"), is: true)

  features = RequestFeatures()
  var registry = PartReaderRegistry.standard
  registry.register(Wrapped())
  features.partReaders = registry
  let wrapped = try Scripted(
    [
      .multipart(
        specification: "wrappedSpec=1", [.text(#"{"inside":\#(People.person(People.user(["friends": "[]"])))}"#)])
    ], features: features)
  report.check(
    "a custom multipart format is read",
    await all(wrapped.client.fetch(query: query)).results.first?.data?.person?.name, is: "Ada")
  let known: any PartReader = IncrementalPartReader.incrementalV02
  report.check("the known kinds can be read alone", known.specification, is: "incrementalSpec=v0.2")
  if case .payload(let payload) = SubscriptionPartReader().payload(of: ["payload": ["data": .null]]) {
    report.check("a subscription wraps its payload", payload, is: ["data": .null])
  }
}

/// A reader of parts that wrap their payload.
private struct Wrapped: PartReader {
  let specification = "wrappedSpec=1"
  func payload(of json: JSONValue) -> PartPayload { json["inside"].map { .payload($0) } ?? .heartbeat }
}
