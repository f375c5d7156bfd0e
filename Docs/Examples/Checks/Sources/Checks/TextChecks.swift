import PeopleAPI
import ScriptedServers

/// Checks operations and fragments from text, their errors, and awaiting one result instead of a stream.
func checkText(_ report: Report) async throws {
  let schema = try GraphQLSchema(sdl: "type Query { person(id: ID!): User } type User { id: ID! name: String! }")
  let scripted = try Scripted([
    .json(#"{"data":{"person":{"__typename":"User","id":"1","name":"Ada"}}}"#), People.whole(),
    .json(#"{"data":{"rename":{"__typename":"User","id":"1","name":"Eve"}}}"#),
  ])
  let text = "query One($id: ID!) { person(id: $id) { name } }"
  var names: [String?] = []
  for try await result in try scripted.client.run(text, variables: ["id": "1"], schema: schema) {
    names.append(result.data?["person"]?["name"]?.string)
  }
  report.check("text is run", names, is: ["Ada"])
  let fragment = try DynamicFragment(text: "fragment Name on User { name }")
  report.check(
    "a fragment from text is read at a key", try await scripted.store.read(fragment, key: "User:1"), is: ["name": "Ada"]
  )
  do throws(CompileError) {
    _ = try DynamicOperation(text: "{\n  person(id: 1) { nmae }\n}", schema: schema)
    report.check("errors are reported", false)
  } catch {
    let problems: [GraphQLDiagnostic] = if case .invalid(let problems) = error { problems } else { [] }
    report.check("errors have their locations", problems.map { [$0.line, $0.column] }, is: [[2, 19]])
  }
  do throws(GraphQLSchemaError) {
    _ = try GraphQLSchema(sdl: "type {")
    report.check("an invalid schema is reported", false)
  } catch {
    report.check("an invalid schema is reported", error.description.isEmpty, is: false)
  }
  let whole = try await scripted.client.fetch(PersonQuery(id: "1", later: false), cachePolicy: .networkOnly)
  report.check("an awaited fetch returns the last result", whole.data?.person?.name, is: "Ada")
  let renamed = try await scripted.client.perform(RenameMutation(id: "1", name: "Eve"))
  report.check("and so does a mutation", renamed.data?.rename?.name, is: "Eve")
}
