import PeopleAPI
import ScriptedServers

/// Checks a query and its results over a real connection.
func checkFetching(_ report: Report) async throws {
  let scripted = try Scripted([People.whole()])
  let (results, error) = await all(scripted.client.fetch(query: PersonQuery(id: "1"), cachePolicy: .networkOnly))
  let result = results.first
  report.check("a complete response is one result", results.count, is: 1)
  report.check("the stream ends without an error", error == nil)
  report.check("it is complete", result?.completeness, is: GraphQLResultCompleteness.complete)
  report.check("it is the server's", result?.source, is: GraphQLResultSource.server)
  report.check("it has data", result?.data?.person?.name, is: "Ada")
  report.check("it has no errors", result?.errors.isEmpty, is: true)
  report.check("it is the first payload", result?.payloadIndex, is: 0)
  report.check("it took time", (result?.elapsed ?? .zero) > .zero)
  report.check("it had bytes", (result?.byteCount ?? 0) > 100)
  report.check("it has the changed keys", result?.changedKeys.contains("User:1.name"), is: true)
  report.check("it has the changed paths", result?.changedPaths, is: [.root])
  let named: GraphQLResult<String>? = result?.map { $0.person?.name ?? "nobody" }
  report.check("a result is mapped", named?.data, is: "Ada")
  let made = GraphQLResult<Int>(
    data: 1, source: GraphQLResult<Int>.Source.cache, completeness: GraphQLResult<Int>.Completeness.partial)
  report.check("a result can be created", made.data, is: 1)

  let request = scripted.server.requests.first
  report.check("a query is posted", request?.method, is: "POST")
  let body = try JSONValue(parsing: request?.bodyText ?? "")
  report.check("its name is sent", body["operationName"]?.string, is: "Person")
  report.check("its variables are sent", body["variables"]?["id"]?.string, is: "1")
  report.check("its fragments are sent", body["query"]?.string?.contains("fragment Naming"), is: true)
  report.check("JSON is the content type", request?.header("Content-Type"), is: "application/json")
  report.check("multipart responses are requested", request?.header("Accept")?.contains("multipart/mixed"), is: true)

  let numbers = try Scripted([People.whole(["id": "7", "friends": #"[{"__typename":"Bot","id":8,"name":"R2"}]"#])])
  let query = PersonQuery(id: "7", later: false)
  let first = await all(numbers.client.fetch(query: query)).results.first
  report.check("an ID that is sent as a number is text", first?.data?.person?.id, is: "7")
  report.check("in lists too", first?.data?.person?.asUser?.fragments.friends?.friends.map(\.id), is: ["8"])
  let second = await all(numbers.client.fetch(query: query)).results.first
  report.check("the cache returns the same data", second?.data, is: first?.data)
  report.check("without a request", numbers.requestCount, is: 1)

  let alien = try Scripted([.json(People.person(#"{"__typename":"Alien","id":"9","name":"E.T.","likes":1}"#))])
  let stranger = await all(alien.client.fetch(query: PersonQuery(id: "9"))).results.first
  report.check("an object of a newer type is kept", stranger?.data?.person?.name, is: "E.T.")
  report.check("and reported", stranger?.errors.map(\.path), is: [["person"]])
  report.check("its cases are nil", stranger?.data?.person?.asUser == nil)

  let mutation = try Scripted([
    .json(#"{"data":{"save":{"__typename":"User","id":"1","name":"Ada"}},"extensions":{"cost":3}}"#)
  ])
  let saved = await all(
    mutation.client.perform(mutation: SaveMutation(person: .init(id: "1", mood: .some(.init(.sad))))))
  report.check("a mutation returns data", saved.results.first?.data?.save?.name, is: "Ada")
  report.check("extensions are reported", saved.results.first?.extensions, is: ["cost": 3])
  _ = mutation.client.perform(mutation: SaveMutation(person: .init(id: "2")))
  report.check("a mutation is sent unread", try await mutation.server.request(1).bodyText.contains(#""id":"2""#))

  let shared = try Scripted([People.whole()])
  let dynamic = DynamicOperation(
    compiled: PersonQuery(id: "1").compiled, variables: ["id": "1"], resultChecking: ResultChecking.reportErrors)
  let json = await all(shared.client.fetch(query: dynamic)).results.first?.data
  report.check("an operation's data is JSON on request", json?["person"]?["name"]?.string, is: "Ada")
  report.check("a compiled operation has a name", dynamic.compiled.name, is: "Person")
  report.check("and a text", dynamic.compiled.documentText.contains("query Person"))
  report.check("data is created from a response", dynamic.makeData(from: ResponseData(["a": 1])), is: ["a": 1])
  report.check("queries, mutations and subscriptions are distinguished", kinds(dynamic), is: 3)

  let one = try await later(scripted)
  report.check("an abandoned request is closed on the wire", one)
}

private func kinds<Operation: QueryOperation & MutationOperation & SubscriptionOperation>(_: Operation) -> Int { 3 }

/// Leaves a stream before its end, and waits until the connection is closed.
private func later(_ scripted: Scripted) async throws -> Bool {
  let gate = Gate()
  let held = try Scripted([
    .multipart([.text(#"{"data":{"person":\#(People.user())},"hasNext":true}"#), .hold(gate), .text("{}")])
  ])
  for try await _ in held.client.fetch(query: PersonQuery(id: "1")) { break }
  try await held.server.clientClosed()
  return true
}
