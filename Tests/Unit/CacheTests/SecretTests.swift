import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusPlatform
import ApusSQLite
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Secrets: arguments of mutations, secret arguments of queries, and access to the file.
@Suite(.timeLimit(.minutes(1))) struct SecretTests {
  private static let schema = Schema.load(
    sdl: """
      type Query @fieldPolicy(forField: "account", secretArgs: "token") { account(token: String, size: Int): Account }
      type Mutation { login(password: String): Session }
      type Subscription { told(token: String): Session }
      type Session { user: User note(key: String): Note }
      type Note { text: String }
      type User { id: ID! name: String }
      type Account { owner: User place: Note }
      """)

  /// Returns the bytes of a cache file and its log.
  private func bytes(_ folder: TemporaryFolder) -> String {
    ["c", "c-wal"].map { String(decoding: (try? folder.bytes($0)) ?? [], as: UTF8.self) }.joined()
  }

  @Test(arguments: ["mutation { login(password: \"hunter2\")", "subscription { told(token: \"hunter2\")"])
  func `only keyed objects of mutations and subscriptions are cached`(text: String) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    let name = text.hasPrefix("mutation") ? "login" : "told"
    let operation = try operation(
      text + #" { __typename note(key: "hunter3") { __typename text } user { __typename id name } } }"#,
      schema: Self.schema)
    let changed = try await store.write(
      #"{"\#(name)":{"__typename":"Session","note":{"__typename":"Note","text":"a text that is not kept"},"#
        + #""user":{"__typename":"User","id":"1","name":"Ada"}}}"#, operation)
    #expect(changed == ["User:1.__typename", "User:1.id", "User:1.name"])
    #expect(try await store.keys() == ["User:1"])
    for secret in ["hunter2", "hunter3", "a text that is not kept"] { #expect(!bytes(folder).contains(secret)) }
    #expect(try await store.snapshot().summaries().count == 1)
    try await store.collectGarbage()
    #expect(try await store.keys() == [])
  }

  @Test func `garbage collection removes the records of mutations and subscriptions`() async throws {
    let store = CacheStore()
    try await store.modify("MUTATION_ROOT") { $0[#"login({"password":"p"})"#] = .scalar("x") }
    try await store.modify("QUERY_ROOT") { $0["version"] = .scalar("1") }
    try await store.collectGarbage()
    #expect(try await store.keys() == ["QUERY_ROOT"])
  }

  @Test func `importing ignores results of mutations and subscriptions`() async throws {
    let store = CacheStore()
    try await store.importRecords(
      try json(
        #"""
        {"format":"apus-cache","version":1,"records":{"QUERY_ROOT":{"version":"1"},
          "MUTATION_ROOT":{"login({\"password\":\"hunter2\"})":"x"},
          "SUBSCRIPTION_ROOT.told({\"token\":\"hunter3\"})":{"name":"x"}}}
        """#))
    #expect(try await store.keys() == ["QUERY_ROOT"])
  }

  @Test func `keys contain the digest of a secret argument`() async throws {
    let folder = try TemporaryFolder()
    var policies = CachePolicies()
    policies.addPolicies(from: Self.schema)
    #expect(policies.fields["Query.account"]?.secretArguments == ["token"])
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")), policies: policies)
    let query = try operation(
      "query ($token: String) { account(token: $token, size: 1) { __typename place { __typename text } } }",
      schema: Self.schema)
    let text = #"{"account":{"__typename":"Account","place":{"__typename":"Note","text":"A"}}}"#
    try await store.write(text, query, #"{"token":"hunter2"}"#)
    #expect(try await store.look(query, #"{"token":"hunter2"}"#).text == text)
    #expect(try await !store.look(query, #"{"token":"hunter3"}"#).isComplete)
    #expect(!bytes(folder).contains("hunter2"))
    let key = try await store.record("QUERY_ROOT")?.fields.first?.key
    #expect(key?.hasPrefix(#"account({"size":1,"token":"sha256:"#) == true)
    try await store.write(text, query, #"{"token":null}"#)
    let keys = try await store.record("QUERY_ROOT")?.fields.map(\.key) ?? []
    #expect(keys.contains(#"account({"size":1,"token":null})"#), "null is not a secret")
    let retainer = await store.retain(query, variables: try json(#"{"token":"hunter2"}"#))
    try await store.collectGarbage(onlyRetained: true)
    #expect(try await store.look(query, #"{"token":"hunter2"}"#).isComplete)
    await store.release(retainer)
  }

  @Test func `the file and its log are readable only by their owner`() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    let query = try operation("{ version }")
    try await CacheStore(cache: cache).write(#"{"version":"1"}"#, query)
    for name in ["c", "c-wal", "c-shm"] { #expect(try folder.mode(of: name) == 0o600, "\(name)") }
  }

  @Test func `opening a file removes access for other users`() async throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("c"))
    #expect(chmod(folder.path("c"), 0o644) == 0)
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    try await CacheStore(cache: cache).write(#"{"version":"1"}"#, try operation("{ version }"))
    for name in ["c", "c-wal", "c-shm"] { #expect(try folder.mode(of: name) == 0o600, "\(name)") }
  }
}
