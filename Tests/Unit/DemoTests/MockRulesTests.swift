import ApusDemo
import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import Testing

@testable import ApusConfiguration

/// The rules of a mock.
@Suite(.timeLimit(.minutes(1))) struct MockRulesTests {
  private static let schema = Schema.load(
    sdl: """
      scalar Money
      enum Role { ADMIN MEMBER }
      interface Named { name: String! }
      type User implements Named { id: ID! name: String! age: Int score: Float isOld: Boolean role: Role tags: [String!]
        friends: [User!]! balance: Money nick: String posts(first: Int): PostConnection! }
      type Team implements Named { id: ID! name: String! }
      type Post { id: ID! title: String }
      type PostEdge { node: Post }
      type PostConnection { edges: [PostEdge!]! nodes: [Post!]! pageInfo: PageInfo! totalCount: Int! }
      type PageInfo { hasNextPage: Boolean! endCursor: String }
      type Query { me: User! user(id: ID!): User users(first: Int): [User!]! team: Team! }
      type Mutation { rename(id: ID!, name: String!): User! }
      type Subscription { joined: User! }
      """)

  private func rules(_ text: String) throws -> MockRules {
    try MockRules(YAMLParser.parse(text, file: "rules.yml"), schema: Self.schema)
  }

  private func run(_ query: String, _ text: String) async throws -> String {
    try await run(query, on: MockAPI(schema: Self.schema, delayScale: 0, rules: rules(text)))
  }

  private func run(_ query: String, on api: MockAPI) async throws -> String {
    switch await api.respond(to: ExecutionRequest(Document(parsing: query))) {
    case .refused(let errors): return errors.response.description
    case .single(let response):
      return (response["data"] ?? .null).description + (response["errors"]?[0]?["message"]?.string ?? "")
    case .incremental(let initial, _): return initial.description
    }
  }

  @Test(arguments: [
    ("User.name: Ann", "{ me { name } }", #"{"me":{"name":"Ann"}}"#),
    ("User.name: 5", "{ me { name } }", #"{"me":{"name":"5"}}"#),
    ("User.name: 'true'", "{ me { name } }", #"{"me":{"name":"true"}}"#),
    ("User.age: 5", "{ me { age } }", #"{"me":{"age":5}}"#),
    ("User.age: null", "{ me { age } }", #"{"me":{"age":null}}"#),
    ("User.score: 2.5", "{ me { score } }", #"{"me":{"score":2.5}}"#),
    ("User.isOld: true", "{ me { isOld } }", #"{"me":{"isOld":true}}"#),
    ("User.role: ADMIN", "{ me { role } }", #"{"me":{"role":"ADMIN"}}"#),
    ("User.tags: [a, b]", "{ me { tags } }", #"{"me":{"tags":["a","b"]}}"#),
    ("User.balance: {value: {amount: 1}}", "{ me { balance } }", #"{"me":{"balance":{"amount":1}}}"#),
    ("Query.me: User_7", "{ me { id } }", #"{"me":{"id":"User_7"}}"#),
    (
      "User.friends: [User_1, User_2]", "{ me { friends { id } } }",
      #"{"me":{"friends":[{"id":"User_1"},{"id":"User_2"}]}}"#
    ),
    ("Named.name: Ann", "{ me { name } team { name } }", #"{"me":{"name":"Ann"},"team":{"name":"Ann"}}"#),
    (
      "Named.name: Ann\nTeam.name: Owls", "{ me { name } team { name } }",
      #"{"me":{"name":"Ann"},"team":{"name":"Owls"}}"#
    ),
    (
      "User.posts: {length: 3}", "{ me { posts { totalCount pageInfo { hasNextPage } } } }",
      #"{"me":{"posts":{"totalCount":3,"pageInfo":{"hasNextPage":false}}}}"#
    ),
    (
      "User.posts: {length: 500}", "{ me { posts(first: 1) { totalCount pageInfo { endCursor hasNextPage } } } }",
      #"{"me":{"posts":{"totalCount":500,"pageInfo":{"endCursor":"item:1","hasNextPage":true}}}}"#
    ),
    ("User.friends: {length: 0}", "{ me { friends { id } } }", #"{"me":{"friends":[]}}"#),
    ("User.age: {nulls: 1}", "{ me { age } }", #"{"me":{"age":null}}"#),
    ("User.age: {error: Too old}", "{ me { age } }", #"{"me":{"age":null}}Too old"#),
    ("User.age: {error: First, value: 3, nulls: 1}", "{ me { age } }", #"{"me":{"age":null}}First"#),
    ("User.age: {value: 3, nulls: 0}", "{ me { age } }", #"{"me":{"age":3}}"#),
    ("Mutation.rename: {error: Taken}", "mutation { rename(id: \"1\", name: \"A\") { id } }", "nullTaken"),
    ("User.name: Ann", "mutation { rename(id: \"1\", name: \"Bo\") { name } }", #"{"rename":{"name":"Ann"}}"#),
    ("# nothing", "{ team { __typename } }", #"{"team":{"__typename":"Team"}}"#),
  ])
  func `a rule determines the result of its field`(rules: String, query: String, result: String) async throws {
    #expect(try await run(query, rules) == result)
  }

  @Test func `a list has the length of its rule, and a smaller one by an argument`() async throws {
    func count(_ query: String) async throws -> Int {
      try await run(query, "Query.users: {length: 90}").split(separator: "__typename").count - 1
    }
    #expect(try await count("{ users { __typename } }") == 90)
    #expect(try await count("{ users(first: 80) { __typename } }") == 80)
    #expect(try await count("{ users(first: 99) { __typename } }") == 90)
  }

  @Test(arguments: [(0.0, 0...0), (0.5, 20...70), (1.0, 90...90)])
  func `a share of the objects has null`(share: Double, expected: ClosedRange<Int>) async throws {
    let text = "Query.users: {length: 90}\nUser.nick: {nulls: \(share)}"
    let data = try await run("{ users { nick } }", text)
    #expect(expected.contains(data.split(separator: "null", omittingEmptySubsequences: false).count - 1), "\(data)")
    #expect(try await run("{ users { nick } }", text) == data)
  }

  @Test(arguments: [
    ("User", "1:1: User: a rule is for a field: write Type.field"),
    ("User.a.b", "1:1: User.a.b: a rule is for a field: write Type.field"),
    ("Usr.name", "1:1: Usr.name: the schema has no type Usr; did you mean User?"),
    ("User.nmae", "1:1: User.nmae: the type User has no field nmae; did you mean name?"),
    ("User.xxxxxx", "1:1: User.xxxxxx: the type User has no field xxxxxx"),
  ])
  func `an unknown coordinate is reported with its line`(coordinate: String, message: String) {
    #expect(throws: ConfigurationError(file: "rules.yml", at: .init(line: 1, column: 1), String(message.dropFirst(5))))
    {
      try rules("\(coordinate): 1\n")
    }
  }

  @Test(arguments: [
    ("age: five", "this is not a value of the type Int"), ("age: '5'", "this is not a value of the type Int"),
    ("age: 5000000000", "this is not a value of the type Int"),
    ("name: null", "this is not a value of the type String!"),
    ("score: a", "this is not a value of the type Float"), ("isOld: maybe", "this is not a value of the type Boolean"),
    ("role: ADMN", "Role has no value 'ADMN'; did you mean ADMIN?"),
    ("tags: a", "this is not a value of the type [String!]"),
    ("tags: [a, null]", "this is not a value of the type String!"),
    ("name: [a]", "this is not a value of the type String!"),
    ("name: {nulls: 0.5}", "nulls: String! is never null"), ("age: {nulls: 2}", "nulls must be a number from 0 to 1"),
    ("age: {length: 2}", "length: Int is neither a list nor a connection"),
    ("tags: {length: -1}", "length must be a whole number from 0 to 10000"),
    ("age: {lenght: 2}", "a rule has no key 'lenght'; did you mean length?"),
    ("age: {delay: x}", "delay must be a whole number"),
  ])
  func `a value that does not fit is reported with its line and coordinate`(rule: String, message: String) throws {
    let error = try #require(throws: ConfigurationError.self) { try rules("# a comment\nUser.\(rule)\n") }
    #expect(error.line == 2)
    let coordinate = "User.\(rule.prefix { $0 != ":" })"
    #expect(error.message.hasPrefix("\(coordinate): ") && error.message.contains(message), "\(error.message)")
  }

  @Test func `new rules apply to later requests`() async throws {
    let api = MockAPI(schema: Self.schema, delayScale: 0, rules: try rules("User.name: Ann"))
    #expect(try await run("{ me { name } }", on: api) == #"{"me":{"name":"Ann"}}"#)
    api.use(try rules("User.name: Bo"))
    #expect(try await run("{ me { name } }", on: api) == #"{"me":{"name":"Bo"}}"#)
  }
}
