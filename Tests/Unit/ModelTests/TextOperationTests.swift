import Apus
import ApusTestSupport
import Testing

/// Operations from source text, with and without a schema, and their errors.
@Suite(.timeLimit(.minutes(1))) struct TextOperationTests {
  private static let sdl = """
    type Query @fieldPolicy(forField: "user", keyArgs: "login") { user(login: String!, size: Int = 3): User }
    type Mutation { rename(login: String!): User }
    type Subscription { renamed: User }
    type User @typePolicy(keyFields: "login") { login: String! name: String }
    """

  private func problems(_ text: String, _ schema: GraphQLSchema? = nil) -> CompileError? {
    do throws(CompileError) {
      _ = try DynamicOperation(text: text, schema: schema)
      return nil
    } catch {
      return error
    }
  }

  private func invalid(_ text: String, _ schema: GraphQLSchema? = nil) -> [String] {
    guard case .invalid(let problems)? = problems(text, schema) else { return [] }
    return problems.map(\.description)
  }

  @Test func `errors have locations`() throws {
    let schema = try GraphQLSchema(sdl: Self.sdl)
    guard case .syntax(_, let line, let column)? = problems("{\n  user(\n}") else {
      Issue.record("no syntax error")
      return
    }
    #expect([line, column] == [3, 1])
    #expect(invalid("{\n  ...Card\n}") == [#"2:6: Unknown fragment "Card"."#])
    #expect(invalid("query ($a: Int) { a }") == [#"1:8: Variable "$a" is never used."#])
    #expect(
      invalid("{\n  user(login: \"a\") { nmae }\n}", schema)
        == [#"2:22: Cannot query field "nmae" on type "User". Did you mean "name"?"#])
    #expect(problems("{ user(login: \"a\") { name } }", schema) == nil)
    #expect(problems("query A { a } query B { b }") == .severalOperations(["A", "B"]))
    #expect(problems("fragment F on A { a }") != nil)
    #expect(throws: GraphQLSchemaError.self) { try GraphQLSchema(sdl: "type {") }
    #expect(throws: GraphQLSchemaError.self) { try GraphQLSchema(introspection: ["data": 1]) }
    #expect(throws: CompileError.noFragment) { try DynamicFragment(text: "{ a }") }
    #expect(throws: CompileError.unknownFragment("B")) { try DynamicFragment(text: "fragment A on T { ...B }") }
  }

  @Test func `operations of each type run from text`() async throws {
    let server = try ScriptedServer([
      .json(#"{"data":{"user":{"__typename":"User","login":"ada","name":"Ada"}}}"#),
      .json(#"{"data":{"rename":{"__typename":"User","login":"ada","name":"Eve"}}}"#),
    ])
    let schema = try GraphQLSchema(sdl: Self.sdl)
    var (keys, policies) = (CacheKeyResolver(), CachePolicies())
    keys.addKeyFields(from: schema)
    policies.addPolicies(from: schema)
    let store = CacheStore(resolver: keys, policies: policies)
    let client = GraphQLClient(url: server.url, store: store)
    var found: [JSONValue?] = []
    let text = "query User($login: String!) { user(login: $login) { name } }"
    for try await result in try client.run(text, variables: ["login": "ada"], schema: schema) {
      found.append(result.data?["user"]?["name"])
    }
    #expect(server.requests.first?.bodyText.contains("__typename login") == true, "the key field is requested")
    for try await result in try client.run("mutation { rename(login: \"ada\") { name } }", schema: schema) {
      found.append(result.data?["rename"]?["name"])
    }
    // The key argument finds the record through another field.
    let other = "query Other { user(size: 9, login: \"ada\") { name } }"
    for try await result in try client.run(other, schema: schema, cachePolicy: .cacheOnly) {
      found.append(result.data?["user"]?["name"])
    }
    #expect(found == ["Ada", "Eve", "Eve"])
    #expect(throws: CompileError.self) { try client.run("{ nothing }", schema: schema) }
    #expect(server.requests.count == 2)
  }

  @Test func `the schema is fetched by introspection`() async throws {
    let server = try ScriptedServer([.json(#"{"errors":[{"message":"introspection is disabled"}]}"#)])
    await #expect(throws: GraphQLClientError.self) { try await GraphQLClient(url: server.url).schema() }
  }
}

/// Field policies declared by models.
@Suite(.timeLimit(.minutes(1))) struct DeclaredPolicyTests {
  private enum Metadata: SchemaMetadata {
    static func objectType(named typename: String) -> ObjectType? { PeopleAPI.Metadata.objectType(named: typename) }
    static let fieldPolicies: [DeclaredFieldPolicy] = [
      .init("Query", "person", keyArguments: ["id"]), .init("Query", "account", secretArguments: ["token"]),
    ]
  }

  @Test func `policies of the schema are added to those of the application`() async throws {
    var policies = CachePolicies(
      fields: ["Query.person": FieldPolicy(timeToLive: 9)], timeToLive: ["User": 5])
    policies.addPolicies(from: Metadata.self)
    #expect(policies.fields["Query.person"]?.keyArguments == ["id"])
    #expect(policies.fields["Query.person"]?.timeToLive == 9)
    #expect(policies.fields["Query.account"]?.secretArguments == ["token"])
    let store = CacheStore(
      resolver: CacheKeyResolver(schema: Metadata.self), policies: CachePolicies(schema: Metadata.self))
    try await store.modify("User:1") { user in
      user["__typename"] = .scalar("User")
      user["id"] = .scalar("1")
      user["firstName"] = .scalar("Ada")
    }
    let operation = try DynamicOperation(text: "{ person(id: 1) { id firstName ... on User { id } } }")
    let schema = try GraphQLSchema(
      sdl: "type Query { person(id: ID!): User } type User { id: ID! firstName: String! }")
    let typed = try DynamicOperation(text: "{ person(id: 1) { firstName } }", schema: schema)
    #expect(try await store.read(typed)?["person"]?["firstName"] == "Ada")
    #expect(try await store.read(operation) == nil, "without a schema the type of the field is unknown")
    #expect(CachePolicies(schema: PeopleAPI.Metadata.self).fields.isEmpty)
  }
}
