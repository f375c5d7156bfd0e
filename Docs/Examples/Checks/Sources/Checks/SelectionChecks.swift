import PeopleSelections
import ScriptedServers

/// Checks queries written in Swift.
func checkSelections(_ report: Report) async throws {
  func answer(_ data: String) -> ScriptedAnswer { .json(#"{"data":\#(data)}"#) }
  var servers: [ScriptedServer] = []
  func client(_ answers: [ScriptedAnswer]) throws -> (GraphQLClient, ScriptedServer) {
    let server = try ScriptedServer(answers)
    servers.append(server)
    return (GraphQLClient(url: server.url, store: CacheStore()), server)
  }
  let userLine = Selection.User { (user: Fields<Objects.User>) in
    Line(id: try user.id(), name: try user.name(), born: try user.born(), mood: try user.mood())
  }
  report.check("a selection has a value without a server", try userLine.mock().name, is: "1")
  let found = Selection.Query { query in
    try query.find(
      by: .id("1"),
      Selection.Result { try $0.on(bot: .init { try $0.name() }, user: userLine.map { $0.name }) }.nullable)
  }
  let (one, server) = try client([
    answer(#"{"find":{"__typename":"User","id":1,"name":"Ada","born":"1815-12-10","mood":"HAPPY"}}"#)
  ])
  report.check("a selection is sent and read", try await one.send(found), is: "Ada")
  report.check("its text has the requested fields", server.requests.first?.bodyText.contains("born"), is: true)
  report.check("and the variables of its arguments", server.requests.first?.bodyText.contains("$"), is: true)

  do throws(LeafValueError) {
    report.check("a leaf is read by its type", try Int(json: 7), is: 7)
    _ = try Bool(json: "yes")
    report.check("a leaf of another type is refused", false)
  } catch {
    report.check("a leaf of another type is refused", error.found, is: "yes")
  }

  let saved = Selection.Mutation {
    try $0.save(person: .init(id: "1", name: .present("Ada"), mood: .null()), userLine.nullable)
  }
  let (two, _) = try client([answer(#"{"save":{"id":7,"name":"Ada","born":null,"mood":"ANGRY"}}"#)])
  let line = try await two.send(saved)
  report.check("an ID that is sent as a number is text", line?.id, is: "7")
  report.check("an enum keeps unknown values", line?.mood?.rawValue, is: "ANGRY")
  report.check("null is nil", line?.born == nil)

  let later = Selection.User { user in
    (name: try user.name(), tags: try user.defer(label: "tags") { try $0.tags() })
  }
  let userOnly = Selection.Person { try $0.on(user: later.optional, otherwise: nil) }
  let query = Selection.Query { try $0.person(id: "1", userOnly.nullable) }
  let (three, _) = try client([
    .multipart([
      .text(#"{"data":{"person":{"__typename":"User","id":"1","name":"Ada"}},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"tags","data":{"tags":["x"]}}],"hasNext":false}"#),
    ])
  ])
  var states: [String] = []
  for try await result in three.results(of: query) {
    guard let user = result.data ?? nil, let user else { continue }
    switch user.tags as DeferredValue<[String]> {
    case .pending: states.append("pending")
    case .fulfilled(let tags): states.append(tags.joined())
    case .failed, .notExecuted: states.append("none")
    }
  }
  report.check("deferred fields arrive later", states, is: ["pending", "x"])

  let (four, _) = try client([answer(#"{"find":null}"#)])
  do {
    let strict = Selection.Query {
      try $0.find(
        by: .name("x"),
        Selection.Result { try $0.on(bot: .init { try $0.name() }, user: .init { try $0.name() }) }.nonNullOrFail)
    }
    _ = try await four.send(strict)
    report.check("null for a non-null field is reported", false)
  } catch {
    report.check(
      "null for a non-null field is reported", (error as? SelectionError).map { "\($0)".contains("find") }, is: true)
  }
  let wrong = #"{"find":{"__typename":"User","id":"1","name":"Ada","born":"soon","mood":null}}"#
  do {
    _ = try await client([answer(wrong)]).0.send(found)
    report.check("an invalid scalar is reported", false)
  } catch {
    report.check("an invalid scalar is reported", "\(error)".contains("Day"))
  }
  let operation = try SelectionOperation(found, name: "Found")
  report.check("a selection is an operation", operation.compiled.name, is: "Found")
  report.check("with variables", operation.variables.count, is: 1)
  var results = one.watch(found).makeAsyncIterator()
  report.check("a selection is watched", (try await results.next()?.data ?? nil) ?? "", is: "Ada")
  let (five, _) = try client([
    .response(
      headers: [("Content-Type", "text/event-stream")],
      [.text("event: next\ndata: {\"data\":{\"renamed\":{\"id\":\"1\",\"name\":\"E\"}}}\n\nevent: complete\ndata:\n\n")]
    )
  ])
  var options = RequestOptions()
  options.maximumRetries = 0
  _ = five.subscribe(
    to: Selection.Subscription { try $0.renamed(Selection.User { try $0.name() }.nullable) }, options: options)

  checkProtocols(report)
  for server in servers { server.stop() }
}

/// The data of a user that this program uses.
struct Line: Sendable {
  let id: String
  let name: String
  let born: Day?
  let mood: Enums.Mood?
}

/// Checks the protocols of generated scopes and values.
private func checkProtocols(_ report: Report) {
  func scope(_ type: any SelectionScope.Type) -> Bool { type is any TypeScope.Type }
  report.check("a type is a scope", scope(Objects.User.self))
  func kind(_ type: any TypeScope.Type) -> String {
    switch type {
    case is any QueryScope.Type: "query"
    case is any MutationScope.Type: "mutation"
    case is any SubscriptionScope.Type: "subscription"
    case is any InterfaceScope.Type: "interface"
    case is any UnionScope.Type: "union"
    case is any ObjectScope.Type: "object"
    default: "none"
    }
  }
  let types: [any TypeScope.Type] = [
    Operations.Query.self, Operations.Mutation.self, Operations.Subscription.self, Interfaces.Person.self,
    Unions.Result.self, Objects.User.self,
  ]
  report.check(
    "scopes are of kinds", types.map(kind), is: ["query", "mutation", "subscription", "interface", "union", "object"])
  func root(_ type: any RootScope.Type) -> Bool { type is any RequestScope.Type }
  report.check("a subscription is not a request", root(Operations.Query.self) && !root(Operations.Subscription.self))
  func leaf<Value: LeafValue>(_: Value.Type) -> (NamedTypeKind, String) {
    (Value.__kind, "\(Value.__mock(MockVariant.first))")
  }
  report.check("a leaf has a mock", leaf(Int.self).1, is: "1")
  report.check("a leaf has a kind", leaf(Enums.Mood.self).0 == .enumeration)
  func input(_ value: any InputEncodable) -> JSONValue? { value.inputJSON }
  report.check("an argument that is left out is not there", input(OptionalArgument<Int>.absent()) == nil)
  report.check("an input object is JSON", input(InputObjects.PersonInput(id: "1")), is: ["id": "1"])
  func object(_ value: any SelectionInputObject) -> InputData { value.__data }
  report.check("an input object has its fields", object(InputObjects.PersonInput(id: "1")), is: InputData(["id": "1"]))
  func codec<Value: Codec>(_: Value.Type) -> Value { Value.mockValue }
  report.check("a custom scalar has a mock", codec(Day.self).text, is: "2025-01-01")
  func cases<Value: EnumCodec>(_: Value.Type) -> Int { Value.allCases.count }
  report.check("an enum has its values", cases(Enums.Mood.self), is: 2)
  let argument = Argument("x", "Int", 1)
  report.check("an argument is made", "\(type(of: argument))", is: "Argument")
  let branch: Branch<String> = Selection.User { try $0.name() }.__branch
  report.check("a branch is for a type", "\(type(of: branch))".hasPrefix("Branch"))
}
