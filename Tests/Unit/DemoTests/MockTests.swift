import ApusDemo
import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

/// An API generated from a schema.
@Suite(.timeLimit(.minutes(1))) struct MockTests {
  static let schema = Schema.load(
    sdl: """
      scalar DateTime
      interface Node { id: ID! }
      type User implements Node { id: ID! login: String! email: String! createdAt: DateTime! role: Role! posts(first: Int, after: String, last: Int, before: String): PostConnection! }
      type Post implements Node { id: ID! title: String! author: User! tags: [String!]! isDraft: Boolean! score: Int }
      type PostEdge { cursor: String! node: Post! }
      type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
      type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
      enum Role { ADMIN MEMBER }
      union Found = User | Post
      input PostInput { title: String!, authorId: ID, clientMutationId: String }
      type PostPayload { success: Boolean! clientMutationId: String post: Post }
      type Query { viewer: User! user(login: String!): User node(id: ID!): Node nodes(ids: [ID!]!): [Node]! search(text: String!): [Found!]! users: [User!]! }
      type Mutation { postCreate(input: PostInput!): PostPayload! postUpdate(id: ID!, title: String): Post! }
      type Subscription { postAdded: Post! }
      """)

  private func run(
    _ query: String, seed: UInt64 = 1, schema: Schema = schema, on api: MockAPI? = nil
  ) async throws -> JSONValue {
    let api = api ?? MockAPI(schema: schema, seed: seed, delayScale: 0)
    switch await api.respond(to: ExecutionRequest(Document(parsing: query))) {
    case .refused(let errors): return errors.response
    case .single(let response): return response
    case .incremental(let initial, _): return initial
    }
  }

  @Test func `The data depends on the seed`() async throws {
    let query =
      "{ viewer { id login email createdAt role posts { totalCount nodes { id title author { login } tags } } } }"
    let first = try await run(query)
    #expect(first["errors"] == nil)
    #expect(try await run(query) == first)
    #expect(try await run(query, seed: 2) != first)
  }

  @Test func `Values match their names and types`() async throws {
    let user = try #require(try await run("{ viewer { login email createdAt role } }")["data"]?["viewer"])
    #expect(user["email"]?.string?.hasSuffix("@example.com") == true)
    #expect(user["createdAt"]?.string?.count == 20)
    #expect(["ADMIN", "MEMBER"].contains(user["role"]?.string))
  }

  @Test func `An object requested by name has that name everywhere`() async throws {
    let api = MockAPI(schema: Self.schema, delayScale: 0)
    let user = try await run("{ user(login: \"octo\") { id login } }", on: api)["data"]?["user"]
    #expect(user?["login"]?.string == "octo")
    let id = try #require(user?["id"]?.string)
    #expect(
      try await run("{ node(id: \"\(id)\") { id __typename ... on User { login } } }", on: api)["data"]?["node"]?[
        "login"]?.string == "octo")
  }

  @Test func `A connection is paged in both directions with each item once`() async throws {
    let total = try #require(
      try await run("{ user(login: \"a\") { posts { totalCount } } }")["data"]?["user"]?["posts"]?["totalCount"]?.int)
    var seen: [String] = []
    var after = "null"
    var pages = 0
    while pages < 100 {
      let posts = try await run(
        "{ user(login: \"a\") { posts(first: 7, after: \(after)) { edges { cursor node { id } } pageInfo { hasNextPage endCursor } } } }"
      )[
        "data"]?["user"]?["posts"]
      seen += posts?["edges"]?.elements.compactMap { $0["node"]?["id"]?.string } ?? []
      pages += 1
      guard posts?["pageInfo"]?["hasNextPage"]?.bool == true else { break }
      after = "\"\(posts?["pageInfo"]?["endCursor"]?.string ?? "")\""
    }
    #expect(seen.count == total && Set(seen).count == total)
    let last = try await run("{ user(login: \"a\") { posts(last: 3) { nodes { id } pageInfo { hasPreviousPage } } } }")[
      "data"]?["user"]?["posts"]
    #expect((last?["nodes"]?.elements.compactMap { $0["id"]?.string } ?? []) == Array(seen.suffix(3)))
    let wrong = try await run("{ viewer { posts(after: \"x\") { totalCount } } }")
    #expect(wrong["errors"]?[0]?["message"]?.string == "\"x\" is not a cursor of this list.")
  }

  @Test func `Abstract types resolve to possible types`() async throws {
    let found = try await run("{ search(text: \"a\") { __typename ... on User { login } ... on Post { title } } }")
    #expect(found["errors"] == nil)
    let names = Set(found["data"]?["search"]?.elements.compactMap { $0["__typename"]?.string } ?? [])
    #expect(!names.isEmpty && names.isSubset(of: ["User", "Post"]))
    let nodes = try await run("{ nodes(ids: [\"User_3\", \"Post_4\"]) { __typename id } }")["data"]?["nodes"]
    #expect(nodes == [["__typename": "User", "id": "User_3"], ["__typename": "Post", "id": "Post_4"]])
  }

  @Test func `A subgraph returns its definitions and the entities of representations`() async throws {
    let sdl = """
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
      type Query { me: User }
      type User @key(fields: "id") { id: ID! name: String! @shareable }
      """
    let api = MockAPI(schema: Schema.load(sdl: sdl), delayScale: 0)
    let data = try await run(
      """
      { _service { sdl }
        _entities(representations: [{__typename: "User", id: "7", name: "Ann"}, {__typename: "Nope", id: "1"}]) {
          __typename ... on User { id name } } }
      """, on: api)["data"]
    #expect(data?["_service"]?["sdl"]?.string == sdl)
    #expect(
      data?["_entities"]?.description == #"[{"__typename":"User","id":"7","name":"Ann"},null]"#, "\(data ?? .null)")
  }

  @Test func `A mutation returns its input, as do later queries`() async throws {
    let api = MockAPI(schema: Self.schema, delayScale: 0)
    let payload = try await run(
      "mutation { postCreate(input: { title: \"Hello\", authorId: \"User_9\", clientMutationId: \"m1\" }) { success clientMutationId post { id title author { id } } } }",
      on: api)["data"]?["postCreate"]
    #expect(payload?["success"]?.bool == true)
    #expect(payload?["clientMutationId"]?.string == "m1")
    #expect(payload?["post"]?["title"]?.string == "Hello")
    #expect(payload?["post"]?["author"]?["id"]?.string == "User_9")
    let id = try #require(payload?["post"]?["id"]?.string)
    _ = try await run("mutation { postUpdate(id: \"\(id)\", title: \"Bye\") { title } }", on: api)
    let later = try await run("{ node(id: \"\(id)\") { ... on Post { title } } }", on: api)
    #expect(later["data"]?["node"]?["title"]?.string == "Bye")
  }

  @Test func `Deferred fragments and streamed lists are delivered incrementally`() async throws {
    let api = MockAPI(schema: Self.schema, delayScale: 0)
    let request = ExecutionRequest(
      Document(parsing: "{ viewer { id ... @defer(label: \"l\") { login } } users @stream(initialCount: 1) { id } }"),
      incremental: .incrementalV02)
    guard case .incremental(let initial, let rest) = await api.respond(to: request) else {
      Issue.record("one whole response")
      return
    }
    #expect(initial["data"]?["users"]?.elements.map { $0 }.count == 1)
    #expect(initial["pending"]?.elements.map { $0 }.count == 2)
    var later: [JSONValue] = []
    for await payload in rest { later.append(payload) }
    #expect(later.last?["hasNext"]?.bool == false)
  }

  @Test func `A subscription emits events`() async throws {
    let api = MockAPI(schema: Self.schema, delayScale: 0)
    guard
      case .events(let events) = await api.subscribe(
        to: ExecutionRequest(Document(parsing: "subscription { postAdded { id title } }")))
    else {
      Issue.record("no events")
      return
    }
    var seen: [JSONValue] = []
    for await event in events {
      seen.append(event)
      if seen.count == 3 { break }
    }
    #expect(seen.allSatisfy { $0["errors"] == nil && $0["data"]?["postAdded"]?["id"] != nil })
    #expect(Set(seen.map(\.description)).count > 1)
  }

  @Test(
    .enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)),
    arguments: ["github", "linear", "saleor", "artsy", "shopify"])
  func `Root fields of real schemas return data`(name: String) async throws {
    guard let file = Corpus.files("schema.graphql").first(where: { $0.hasPrefix(name + "/") }) else { return }
    let schema = Schema.load(sdl: [Document(parsing: try Corpus.bytes(file))])
    let api = MockAPI(schema: schema, delayScale: 0)
    let root = try #require(schema.queryType)
    let askable = root.fields.filter { field in
      !field.arguments.contains { $0.isRequired && !isSimple($0.type) }
    }
    // A sample of fields of the type.
    for (index, field) in askable.enumerated() where index % (askable.count / 20 + 1) == 0 {
      let arguments = field.arguments.filter(\.isRequired).map { "\($0.name): \(literal($0.type))" }
      let call = field.name + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
      let query = "{ \(call) \(selection(of: field.type.definition, depth: 2)) }"
      let response = try await run(query, on: api)
      #expect(response["errors"] == nil, Comment(rawValue: query))
    }
  }

  private func isSimple(_ type: TypeReference) -> Bool { type.definition?.kind != .inputObject }

  private func literal(_ type: TypeReference) -> String {
    if let element = type.elementType { return "[\(literal(element))]" }
    guard let definition = type.definition else { return "null" }
    switch definition.name {
    case "Int", "Float": return "1"
    case "Boolean": return "true"
    default: return definition.kind == .enum ? definition.enumValues.first?.name ?? "null" : "\"a\""
    }
  }

  private func selection(of type: TypeDefinition?, depth: Int) -> String {
    guard let type, type.isComposite else { return "" }
    let fields = type.fields.filter { !$0.arguments.contains(where: \.isRequired) }
    let leaves = fields.filter { $0.type.definition?.isLeaf ?? false }.prefix(12).map(\.name)
    let objects =
      depth > 0
      ? fields.filter {
        ["nodes", "edges", "node", "pageInfo"].contains($0.name) || $0.type.definition?.isConnection == true
      }
      .prefix(4).map { "\($0.name) \(selection(of: $0.type.definition, depth: depth - 1))" } : []
    return "{ __typename \((leaves + objects).joined(separator: " ")) }"
  }
}

extension TypeDefinition {
  fileprivate var isConnection: Bool { name.hasSuffix("Connection") }
}
