import ApusClientCore
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Loading schemas by introspection", .timeLimit(.minutes(1)))
struct SchemaLoaderTests {
  private static let schema = """
    {"data":{"__schema":{"queryType":{"name":"Query"},"mutationType":null,"subscriptionType":null,"directives":[],
    "types":[{"kind":"OBJECT","name":"Query","fields":[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"},
    "isDeprecated":false,"deprecationReason":null}],"interfaces":[]},{"kind":"SCALAR","name":"Int"}]}}}
    """

  /// A server that does not support some introspection fields.
  private func server(without words: String..., status: Int = 400) throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      let unknown = words.filter { request.bodyText.contains($0) }
      if unknown.isEmpty { return .json(Self.schema) }
      let errors = unknown.map { "{\"message\":\"Cannot query field \\\"\($0)\\\" on type \\\"__Type\\\".\"}" }
      return .json("{\"errors\":[\(errors.joined(separator: ","))]}", status: status)
    }
  }

  private func load(_ server: ScriptedServer) async -> String {
    switch await SchemaLoader(client: GraphQLClient(url: server.url)).load() {
    case .loaded(let schema, let note): "\(schema.queryType?.name ?? "no query type"); \(note ?? "all")"
    case .unavailable(let error): "\(error)"
    }
  }

  @Test
  func `a current server needs one query`() async throws {
    let server = try server()
    #expect(await load(server) == "Query; all")
    #expect(server.requests.count == 1)
    #expect(server.requests.first?.header("Accept") == "application/graphql-response+json, application/json;q=0.9")
  }

  @Test(arguments: [200, 400])
  func `fields that a server reports as unknown are omitted`(_ status: Int) async throws {
    let server = try server(without: "isOneOf", "specifiedByURL", status: status)
    #expect(await load(server) == "Query; the server's introspection does not support isOneOf, specifiedByURL")
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [true, false])
  func `deprecated directives are requested if the server supports them`(_ answers: Bool) async throws {
    let knows = Self.schema.replacing(
      "{\"kind\":\"SCALAR\",\"name\":\"Int\"}]",
      with: "{\"kind\":\"SCALAR\",\"name\":\"Int\"},{\"kind\":\"OBJECT\",\"name\":\"__Directive\","
        + "\"fields\":[{\"name\":\"isDeprecated\"}]}]")
    let server = try ScriptedServer { request, _ in
      guard request.bodyText.contains("directives(includeDeprecated: true)") else { return .json(knows) }
      let directive = #"{"name":"old","locations":["FIELD"],"args":[],"isDeprecated":true,"deprecationReason":"No."}"#
      return answers
        ? .json(knows.replacing("\"directives\":[]", with: "\"directives\":[\(directive)]"))
        : .json("{\"errors\":[{\"message\":\"too deep\"}]}", status: 400)
    }
    guard case .loaded(let schema, nil) = await SchemaLoader(client: GraphQLClient(url: server.url)).load() else {
      Issue.record("no schema")
      return
    }
    #expect(schema.directive(named: "old")?.deprecationReason == (answers ? "No." : nil))
    #expect(schema.queryType?.name == "Query")
    #expect(server.requests.count == 2)
  }

  @Test
  func `the first schema is used if the extended query fails`() async throws {
    let knows = Self.schema.replacing(
      "{\"kind\":\"SCALAR\",\"name\":\"Int\"}]",
      with: "{\"kind\":\"SCALAR\",\"name\":\"Int\"},{\"kind\":\"OBJECT\",\"name\":\"__Directive\","
        + "\"fields\":[{\"name\":\"isDeprecated\"}]}]")
    for second in [ScriptedAnswer.raw([.close]), .json(#"{"data":{"__schema":{"types":1}}}"#)] {
      #expect(await load(try ScriptedServer([.json(knows), second])) == "Query; all")
    }
  }

  @Test
  func `older queries are sent if the server does not name unknown fields`() async throws {
    let server = try ScriptedServer { request, _ in
      request.bodyText.contains("isRepeatable") || request.bodyText.contains("isOneOf")
        ? .json("{\"errors\":[{\"message\":\"bad query\"}]}", status: 400) : .json(Self.schema)
    }
    #expect(await load(server).hasPrefix("Query; the server's introspection does not support isOneOf"))
    #expect(server.requests.count == 3)
  }

  @Test
  func `rejected introspection is reported on one line after one query`() async throws {
    let server = try ScriptedServer([
      .json("{\"errors\":[{\"message\":\"GraphQL introspection is not allowed in\\nproduction\"}]}")
    ])
    let port = server.port
    #expect(
      await load(server)
        == "http://127.0.0.1:\(port)/graphql does not provide its schema: GraphQL introspection is not allowed in "
        + "production; use a schema file, or continue without completion")
    #expect(server.requests.count == 1)
  }

  @Test
  func `missing credentials and unreachable servers are reported`() async throws {
    let denied = try ScriptedServer([.response(status: 401, [.text("who are you")])])
    #expect(await load(denied).contains("answered 401 (who are you); check the credentials"))
    #expect(denied.requests.count == 1)
    let gone = try ScriptedServer([.raw([.close])])
    #expect(await load(gone).contains("closed the connection without an answer"))
  }
}
