import ApusBirdsModels
import ApusTesting
import Testing

// The tests shown in Docs/TestingApplications.md. ArchitectureTests check that they are identical.

/// The text that an application shows for a bird.
func title(of id: String, from client: GraphQLClient) async -> String {
  do {
    let result = try await client.fetch(BirdDetailsQuery(id: id))
    return result.data?.bird?.name ?? "no such bird"
  } catch {
    return "no connection"
  }
}

@Test func aBirdIsShownByItsName() async {
  let server = MockServer()
  let ada = BirdDetailsQuery.Data.Bird.mock(name: "Ada", ringedAt: "2020-05-01T00:00:00Z")
  server.respond(to: BirdDetailsQuery.self, with: .data(BirdDetailsQuery.Data(bird: ada)))
  #expect(await title(of: "b1", from: server.client()) == "Ada")
  #expect(server.requests.map(\.operationName) == ["BirdDetails"])
  #expect(server.requests.first?.variables["id"] == "b1")
  #expect(server.unusedResponses.isEmpty)
}

@Test func aLostConnectionIsShown() async {
  let server = MockServer()
  server.respond(with: .failure(.connectionRefused(host: "birds.example")))
  server.respond(with: .data(#"{"bird":null}"#).cut(afterBytes: 9))
  let client = server.client()
  #expect(await title(of: "b1", from: client) == "no connection")
  #expect(await title(of: "b1", from: client) == "no connection")
}

@Test func theHistoryFollowsTheBird() async throws {
  let server = MockServer()
  let gate = TestGate()
  server.respond(
    to: BirdDetailsQuery.self,
    with: .parts(
      #"""
      {"data":{"bird":{"__typename":"Bird","id":"b1","name":"Ada","sex":"FEMALE","ringedAt":"2020-05-01T00:00:00Z",
      "station":{"__typename":"Station","id":"s7","name":"Ottenby"}}},"hasNext":true}
      """#,
      .hold(gate),
      #"""
      {"incremental":[
      {"path":["bird"],"label":"history",
      "data":{"migrationHistory":{"__typename":"MigrationHistory","flightCount":3,"totalDistance":12.5}}},
      {"path":["bird"],"label":"range","data":{"species":{"__typename":"Species","id":"s1","range":null}}}
      ],"hasNext":false}
      """#))
  var results = server.client().fetch(query: BirdDetailsQuery(id: "b1")).makeAsyncIterator()
  let first = try await results.next()?.data?.bird
  #expect(first?.name == "Ada")
  #expect(first?.fragments.$lifeOnTheWing == .pending)
  gate.open()
  let second = try await results.next()?.data?.bird
  #expect(second?.fragments.lifeOnTheWing?.migrationHistory.flightCount == 3)
}

@Test func aBusyServerIsRetried() async {
  let clock = TestClock()
  let server = MockServer(clock: clock)
  server.respond(with: .text("busy", status: 503))
  server.respond(with: .data(#"{"bird":null}"#))
  var retry = RetryPolicy()
  retry.sleep = { try await clock.sleep(for: $0) }
  var features = RequestFeatures()
  features.retry = retry
  let client = server.client(features: features)
  async let shown = title(of: "b1", from: client)
  await clock.advance(by: .seconds(1))
  #expect(await shown == "no such bird")
  #expect(server.requests.count == 2)
}

@Test func eventsAreCounted() async throws {
  let server = MockServer()
  server.respond(
    to: CountSubscription.self,
    with: .events(#"{"data":{"countdown":2}}"#, .wait(.milliseconds(1)), #"{"data":{"countdown":1}}"#))
  var counts: [Int] = []
  for try await result in server.client().subscribe(subscription: CountSubscription(from: 2)) {
    if let count = result.data?.countdown { counts.append(count) }
  }
  #expect(counts == [2, 1])
}

@Test func aRecordedSessionCanBeReplayed() async throws {
  let server = MockServer()
  try server.replay(recordedSession.utf8)
  #expect(await title(of: "b1", from: server.client()) == "Ada")
}

@Test func cachedDataIsShownWithoutAServer() async throws {
  let store = CacheStore()
  let flock = FlockQuery.Data.mock(birds: .mock(totalCount: 7))
  try await store.write(flock, for: FlockQuery(first: 10))
  let offline = MockServer().client(store: store)
  let result = try await offline.fetch(FlockQuery(first: 10), cachePolicy: .cacheOnly)
  #expect(result.data?.birds.totalCount == 7)
  #expect(result.source == .cache)
}

/// A recording in the format of `apus query --record session.jsonl`.
let recordedSession = """
  {"event":"request","atMs":0,"url":"http://localhost/","operationName":"BirdDetails","query":"query BirdDetails { bird }","variables":{}}
  {"event":"head","atMs":1,"status":200,"contentType":"application/json"}
  {"event":"part","atMs":2,"payload":{"data":{"bird":{"__typename":"Bird","id":"b1","name":"Ada","sex":"FEMALE","ringedAt":"2020-05-01T00:00:00Z","station":{"__typename":"Station","id":"s7","name":"Ottenby"},"migrationHistory":{"__typename":"MigrationHistory","flightCount":3,"totalDistance":12.5},"species":{"__typename":"Species","id":"s1","range":null}}}}}
  {"event":"end","atMs":3,"exitCode":0}

  """
