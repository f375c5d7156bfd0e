import ApusTesting
import PeopleSelections

/// Checks tests of selections, which import both the selection API and the mock server.
func checkTestedSelections(_ report: Report) async throws {
  let server = MockServer()
  server.respond(with: .data(#"{"person":{"__typename":"User","id":"1","name":"Ada"}}"#))
  let name: Selection<String, Interfaces.Person> = Selection.Person { try $0.name() }
  let query = Selection.Query { try $0.person(id: "1", name.nullable) }
  report.check("a selection is answered by the mock server", try await server.client().send(query), is: "Ada")
}
