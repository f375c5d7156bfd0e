import ApusBirdsSelections
import ApusSelections
import ApusTesting
import Testing

/// Tests as an application writes them, with imports of the selections and of the mock server.
struct MockedServerTests {
  @Test func aSelectionRunsAgainstTheMockServer() async throws {
    let server = MockServer()
    server.respond(with: .data(#"{"bird":{"__typename":"Bird","id":"1","name":"Ada"}}"#))
    let bird: Selection<String, Objects.Bird> = Selection.Bird { try $0.name() }
    #expect(try await server.client().send(Selection.Query { try $0.bird(id: "1", bird.nullable) }) == "Ada")
  }
}
