import ApusBirdsModels
import ApusTesting
import Testing

/// The mock server as used in an application's tests.
@Suite(.timeLimit(.minutes(1)))
struct MockServerTests {
  private let base =
    #"{"bird":{"__typename":"Bird","id":"1","name":"Ada","sex":"FEMALE","ringedAt":"2020-05-01T00:00:00Z","station":{"__typename":"Station","id":"7","name":"Ottenby"}}}"#
  private let history =
    #"{"path":["bird"],"label":"history","data":{"migrationHistory":{"__typename":"MigrationHistory","flightCount":3,"totalDistance":12.5}}}"#
  private let range =
    #"{"path":["bird"],"label":"range","data":{"species":{"__typename":"Species","id":"s","range":{"__typename":"Range","breeding":["Gotland"]}}}}"#

  private func counted(_ count: Int) -> MockResponse.Payload { .json(#"{"data":{"countdown":\#(count)}}"#) }

  @Test func `a query receives its response and is recorded`() async throws {
    let server = MockServer()
    server.respond(to: RenameMutation.self, with: .errors("no such bird"))
    server.respond(to: BirdDetailsQuery.self, with: .data(#"{"bird":null}"#))
    let client = server.client(headers: ["X-Team": "birds"])
    let result = try await client.fetch(BirdDetailsQuery(id: "1"))
    #expect(result.data?.bird == nil && result.completeness == .complete)
    let renamed = try await client.perform(RenameMutation(id: "1", name: "Bo"))
    #expect(renamed.errors.map(\.message) == ["no such bird"])
    #expect(server.requests.map(\.operationName) == ["BirdDetails", "Rename"])
    #expect(server.requests[1].variables["name"]?.string == "Bo")
    #expect(server.requests[0].query?.contains("migrationHistory") == true)
    #expect(server.requests[0].http.headers["X-Team"] == "birds")
    #expect(server.unusedResponses.isEmpty)
  }

  @Test func `a model can be a response`() async throws {
    let server = MockServer()
    server.respond(with: .data(RenameMutation.Data.mock(renameBird: .mock(previousName: "Ada"))))
    let result = try await server.client().perform(RenameMutation(id: "1", name: "Bo"))
    #expect(result.data?.renameBird.previousName == "Ada")
  }

  @Test func `a mock of a scalar without a Swift type is not null`() async throws {
    let server = MockServer()
    server.respond(with: .data(BirdDetailsQuery.Data.mock(bird: .mock(name: "Ada"))))
    let result = try await server.client().fetch(BirdDetailsQuery(id: "1"))
    #expect(result.data?.bird?.ringedAt == "ringedAt")
    #expect(result.errors.isEmpty)
  }

  @Test func `parts arrive one by one with gates between them`() async throws {
    let server = MockServer()
    let gate = TestGate()
    server.respond(
      to: BirdDetailsQuery.self,
      with: .parts(
        .json(#"{"data":\#(base),"hasNext":true}"#), .hold(gate),
        .json(#"{"incremental":[\#(history),\#(range)],"hasNext":false}"#)))
    var results = server.client().fetch(query: BirdDetailsQuery(id: "1")).makeAsyncIterator()
    let first = try #require(try await results.next())
    await gate.waitUntilReached()
    #expect(first.completeness == .partial)
    let pending = try #require(first.data?.bird?.fragments)
    #expect(pending.lifeOnTheWing == nil)
    gate.open()
    let second = try #require(try await results.next())
    #expect(second.completeness == .complete)
    #expect(second.data?.bird?.fragments.lifeOnTheWing?.migrationHistory.flightCount == 3)
    #expect(try await results.next() == nil)
  }

  @Test func `a generated operation uploads a file`() async throws {
    let server = MockServer()
    server.respondAlways { _ in .data("null") }
    let file = GraphQLFile(variablePath: "name", name: "a.txt", content: .bytes([1]))
    let mutation = RenameMutation(id: "b1", name: "")
    for try await _ in server.client().upload(operation: mutation, files: [file]) {}
    #expect(server.requests.first?.variables["name"] == .null && server.requests.first?.variables["id"] == "b1")
    let other = GraphQLFile(variablePath: "nam", name: "a.txt", content: .bytes([1]))
    await #expect(throws: GraphQLClientError.self) {
      for try await _ in server.client().upload(operation: mutation, files: [other]) {}
    }
    #expect(server.requests.count == 1)
  }

  @Test func `delays use the test clock`() async throws {
    let clock = TestClock()
    let server = MockServer(clock: clock)
    server.respond(to: "BirdDetails", with: .data(#"{"bird":null}"#).delayed(by: .seconds(3600)))
    let client = server.client()
    async let result = client.fetch(BirdDetailsQuery(id: "1"))
    #expect(try await server.nextRequest().operationName == "BirdDetails")
    await clock.advance(by: .seconds(3600))
    #expect(try await result.completeness == .complete)
    #expect(clock.now == TestClock.Instant(offset: .seconds(3600)))
  }

  @Test func `a connection can be lost at any byte`() async throws {
    let server = MockServer()
    let complete = MockResponse.data(#"{"bird":null}"#)
    server.respondAlways { _ in complete.cut(afterBytes: 9) }
    await #expect(throws: GraphQLClientError.self) {
      _ = try await server.client().fetch(BirdDetailsQuery(id: "1"))
    }
    let lost = MockServer()
    lost.respond(with: .failure(.dnsFailure(host: "birds.example")))
    do {
      _ = try await lost.client().fetch(BirdDetailsQuery(id: "1"))
      Issue.record("nothing was sent")
    } catch GraphQLClientError.network(let error) {
      #expect(error == .dnsFailure(host: "birds.example"))
    }
  }

  @Test func `a connection lost between parts keeps the first result`() async throws {
    let server = MockServer()
    server.respond(
      with: .parts(
        .json(#"{"data":\#(base),"hasNext":true}"#), .fail(.interrupted(host: "birds.example", receivedBytes: 1))))
    var responses: [String] = []
    var ending: (any Error)?
    do {
      for try await result in server.client().fetch(query: BirdDetailsQuery(id: "1")) {
        responses.append(result.completeness.rawValue)
      }
    } catch {
      ending = error
    }
    #expect(responses.first == "partial")
    #expect(ending != nil)
  }

  @Test func `a subscription receives events`() async throws {
    let server = MockServer()
    server.respond(to: CountSubscription.self, with: .events(counted(2), counted(1), counted(0)))
    var counts: [Int] = []
    for try await result in server.client().subscribe(subscription: CountSubscription(from: 2)) {
      counts.append(try #require(result.data?.countdown))
    }
    #expect(counts == [2, 1, 0])
  }

  @Test func `an unexpected request lists the registered responses`() async throws {
    let server = MockServer()
    server.respond(to: RenameMutation.self, with: .errors("no"))
    do {
      _ = try await server.client().fetch(BirdDetailsQuery(id: "1"))
      Issue.record("an answer came from nowhere")
    } catch {
      #expect("\(error)".contains("BirdDetails") && "\(error)".contains("Rename"))
    }
    #expect(server.unusedResponses == ["Rename"])
  }

  @Test func `statuses and headers reach the chain`() async throws {
    let server = MockServer()
    server.respond(with: .text("<h1>busy</h1>", status: 503, type: "text/html").header("Retry-After", "1"))
    do {
      _ = try await server.client().fetch(BirdDetailsQuery(id: "1"))
      Issue.record("a page is no result")
    } catch GraphQLClientError.status(let failure) {
      #expect(failure.code == 503 && failure.headers["Retry-After"] == "1")
    }
  }

  @Test func `a recording can be replayed`() async throws {
    let recording = """
      {"event":"request","atMs":0,"url":"http://localhost/","operationName":"BirdDetails","query":"query BirdDetails { bird }","variables":{}}
      {"event":"head","atMs":1,"status":200,"contentType":"multipart/mixed; boundary=x; deferSpec=20220824"}
      {"event":"part","atMs":2,"payload":{"data":\(base),"hasNext":true}}
      {"event":"part","atMs":9002,"payload":{"incremental":[\(history),\(range)],"hasNext":false}}
      {"event":"end","atMs":9003,"exitCode":0}

      """
    let clock = TestClock()
    let server = MockServer(clock: clock)
    try server.replay(recording.utf8, keepsTiming: true)
    let client = server.client()
    async let result = client.fetch(BirdDetailsQuery(id: "1"))
    await clock.advance(by: .milliseconds(2))
    await clock.advance(by: .seconds(9))
    #expect(try await result.data?.bird?.fragments.lifeOnTheWing?.migrationHistory.flightCount == 3)
    #expect(throws: RecordingFormatError.self) { try server.replay("no recording".utf8) }
  }

  @Test func `releasing the results cancels the response`() async throws {
    let server = MockServer()
    let gate = TestGate()
    server.respond(with: .parts(.json(#"{"data":\#(base),"hasNext":true}"#), .hold(gate), .json(#"{"hasNext":false}"#)))
    let client = server.client()
    for try await _ in client.fetch(query: BirdDetailsQuery(id: "1")) {
      await gate.waitUntilReached()
      break
    }
    server.respond(with: .data(#"{"bird":null}"#))
    #expect(try await client.fetch(BirdDetailsQuery(id: "2")).completeness == .complete)
  }

  @Test func `reconnecting uses the test clock`() async throws {
    let clock = TestClock()
    let server = MockServer(clock: clock)
    server.respond(
      with: .events(.json(#"{"data":{"countdown":2}}"#), .fail(.interrupted(host: "birds.example", receivedBytes: 1))))
    server.respond(with: .events(.json(#"{"data":{"countdown":1}}"#)))
    var numbers: [Int] = []
    async let advanced: Void = clock.advance(by: .seconds(1))
    for try await result in server.client().subscribe(subscription: CountSubscription(from: 2)) {
      if let number = result.data?.countdown { numbers.append(number) }
    }
    await advanced
    #expect(numbers == [2, 1])
    #expect(server.requests.count == 2)
  }
}
