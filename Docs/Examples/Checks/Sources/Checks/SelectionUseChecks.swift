import PeopleSelections
import ScriptedServers

/// A model that does not depend on a schema.
private struct Human: Identifiable, Sendable, Equatable {
  struct ID: Hashable, Sendable {
    let text: String
    static func fromString(_ text: String) -> ID { ID(text: text) }
  }

  let id: ID
  let name: String
}

/// Checks selections of objects, lists, nullable fields, all fields of a type, mapped values, unions and interfaces.
func checkSelectionUse(_ report: Report) async throws {
  func sent<Value: Sendable, Root: RequestScope>(
    _ selection: Selection<Value, Root>, _ data: String
  ) async throws -> (value: Value, request: String) {
    let server = try ScriptedServer([.json(#"{"data":\#(data)}"#)])
    defer { server.stop() }
    var options = RequestOptions()
    options.headers = ["Authorization": "Bearer 1"]
    let value = try await GraphQLClient(url: server.url).send(selection, options: options)
    report.check("a request has its header fields", server.requests.first?.header("Authorization"), is: "Bearer 1")
    return (value, server.requests.first?.bodyText ?? "")
  }
  let person = #"{"__typename":"User","id":"1","name":"Ada"}"#

  // The type written out, and the generated name for it.
  let humanID = Selection<Human.ID, Objects.User> { Human.ID.fromString(try $0.id()) }
  let written = Selection<Human, Objects.User> { select in
    Human(id: Human.ID.fromString(try select.id()), name: try select.name())
  }
  let human = Selection.User { Human(id: try $0.selection(humanID), name: try $0.name()) }
  let named: Selection<String, Objects.User> = human.map { $0.name }
  let ada = Human(id: .fromString("1"), name: "Ada")
  let saving = Selection.Mutation { try $0.save(person: .init(id: "1"), written.nullable) }
  report.check(
    "a selection makes the program's own model", try await sent(saving, #"{"save":\#(person)}"#).value, is: ada)

  // A list, its count, and three ways to express a nullable value.
  let anyone = Selection.Person { try $0.name() }
  let list = Selection.Query { try $0.list(offset: .present(0), limit: .absent(), anyone.list) }
  let (names, request) = try await sent(list, #"{"list":[\#(person)]}"#)
  report.check("a list is selected", names, is: ["Ada"])
  report.check("an argument that is absent is not sent", request.contains("limit"), is: false)
  let count = Selection.Query { try $0.list(anyone.list).count }
  report.check("its value may be its length", try await sent(count, #"{"list":[\#(person)]}"#).value, is: 1)
  let same = Selection.Query { try $0.list(Selection.list(anyone)) }
  report.check("the list may come first", try await sent(same, #"{"list":[]}"#).value, is: [])
  let nullable = Selection.Query { try $0.person(id: "1", Selection.nullable(anyone)) }
  report.check("null is nil", try await sent(nullable, #"{"person":null}"#).value == nil)
  let there = Selection.Query { try $0.person(id: "1", Selection.nonNullOrFail(anyone)) }
  report.check("a required value is not optional", try await sent(there, #"{"person":\#(person)}"#).value, is: "Ada")

  // Select all fields first, then compute.
  let line = Selection<String, Objects.User> { select in
    /* Data */
    let likes = try select.likes()
    let name = try select.name()
    let email = try select.email()
    /* Return */
    return likes > 5 ? name : email
  }
  let asked = try SelectionOperation(Selection.Mutation { try $0.save(person: .init(id: "1"), line.nullable) })
  report.check(
    "both are asked for, whichever is used",
    asked.compiled.documentText.contains("name") && asked.compiled.documentText.contains("email"))

  // A union, and an interface with the fields that its types share.
  let result = Selection<String, Unions.Result> {
    try $0.on(bot: .init { try $0.name() /* String */ }, user: named)
  }
  let found = Selection.Query { try $0.find(by: .id("1"), result.nullable) }
  report.check("each type of a union has a selection", try await sent(found, #"{"find":\#(person)}"#).value, is: "Ada")
  let about = Selection<String, Interfaces.Person> {
    /* Common */
    let name = try $0.name()
    /* Fragments */
    let kind = try $0.on(
      bot: Selection<String, Objects.Bot> { bot in "bot \(try bot.id())" },
      user: Selection<String, Objects.User> { user in "user \(try user.id())" })
    return "\(name). \(kind)"
  }
  let someone = Selection.Query { try $0.person(id: "1", about.nullable) }
  report.check(
    "of an interface there are common fields", try await sent(someone, #"{"person":\#(person)}"#).value,
    is: "Ada. user 1")

  // The same field twice with different arguments gets an alias automatically.
  let two = Selection.Query { query in
    [try query.person(id: "1", anyone.nullable), try query.person(id: "2", anyone.nullable)]
  }
  let both = try await sent(
    two, #"{"person":\#(person),"person_2":{"__typename":"Bot","id":"2","name":"R2"}}"#)
  report.check("a field is selected twice", both.value, is: ["Ada", "R2"])

  // An argument can be null, absent or a value.
  func json(_ argument: OptionalArgument<String>) -> JSONValue? {
    InputObjects.PersonInput(id: "1", name: argument).inputJSON
  }
  report.check("an argument is present", json(.present("Ada")), is: ["id": "1", "name": "Ada"])
  report.check("or null", json(.null()), is: ["id": "1", "name": .null])
  report.check("or absent, by default", json(.absent()), is: InputObjects.PersonInput(id: "1").inputJSON)

  try await checkListening(report)
}

/// Checks that a subscription delivers events until the reader stops.
private func checkListening(_ report: Report) async throws {
  let event = ScriptedAnswer.Piece.text(
    "event: next\ndata: {\"data\":{\"renamed\":{\"__typename\":\"User\",\"id\":\"1\",\"name\":\"Eve\"}}}\n\n")
  let gate = Gate()
  let server = try ScriptedServer([
    .response(headers: [("Content-Type", "text/event-stream")], [event, .hold(gate), event])
  ])
  let renamed = Selection.Subscription { try $0.renamed(Selection.User { try $0.name() }.nullable) }
  for try await result in eventClient(server.url).subscribe(to: renamed) {
    report.check("an event is received", result.data ?? nil, is: "Eve")
    break
  }
  try await server.clientClosed()
  report.check("leaving the loop closes the connection", true)
  server.stop()
}
