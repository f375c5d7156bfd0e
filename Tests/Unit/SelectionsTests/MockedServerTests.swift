import ApusBirdsSelections
import ApusSelections
import ApusTesting
import Testing

/// An application's tests of its selections: what selects and what answers is imported side by side.
struct MockedServerTests {
  @Test func aSelectionIsAnsweredByTheMockServer() async throws {
    let server = MockServer()
    server.answer(with: .data(#"{"bird":{"__typename":"Bird","id":"1","name":"Ada"}}"#))
    let bird: Selection<String, Objects.Bird> = Selection.Bird { try $0.name() }
    #expect(try await server.client().send(Selection.Query { try $0.bird(id: "1", bird.nullable) }) == "Ada")
  }
}
