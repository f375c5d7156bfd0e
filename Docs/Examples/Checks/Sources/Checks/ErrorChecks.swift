import PeopleAPI
import ScriptedServers

/// Checks errors and their descriptions.
func checkErrors(_ report: Report) async throws {
  func error(_ answers: [ScriptedAnswer], _ options: RequestOptions = RequestOptions(cachePolicy: .networkOnly))
    async throws -> (any Error)?
  {
    let scripted = try Scripted(answers)
    defer { scripted.server.stop() }
    return await all(scripted.client.fetch(query: PersonQuery(id: "1"), options: options)).error
  }
  let status = try await error([
    .json(
      #"{"errors":[{"message":"who are you?","extensions":{"code":"UNAUTHENTICATED"}}],"x":1}"#, status: 401,
      headers: [("X-Why", "token")])
  ])
  report.check("a GraphQL response is accepted with any status", status == nil)
  guard
    case GraphQLClientError.status(let failure)? = try await error([
      .json(#"{"why":"no"}"#, status: 401, headers: [("X-Why", "token")])
    ])
  else {
    return report.check("a failed status is reported", false)
  }
  let found: HTTPStatusError = failure
  report.check("a failed status is reported", found.code, is: 401)
  report.check("with its headers", found.headers["X-Why"], is: "token")
  report.check("with its body", found.json?["why"]?.string, is: "no")
  report.check("with its location", found.url.hasPrefix("http://127.0.0.1"))
  report.check("in one line", !found.description.contains("\n"))

  if case GraphQLClientError.notGraphQL? = try await error([
    .response(headers: [("Content-Type", "text/html")], [.text("<p>")])
  ]) {
    report.check("a response that is not GraphQL is reported", true)
  } else {
    report.check("a response that is not GraphQL is reported", false)
  }
  if case GraphQLClientError.invalidJSON? = try await error([.json("{\"data\":")]) {
    report.check("invalid JSON is reported", true)
  } else {
    report.check("invalid JSON is reported", false)
  }
  if case GraphQLClientError.network(let network)? = try await error([.raw([.reset])]) {
    let name: NetworkError = network
    report.check("a lost connection is reported", name.isTransportFailure)
  } else {
    report.check("a lost connection is reported", false)
  }
  var options = RequestOptions(cachePolicy: .networkOnly)
  options.timeouts = HTTPTimeouts(firstByte: .milliseconds(50))
  if case GraphQLClientError.network(.timeout(let phase, _, let limit))? = try await error([.never], options) {
    report.check("a timeout has its phase", phase, is: NetworkError.Phase.firstByte)
    report.check("and its limit", limit, is: .milliseconds(50))
  } else {
    report.check("a timeout is reported", false)
  }
  if case GraphQLClientError.cacheMiss(let missing)? = try await error([], RequestOptions(cachePolicy: .cacheOnly)) {
    report.check("a miss has the missing fields", missing, is: [["person"]])
  } else {
    report.check("a miss has the missing fields", false)
  }
  report.check("errors have codes for programs", GraphQLClientError.exitCode(for: CancellationError()), is: 130)

  let refused = try Scripted([
    .json(
      #"{"data":{"person":null},"errors":[{"message":"no such person","path":["person"],"locations":[{"line":2,"column":3}],"extensions":{"code":"X"}}]}"#
    )
  ])
  let result = await all(refused.client.fetch(query: PersonQuery(id: "9"))).results.first
  let graphQL: GraphQLError? = result?.errors.first
  report.check("a GraphQL error is not thrown", graphQL?.message, is: "no such person")
  report.check("it has a path", graphQL?.path, is: ["person"])
  report.check("it has locations in the document", graphQL?.locations, is: [GraphQLError.Location(line: 2, column: 3)])
  report.check("it has extensions", graphQL?.extensions?["code"]?.string, is: "X")
  report.check("a null with an error is not cached", try await refused.store.read(PersonQuery(id: "9")) == nil)
  report.check("an error can be created", GraphQLError(message: "m").message, is: "m")
  report.check("errors that are not a list are preserved", GraphQLError.list("boom").count, is: 1)

  let odd = try Scripted([.json(#"{"data":{"person":null},"errors":"boom"}"#)])
  let boom = await all(odd.client.fetch(query: PersonQuery(id: "1"))).results.first
  report.check("errors of another form are reported", boom?.errors.first?.message.contains("boom"), is: true)

  let held = try Scripted([.never])
  let task = Task { await all(held.client.fetch(query: PersonQuery(id: "1"))) }
  _ = try await held.server.request()
  task.cancel()
  report.check("a canceled task ends", await task.value.results.isEmpty)
  try await held.server.clientClosed()
  report.check("and closes its connection", true)
}
