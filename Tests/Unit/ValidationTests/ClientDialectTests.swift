import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

/// Returns the errors of documents in their detected dialects, without locations.
private func problems(
  _ documents: [String], schema sdl: String, dialects: DialectSelection = .automatic
) -> [String] {
  let parsed = documents.enumerated().map { Document(parsing: $1, name: "file\($0).graphql") }
  let schema = Schema.load(sdl: [Document(parsing: sdl, name: "schema")], dialects: dialects)
  return parsed.flatMap { document in document.diagnostics.map(\.message) }
    + Validator.validate(parsed, schema: schema.read(for: parsed)).map(\.message)
}

@Suite struct RelayTests {
  static let schema = """
    type Query { node(id: ID!): Node viewer: User }
    interface Node { id: ID! }
    type Mutation { addTodo(text: String!): AddTodoPayload removeTodo(id: ID!): RemoveTodoPayload }
    type AddTodoPayload { edge: TodoEdge todo: Todo }
    type RemoveTodoPayload { deletedID: ID }
    type User implements Node {
      id: ID!
      name: String
      todos(first: Int, after: String, last: Int, before: String, status: Status = ANY): TodoConnection
      avatar(size: Int!): String
      friends: [User!]
    }
    enum Status { ANY OPEN DONE }
    type TodoConnection { edges: [TodoEdge] pageInfo: PageInfo! totalCount: Int }
    type TodoEdge { cursor: String! node: Todo }
    type PageInfo { hasNextPage: Boolean! endCursor: String hasPreviousPage: Boolean! startCursor: String }
    type Todo implements Node { id: ID! text: String complete: Boolean owner: User }
    """

  /// The documents of an application, as in its components.
  static let files = [
    """
    query AppQuery($userID: ID!, $status: Status) @preloadable @raw_response_type {
      node(id: $userID) @required(action: THROW) {
        __id
        ...TodoApp_user @arguments(pageSize: 20, status: $status) @alias(as: "app")
      }
      viewer { ...Avatar_user }
      large: viewer { ...Avatar_user @arguments(size: 64) @relay(mask: false) }
    }
    """,
    """
    fragment TodoApp_user on User
    @argumentDefinitions(
      pageSize: { type: "Int!", defaultValue: 10 }
      cursor: { type: "String" }
      status: { type: "Status", defaultValue: OPEN }
      isAdmin: { type: "Boolean!", provider: "../isAdmin.relayprovider" }
    )
    @refetchable(queryName: "TodoAppPaginationQuery") {
      name @catch(to: RESULT)
      todos(first: $pageSize, after: $cursor, status: $status)
        @connection(key: "TodoApp_todos", filters: ["status"]) {
        edges { node { id complete ...TodoItem_todo owner @include(if: $isAdmin) { name } } }
      }
    }
    """,
    """
    fragment TodoItem_todo on Todo @throwOnFieldError { id text owner @waterfall { ...Avatar_user } }
    fragment Avatar_user on User @argumentDefinitions(size: { type: "Int", defaultValue: 32 }) @inline { avatar(size: $size) }
    fragment TodoAssign_todo on Todo @assignable { __typename }
    query TodoAssignQuery @updatable { viewer { friends { __id } } ...TodoRoot_query }
    fragment TodoRoot_query on Query { viewer { ...TodoNode_node } }
    fragment TodoNode_node on Node @refetchable(queryName: "TodoNodeRefetchQuery") { ...TodoAssign_todo }
    """,
    """
    mutation AddTodoMutation($text: String!, $connections: [ID!]!) @raw_response_type {
      addTodo(text: $text) {
        edge @appendEdge(connections: $connections) { node { ...TodoItem_todo } }
        todo @prependNode(connections: $connections, edgeTypeName: "TodoEdge") { id }
      }
    }
    mutation RemoveTodoMutation($id: ID!, $connections: [ID!]!) {
      removeTodo(id: $id) { deletedID @deleteRecord @deleteEdge(connections: $connections) }
    }
    """,
  ]

  @Test func `the documents of an application are valid`() {
    #expect(problems(Self.files, schema: Self.schema) == [])
    let extensions =
      "extend type Todo { isSelected: Boolean } type Draft { text: String } extend type User { drafts: [Draft] }"
    let local = "query DraftsQuery @raw_response_type { viewer { drafts { text __id } } }"
    #expect(problems(Self.files + [local], schema: Self.schema + extensions) == [])
  }

  @Test func `the dialect is detected in documents or selected`() {
    let schema = Schema.load(sdl: Self.schema)
    let documents = [Document(parsing: Self.files[1], name: "TodoApp.graphql")]
    #expect(
      schema.read(for: documents).dialects.map(\.description) == ["Relay (TodoApp.graphql uses @argumentDefinitions)"])
    #expect(schema.read(for: documents) === schema.read(for: documents))
    #expect(schema.read(for: [Document(parsing: "{ viewer { id } }")]) === schema)
    #expect(problems(["{ viewer { __id } }"], schema: Self.schema).count == 1)
    #expect(problems(["{ viewer { __id } }"], schema: Self.schema, dialects: DialectSelection([.relay])) == [])
    let off = DialectSelection(detects: false)
    #expect(
      problems(["{ viewer { id @waterfall } }"], schema: Self.schema, dialects: off) == [
        "Unknown directive \"@waterfall\"."
      ])
  }

  @Test(arguments: [
    ("@connection(key: \"a\")", "Apollo Client"), ("@required(action: LOG)", "Relay"), ("@arguments", "Relay"),
    ("@connection(key: \"a\") @required(action: LOG)", "Relay"),
    ("@required(action: LOG) @connection(key: \"a\")", "Relay"), ("@required @mask_disable", "Houdini"),
    ("@catch", nil), ("@list(name: \"a\")", nil), ("@skip(if: true)", nil),
  ])
  func `a directive of several dialects counts without any other evidence`(_ directives: String, _ title: String?) {
    let schema = Schema.load(sdl: Self.schema)
    let read = schema.read(for: [Document(parsing: "{ viewer \(directives) { id } }")])
    #expect(read.dialects.map(\.dialect.title) == [title].compactMap { $0 })
  }

  @Test(arguments: [
    // Variables of fragments.
    (
      "{ viewer { ...A @arguments(sise: 3) } } fragment A on User @argumentDefinitions(size: { type: \"Int!\", defaultValue: 1 }) { avatar(size: $size) }",
      ["Unknown argument \"sise\" on fragment \"A\". Did you mean \"size\"?"]
    ),
    (
      "{ viewer { ...A @arguments(size: \"big\") } } fragment A on User @argumentDefinitions(size: { type: \"Int!\" }) { avatar(size: $size) }",
      ["Int cannot represent non-integer value: \"big\""]
    ),
    (
      "{ viewer { ...A } } fragment A on User @argumentDefinitions(size: { type: \"Int!\" }) { avatar(size: $size) }",
      ["Fragment \"A\" argument \"size\" of type \"Int!\" is required, but it was not provided."]
    ),
    (
      "query Q($s: String) { viewer { ...A @arguments(size: $s) } } fragment A on User @argumentDefinitions(size: { type: \"Int!\", defaultValue: 2 }) { avatar(size: $size) }",
      ["Variable \"$s\" of type \"String\" used in position expecting type \"Int\"."]
    ),
    (
      "{ viewer { ...A } } fragment A on User @argumentDefinitions(size: { type: \"String\" }) { avatar(size: $size) }",
      ["Variable \"$size\" of type \"String\" used in position expecting type \"Int!\"."]
    ),
    (
      "query Q { viewer { ...A } } fragment A on User @argumentDefinitions(other: { type: \"Int\" }) { avatar(size: $size) }",
      ["Variable \"$size\" is not defined by operation \"Q\"."]
    ),
    (
      "{ viewer { ...A } } fragment A on User @argumentDefinitions(size: { type: \"Int!\", defaultValue: \"1\" }) { avatar(size: $size) }",
      ["Int cannot represent non-integer value: \"1\""]
    ),
    (
      "{ viewer { ...A } } fragment A on User @argumentDefinitions(a: 3, b: { type: \"User\" }, c: { type: \"Int\", default: 1 }, d: { type: \"Int) { a } {\" }) { id }",
      [
        "The variable \"a\" needs a type, such as { type: \"Int\" }.",
        "The variable \"b\" has the type \"User\", which is not an input type of the schema.",
        "The variable \"c\" has the unknown member \"default\": it can have \"type\", \"defaultValue\" and \"provider\".",
        "The variable \"d\" has the type \"Int) { a } {\", which is not an input type of the schema.",
      ]
    ),
    // Connections.
    (
      "query Q @raw_response_type { viewer { todos(first: 1) @connection(key: \"todos\") { edges { cursor } } } }",
      ["The key of @connection must be a name followed by \"_todos\", such as \"List_todos\"."]
    ),
    (
      "query Q @raw_response_type { viewer { open: todos @connection(key: \"A_open\") { totalCount } } }",
      [
        "@connection is on \"todos\", which has neither the argument \"first\" nor \"last\".",
        "@connection is on \"todos\", which must select \"edges\".",
      ]
    ),
    (
      "query Q @raw_response_type { viewer { friends @connection(key: \"A_friends\") { id } } }",
      [
        "@connection is on \"friends\", which has neither the argument \"first\" nor \"last\".",
        "@connection is on \"friends\", whose type \"[User!]\" is not a connection.",
      ]
    ),
    // Refetchable fragments.
    (
      "query Q { viewer { ...A } } fragment A on User @refetchable(queryName: \"Q\") { id }",
      ["The query of @refetchable on \"A\" is called \"Q\", like another operation."]
    ),
    (
      "fragment A on User @refetchable(queryName: \"Q\") { id } fragment B on User @refetchable(queryName: \"Q\") { id }",
      ["The query of @refetchable on \"B\" is called \"Q\", like another operation."]
    ),
    (
      "fragment A on PageInfo @refetchable(queryName: \"a-b\") { endCursor }",
      [
        "@refetchable on \"A\" needs a type that can be fetched: the query root, \"Viewer\" or one that implements \"Node\", but \"PageInfo\" is none of them.",
        "The query of @refetchable on \"A\" is called \"a-b\", which is not a name.",
      ]
    ),
    ("{ viewer { name @required(action: BOOM) } }", ["Value \"BOOM\" does not exist in \"RequiredFieldAction\" enum."]),
  ])
  func `Relay rules report invalid documents`(_ document: String, _ expected: [String]) {
    #expect(problems([document], schema: Self.schema) == expected)
  }
}

@Suite struct ApolloClientTests {
  static let schema = """
    type Query { me: User launches(after: String, size: Int): [Launch!]! user(id: ID!): User }
    type User { id: ID! name: String }
    type Launch { id: ID! site: String }
    """

  static let files = [
    """
    query Cart($id: ID!) {
      cartItems @client
      isLoggedIn @client(always: true)
      settings @client { theme nested { deep(size: 3) } }
      me { id @client @export(as: "id") initials @client ...Name @unmask(mode: "migrate") @nonreactive }
      user(id: $id) { ... @nonreactive { name } }
      launches(size: 3) @connection(key: "launches", filter: ["size"]) { id isInCart @client }
    }
    """,
    "fragment Name on User { name }",
    "mutation Toggle($id: ID!) { addOrRemoveFromCart(id: $id) @client }",
    """
    query People($page: Int) @api(name: "star-wars") {
      person(page: $page) @rest(type: "Person", path: "people/{args.page}") { name @type(name: "Name") }
    }
    """,
    """
    query LocalUser($id: ID!) @apollo_client_ios_localCacheMutation { user(id: $id) { name } }
    fragment LocalName on User @apollo_client_ios_localCacheMutation @import(module: "Names") { name }
    """,
  ]

  @Test func `the documents of an application are valid`() {
    #expect(problems(Self.files, schema: Self.schema) == [])
  }

  @Test func `local types are checked if the schema defines them`() {
    let local = Self.schema + " extend type Query { settings: Settings } type Settings { theme: String }"
    #expect(problems(["{ settings @client { theme } }"], schema: local) == [])
    #expect(
      problems(["{ settings @client { thema } }"], schema: local) == [
        "Cannot query field \"thema\" on type \"Settings\". Did you mean \"theme\"?"
      ])
  }

  @Test(arguments: [
    ("{ me { id @client nickname } }", ["Cannot query field \"nickname\" on type \"User\". Did you mean \"name\"?"]),
    (
      "{ me { id @client(allways: true) } }",
      ["Unknown argument \"allways\" on directive \"@client\". Did you mean \"always\"?"]
    ),
    ("{ me { id @export } }", ["Argument \"@export(as:)\" of type \"String!\" is required, but it was not provided."]),
    ("mutation M { a @client b }", ["The mutation operation is not supported by the schema."]),
    ("{ me { ...F @client @unmask } } fragment F on Todo { id }", ["Unknown type \"Todo\"."]),
    ("query Q @client { me { id } }", ["Directive \"@client\" may not be used on QUERY."]),
  ])
  func `Apollo Client rules report invalid documents`(_ document: String, _ expected: [String]) {
    #expect(problems([document], schema: Self.schema) == expected)
  }

  @Test func `execution ignores dialects`() {
    let schema = Schema.load(sdl: Self.schema)
    #expect(Validator.validate(Document(parsing: "{ cart @client }"), schema: schema).count == 2)
  }
}
