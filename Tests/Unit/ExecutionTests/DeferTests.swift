import ApusGraphQLExecution
import ApusJSON
import ApusTestSupport
import Testing

/// `@defer` as in the incremental delivery draft, in both formats.
@Suite(.timeLimit(.minutes(1)))
struct DeferTests {
  let sdl = """
    type Query { hero: Hero me: Hero! }
    type Hero { id: ID name: String slow: String must: String! friends: [Hero] nested: Hero home: Home }
    type Home { city: String street: String must: String! }
    """
  let data = """
    {"hero": {"id": "1", "name": "Luke", "slow": "later", "friends": [{"id": "2", "name": "Han"},
    {"id": "3", "name": "Leia"}], "nested": {"id": "4", "name": "R2", "slow": "beep"},
    "home": {"city": "Mos", "street": "Sand"}}, "me": {"id": "9"}}
    """

  func a(_ query: String, variables: String? = nil) async throws -> [String] {
    try await Bench(sdl, data: data).format2022(query, variables: variables)
  }

  func b(_ query: String, variables: String? = nil) async throws -> [String] {
    try await Bench(sdl, data: data).formatV02(query, variables: variables)
  }

  @Test func `A deferred fragment follows the initial result, with its label and path`() async throws {
    let query = #"{ hero { id ...F @defer(label: "later") } } fragment F on Hero { id name }"#
    #expect(
      try await a(query) == [
        #"{"data":{"hero":{"id":"1"}},"hasNext":true}"#,
        #"{"incremental":[{"data":{"id":"1","name":"Luke"},"path":["hero"],"label":"later"}],"hasNext":false}"#,
      ])
    #expect(
      try await b(query) == [
        #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"],"label":"later"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"name":"Luke"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ])
  }

  @Test func `A fragment with @defer(if: false) is in the initial result`() async throws {
    let query = "query ($d: Boolean!) { hero { id ... @defer(if: $d) { name } } }"
    #expect(try await a(query, variables: #"{"d": false}"#) == [#"{"data":{"hero":{"id":"1","name":"Luke"}}}"#])
    #expect(try await a(query, variables: #"{"d": true}"#).count == 2)
    // An explicit null is not a valid Boolean; a missing value uses the default.
    let nullable = "query ($d: Boolean) { hero { id ... @defer(if: $d) { name } } }"
    let error = try await a(nullable, variables: #"{"d": null}"#)
    #expect(error.count == 1 && error[0].contains(#""path":["hero"]"#) && error[0].contains("must be a Boolean"))
    #expect(try await a(nullable).count == 2)
    #expect(
      try await a("{ hero { id ... @defer @skip(if: true) { name } } }") == [#"{"data":{"hero":{"id":"1"}}}"#])
  }

  @Test func `A client that does not accept incremental delivery gets one result`() async throws {
    #expect(
      try await Bench(sdl, data: data).run("{ hero { id ... @defer { name } } }")
        == #"{"data":{"hero":{"id":"1","name":"Luke"}}}"#)
  }

  @Test func `A fragment at the root has an empty path`() async throws {
    let query = #"{ ... @defer(label: "all") { hero { id } } }"#
    #expect(
      try await a(query) == [
        #"{"data":{},"hasNext":true}"#,
        #"{"incremental":[{"data":{"hero":{"id":"1"}},"path":[],"label":"all"}],"hasNext":false}"#,
      ])
    #expect(
      try await b(query) == [
        #"{"data":{},"pending":[{"id":"0","path":[],"label":"all"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"hero":{"id":"1"}}}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ])
  }

  @Test func `Each object of a list has its own deferred fragment`() async throws {
    let query = "{ hero { friends { id ... @defer { name } } } }"
    #expect(
      try await a(query).last == #"{"incremental":[{"data":{"name":"Han"},"path":["hero","friends",0]},"#
        + #"{"data":{"name":"Leia"},"path":["hero","friends",1]}],"hasNext":false}"#)
  }

  @Test func `A nested fragment follows the outer one`() async throws {
    let query = #"{ hero { ... @defer(label: "outer") { name ... @defer(label: "inner") { slow } } } }"#
    #expect(
      try await a(query) == [
        #"{"data":{"hero":{}},"hasNext":true}"#,
        #"{"incremental":[{"data":{"name":"Luke"},"path":["hero"],"label":"outer"}],"hasNext":true}"#,
        #"{"incremental":[{"data":{"slow":"later"},"path":["hero"],"label":"inner"}],"hasNext":false}"#,
      ])
    #expect(
      try await b(query) == [
        #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"],"label":"outer"}],"hasNext":true}"#,
        #"{"pending":[{"id":"1","path":["hero"],"label":"inner"}],"incremental":[{"id":"0","data":{"name":"Luke"}}],"#
          + #""completed":[{"id":"0"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","data":{"slow":"later"}}],"completed":[{"id":"1"}],"hasNext":false}"#,
      ])
  }

  @Test func `A fragment that contains only another one is empty or not announced`() async throws {
    let query = #"{ hero { ... @defer(label: "outer") { ... @defer(label: "inner") { name } } } }"#
    #expect(
      try await a(query) == [
        #"{"data":{"hero":{}},"hasNext":true}"#,
        #"{"incremental":[{"data":{},"path":["hero"],"label":"outer"}],"hasNext":true}"#,
        #"{"incremental":[{"data":{"name":"Luke"},"path":["hero"],"label":"inner"}],"hasNext":false}"#,
      ])
    #expect(
      try await b(query) == [
        #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"],"label":"inner"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"name":"Luke"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ])
  }

  @Test func `Deferred fields are merged into objects of the initial result`() async throws {
    let query = #"{ hero { home { city } ... @defer(label: "d") { home { city street } } } }"#
    #expect(
      try await a(query).last == #"{"incremental":[{"data":{"home":{"city":"Mos","street":"Sand"}},"#
        + #""path":["hero"],"label":"d"}],"hasNext":false}"#)
    #expect(
      try await b(query) == [
        #"{"data":{"hero":{"home":{"city":"Mos"}}},"pending":[{"id":"0","path":["hero"],"label":"d"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"street":"Sand"},"subPath":["home"]}],"completed":[{"id":"0"}],"#
          + #""hasNext":false}"#,
      ])
  }

  @Test func `Shared fields are sent once in the v0.2 format and with each fragment in the 2022 format`() async throws {
    let query = """
      { hero { ... @defer(label: "x") { name slow } ... @defer(label: "y") { name id } } }
      """
    #expect(
      try await a(query).last
        == #"{"incremental":[{"data":{"name":"Luke","slow":"later"},"path":["hero"],"label":"x"},"#
        + #"{"data":{"name":"Luke","id":"1"},"path":["hero"],"label":"y"}],"hasNext":false}"#)
    let payloads = try await b(query)
    let last = try JSONDocument(parsing: try #require(payloads.last)).root
    #expect(payloads.count == 2)
    #expect(last["completed"]?.count == 2)
    let keys = try #require(last["incremental"]).elements.flatMap { $0["data"]?.members.map(\.key) ?? [] }
    #expect(keys.sorted() == ["id", "name", "slow"])
  }

  @Test func `An error in a nullable deferred field is sent with its fragment`() async throws {
    let bench = try Bench(sdl, data: data) { resolvers in
      resolvers.field("Hero", "slow") { _ in throw ExecutionError("no") }
    }
    let error = #"{"message":"no","locations":[{"line":1,"column":26}],"path":["hero","slow"]}"#
    let query = "{ hero { id ... @defer { slow } } }"
    #expect(
      try await bench.format2022(query).last
        == #"{"incremental":[{"data":{"slow":null},"path":["hero"],"errors":[\#(error)]}],"hasNext":false}"#)
    #expect(
      try await bench.formatV02(query).last
        == #"{"incremental":[{"id":"0","data":{"slow":null},"errors":[\#(error)]}],"completed":[{"id":"0"}],"#
        + #""hasNext":false}"#)
  }

  @Test func `Null propagation to a fragment's root fails only that fragment`() async throws {
    let query = #"{ hero { id ... @defer(label: "bad") { must } ... @defer(label: "good") { name } } }"#
    let error =
      #"{"message":"Cannot return null for non-nullable field Hero.must.","#
      + #""locations":[{"line":1,"column":40}],"path":["hero","must"]}"#
    #expect(
      try await a(query).last == #"{"incremental":[{"data":null,"path":["hero"],"label":"bad","errors":[\#(error)]},"#
        + #"{"data":{"name":"Luke"},"path":["hero"],"label":"good"}],"hasNext":false}"#)
    #expect(
      try await b(query).last == #"{"incremental":[{"id":"1","data":{"name":"Luke"}}],"#
        + #""completed":[{"id":"0","errors":[\#(error)]},{"id":"1"}],"hasNext":false}"#)
  }

  @Test func `A fragment in a null parent is not announced`() async throws {
    let query = "{ hero { id } me { must ... @defer { name } } }"
    let response = try await b(query)
    #expect(response.count == 1)
    #expect(response[0].contains(#""data":null"#))
    #expect(!response[0].contains("pending"))
  }

  @Test func `Fragments are sent as soon as they are ready, in any order`() async throws {
    let gate = Signal()
    let bench = try Bench(sdl, data: data) { resolvers in
      resolvers.asyncField("Hero", "slow") { _ in
        await gate.wait()
        return .string("at last")
      }
    }
    let request = ExecutionRequest(
      .init(parsing: "{ hero { ... @defer { slow } ... @defer { name } } }"), incremental: .defer20220824)
    guard case .incremental(let initial, let rest) = await bench.executor.execute(request, on: bench.data) else {
      Issue.record("not incremental")
      return
    }
    var payloads = rest.makeAsyncIterator()
    #expect(initial.description == #"{"data":{"hero":{}},"hasNext":true}"#)
    #expect(
      await payloads.next()?.description
        == #"{"incremental":[{"data":{"name":"Luke"},"path":["hero"]}],"hasNext":true}"#)
    gate.open()
    #expect(
      await payloads.next()?.description
        == #"{"incremental":[{"data":{"slow":"at last"},"path":["hero"]}],"hasNext":false}"#)
    #expect(await payloads.next() == nil)
  }

  @Test func `Ending the iteration cancels running resolvers`() async throws {
    let (started, cancelled) = (Signal(), Signal())
    let bench = try Bench(sdl, data: data) { resolvers in
      resolvers.asyncField("Hero", "slow") { _ in
        started.open()
        do { try await Task.sleep(for: .seconds(3600)) } catch { cancelled.open() }
        return .null
      }
    }
    let request = ExecutionRequest(
      .init(parsing: "{ hero { id ... @defer { slow } } }"), incremental: .incrementalV02)
    do {
      let response = await bench.executor.execute(request, on: bench.data)
      guard case .incremental = response else {
        Issue.record("not incremental")
        return
      }
      await started.wait()
    }
    await cancelled.wait()
  }

  @Test func `A fragment spread with and without @defer is not deferred`() async throws {
    let query = "{ hero { ...F @defer ...F } } fragment F on Hero { name }"
    #expect(try await b(query) == [#"{"data":{"hero":{"name":"Luke"}}}"#])
  }

  @Test func `A deferred field that is also selected without @defer is in the initial result`() async throws {
    let fragment = " fragment F on Hero { name }"
    let once = #"{ ... @defer(label: "d") { hero { ...F } } hero { ...F } }"# + fragment
    #expect(try await b(once) == [#"{"data":{"hero":{"name":"Luke"}}}"#])
    let more = #"{ ... @defer(label: "d") { hero { ...F slow } } hero { ...F } }"# + fragment
    #expect(
      try await b(more) == [
        #"{"data":{"hero":{"name":"Luke"}},"pending":[{"id":"0","path":[],"label":"d"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"slow":"later"},"subPath":["hero"]}],"completed":[{"id":"0"}],"#
          + #""hasNext":false}"#,
      ])
    #expect(try await a(once).first == #"{"data":{"hero":{"name":"Luke"}},"hasNext":true}"#)
  }
}
