import ApusBirdsSelections
import ApusSelections
import ApusTesting
import Testing

/// Tests as an application writes them, with imports of the selections and of the mock server.
@Suite(.timeLimit(.minutes(1))) struct MockedServerTests {
  @Test func `a selection runs against the mock server`() async throws {
    let server = MockServer()
    server.respond(with: .data(#"{"bird":{"__typename":"Bird","id":"1","name":"Ada"}}"#))
    let bird: Selection<String, Objects.Bird> = Selection.Bird { try $0.name() }
    #expect(try await server.client().send(Selection.Query { try $0.bird(id: "1", bird.nullable) }) == "Ada")
  }

  @Test func `a mutation that returns the query root updates it`() async throws {
    let server = MockServer()
    server.respond(with: .data(#"{"change":{"count":2}}"#))
    let store = CacheStore()
    let client = server.client(store: store)
    let root = Selection<Int, Root> { try $0.__leaf("count", "Int!") }
    let change = Selection<Int, Change> { try $0.__object("change", "Root!", root) }
    #expect(try await client.send(change) == 2)
    #expect(try await client.send(root, cachePolicy: .cacheOnly) == 2)
  }
}

/// Root types with unusual names, as a generator would write them.
private enum Root: QueryScope {
  static var typeName: String { "Root" }
}

private enum Change: MutationScope {
  static var typeName: String { "Change" }
  static var queryTypeName: String? { "Root" }
}
