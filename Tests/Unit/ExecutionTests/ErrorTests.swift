import ApusGraphQLExecution
import ApusJSON
import ApusTestSupport
import Testing

/// Section 6.4.4 of the specification: field errors and null propagation.
@Suite(.timeLimit(.minutes(1))) struct ErrorTests {
  let sdl = """
    type Query { hero: Hero must: Hero! name: String }
    type Hero { name: String friends: [Hero] bravest: [Hero!] all: [Hero!]! must: String! }
    """

  func run(_ query: String, data: String) async throws -> String {
    try await Bench(sdl, data: data) { resolvers in
      resolvers.field("Hero", "name") { context in
        guard let name = (context.source as? JSONValue)?["name"]?.string else {
          throw ExecutionError("No name.", extensions: .object([("code", "NAMELESS")]))
        }
        return .string(name)
      }
    }.run(query)
  }

  @Test func `A field error has a path and a location, and the field is null`() async throws {
    let data = #"{"hero": {"friends": [{"name": "Luke"}, {}, {"name": "Leia"}]}}"#
    #expect(
      try await run("{\n  hero { friends { n: name } }\n}", data: data)
        == #"{"errors":[{"message":"No name.","locations":[{"line":2,"column":20}],"#
        + #""path":["hero","friends",1,"n"],"extensions":{"code":"NAMELESS"}}],"#
        + #""data":{"hero":{"friends":[{"n":"Luke"},{"n":null},{"n":"Leia"}]}}}"#)
  }

  @Test func `Null propagates to the nearest nullable field`() async throws {
    let error =
      #"{"errors":[{"message":"Cannot return null for non-nullable field Hero.must.","#
      + #""locations":[{"line":1,"column":"#
    #expect(
      try await run("{ hero { must } name }", data: #"{"hero": {}, "name": "n"}"#) == error
        + #"10}],"path":["hero","must"]}],"data":{"hero":null,"name":"n"}}"#)
    #expect(
      try await run("{ must { must } name }", data: #"{"must": {}}"#) == error
        + #"10}],"path":["must","must"]}],"data":null}"#)
  }

  @Test func `In a list, null propagates to the nullable item or to the list`() async throws {
    let data = #"{"hero": {"friends": [{}, {"must": "m"}], "bravest": [{"must": "m"}, {}], "all": [{}]}}"#
    func result(_ field: String) async throws -> String? {
      try JSONDocument(parsing: try await run("{ hero { \(field) { must } } }", data: data)).root["data"]?.description
    }
    #expect(try await result("friends") == #"{"hero":{"friends":[null,{"must":"m"}]}}"#)
    #expect(try await result("bravest") == #"{"hero":{"bravest":null}}"#)
    #expect(try await result("all") == #"{"hero":null}"#)
  }

  @Test func `Asynchronous sibling fields run concurrently`() async throws {
    let (first, second) = (Signal(), Signal())
    let bench = try Bench("type Query { a: String b: String }") { resolvers in
      // Each waits for the other, so that serial execution would never end.
      resolvers.asyncField("Query", "a") { _ in
        first.open()
        await second.wait()
        return .string("a")
      }
      resolvers.asyncField("Query", "b") { _ in
        second.open()
        await first.wait()
        return .string("b")
      }
    }
    #expect(try await bench.run("{ a b }") == #"{"data":{"a":"a","b":"b"}}"#)
  }

  @Test func `Mutation root fields run serially, including their selections`() async throws {
    let log = Log()
    let bench = try Bench("type Query { a: Int } type Mutation { first: Step second: Step } type Step { deep: Int }") {
      resolvers in
      for name in ["first", "second"] {
        resolvers.asyncField("Mutation", name) { _ in
          log.add(name)
          await Task.yield()
          return .object(name)
        }
      }
      resolvers.asyncField("Step", "deep") { context in
        await Task.yield()
        log.add("below \(try context.source(as: String.self))")
        return .int(1)
      }
    }
    #expect(
      try await bench.run("mutation { first { deep } second { deep } }")
        == #"{"data":{"first":{"deep":1},"second":{"deep":1}}}"#)
    #expect(log.entries == ["first", "below first", "second", "below second"])
  }

  @Test func `Cancelling the request cancels its resolvers`() async throws {
    let (started, cancelled) = (Signal(), Signal())
    let bench = try Bench("type Query { slow: String }") { resolvers in
      resolvers.asyncField("Query", "slow") { _ in
        started.open()
        do { try await Task.sleep(for: .seconds(3600)) } catch { cancelled.open() }
        return .null
      }
    }
    let task = Task { try await bench.run("{ slow }") }
    await started.wait()
    task.cancel()
    await cancelled.wait()
    _ = try await task.joined
  }
}
