import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Objects of the query root type in the results of other operations.
@Suite(.timeLimit(.minutes(1))) struct QueryRootTests {
  private static let schema = Schema.load(
    sdl: """
      schema { query: Root mutation: Mutation subscription: Subscription }
      type Root { nodeId: ID! query: Root! count: Int users: [User] }
      type User { id: ID! name: String }
      type Query { count: Int }
      type Payload { query: Root other: Query }
      type Mutation { add: Payload }
      type Subscription { added: Payload }
      """)

  private func compiled(_ text: String, _ schema: Schema? = nil) throws -> CompiledOperation {
    try CompiledOperation.compile(
      Document(parsing: text), operationName: nil, schema: schema, options: CompileOptions(addTypename: true))
  }

  private func count(_ store: CacheStore) async throws -> Int? {
    try await store.snapshot().record("QUERY_ROOT")?[field: "count"].flatMap { value in
      if case .scalar(let scalar) = value { scalar.int } else { nil }
    }
  }

  @Test(arguments: ["mutation { add", "subscription { added"])
  func `the schema names the query root type`(operation: String) async throws {
    let store = CacheStore()
    try await store.write(#"{"count":1,"users":[]}"#, try compiled("{ count users { name } }", Self.schema))
    let field = operation.hasSuffix("added") ? "added" : "add"
    try await store.write(
      """
      {"\(field)":{"__typename":"Payload","query":{"__typename":"Root","nodeId":"r","count":2,
      "users":[{"__typename":"User","id":"1","name":"ann"}]}}}
      """, try compiled("\(operation) { query { nodeId count users { id name } } } }", Self.schema))
    let read = try await store.look(try compiled("{ count users { id name } }", Self.schema))
    #expect(read.data?.description == #"{"count":2,"users":[{"__typename":"User","id":"1","name":"ann"}]}"#)
    #expect(try await store.keys() == ["QUERY_ROOT", "User:1"])
  }

  @Test(arguments: CacheKind.allCases)
  func `without a schema, the name is the one that a query selected on its root`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let mutation = try compiled("mutation { add { __typename query { __typename count } } }")
    let data = #"{"add":{"__typename":"Payload","query":{"__typename":"Root","count":2}}}"#
    var store = CacheStore(cache: try kind.cache(in: folder))
    try await store.write(#"{"count":1}"#, try compiled("{ count }"))
    #expect(try await store.write(data, mutation).isEmpty)
    #expect(try await count(store) == 1)
    try await store.write(#"{"type":"Root","count":1}"#, try compiled("{ type: __typename count }"))
    // After a restart, the name is in the file.
    if kind != .memory { store = CacheStore(cache: try kind.cache(in: folder)) }
    try await store.write(data, mutation)
    #expect(try await count(store) == 2)
    #expect(try await store.keys() == ["QUERY_ROOT"])
  }

  @Test func `a type that is merely named Query is another type`() async throws {
    let store = CacheStore()
    let text = "mutation { add { __typename other { __typename count } } }"
    let data = #"{"add":{"__typename":"Payload","other":{"__typename":"Query","count":2}}}"#
    try await store.write(#"{"count":1}"#, try compiled("{ count }", Self.schema))
    try await store.write(data, try compiled(text, Self.schema))
    #expect(try await count(store) == 1)
    // Without a schema, an operation does not make the default name the query root's.
    let plain = CacheStore()
    try await plain.write(#"{"count":1}"#, try compiled("{ count }"))
    try await plain.write(data, try compiled(text))
    #expect(try await count(plain) == 1)
    try await plain.write(#"{"__typename":"Root"}"#, try compiled("{ __typename }"))
    try await plain.write(data, try compiled(text))
    #expect(try await count(plain) == 1)
  }

  @Test func `optimistic results and transactions update the query root`() async throws {
    let store = CacheStore()
    try await store.write(#"{"__typename":"Root","count":1}"#, try compiled("{ __typename count }"))
    let mutation = try compiled("mutation { add { __typename query { __typename count } } }")
    let data = try json(#"{"add":{"__typename":"Payload","query":{"__typename":"Root","count":5}}}"#)
    let layer = try await store.writeOptimistically(data, operation: mutation)
    #expect(try await count(store) == 5)
    await store.rollBack(layer)
    #expect(try await count(store) == 1)
    try await store.transaction { $0.write(data, operation: mutation) }
    #expect(try await count(store) == 5)
  }

  @Test func `a query that returns its root reads the values of the root`() async throws {
    let store = CacheStore()
    let nested = try compiled("{ query { query { count } } }", Self.schema)
    let data = #"{"query":{"__typename":"Root","query":{"__typename":"Root","count":3}}}"#
    try await store.write(data, nested)
    #expect(try await count(store) == 3)
    try await store.write(#"{"count":4}"#, try compiled("{ count }", Self.schema))
    #expect(try await store.look(nested).data?.description == data.replacing("3", with: "4"))
    #expect(try await store.collectGarbage().isEmpty)
  }
}
