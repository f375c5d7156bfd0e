import ClientOperation
import GraphQLLanguage
import GraphQLSchema
import JSON
import TestSupport
import Testing

@testable import ClientCache

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What nobody else should read: arguments of mutations, secret arguments of queries, the file itself.
@Suite struct SecretTests {
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

  /// All bytes of a cache's file and of what stands beside it.
  private func bytes(_ folder: TemporaryFolder) -> String {
    ["c", "c-wal"].map { String(decoding: (try? folder.bytes($0)) ?? [], as: UTF8.self) }.joined()
  }

  @Test(arguments: ["mutation { login(password: \"hunter2\")", "subscription { told(token: \"hunter2\")"])
  func ofMutationsAndSubscriptionsOnlyObjectsWithKeysAreKept(text: String) async throws {
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
    try await store.collect()
    #expect(try await store.keys() == [])
  }

  @Test func theRootsOfAnOlderVersionAreCollected() async throws {
    let store = CacheStore()
    try await store.modify("MUTATION_ROOT") { $0[#"login({"password":"p"})"#] = .scalar("x") }
    try await store.modify("QUERY_ROOT") { $0["version"] = .scalar("1") }
    try await store.collect()
    #expect(try await store.keys() == ["QUERY_ROOT"])
  }

  @Test func aSecretArgumentStandsInKeysAsItsDigest() async throws {
    let folder = try TemporaryFolder()
    var policies = CachePolicies()
    policies.adopt(Self.schema)
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
    let retainer = await store.retain(query, variables: try json(#"{"token":"hunter2"}"#))
    try await store.collect(onlyRetained: true)
    #expect(try await store.look(query, #"{"token":"hunter2"}"#).isComplete)
    await store.release(retainer)
  }

  @Test func theFileAndWhatStandsBesideItAreTheOwnersAlone() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    let query = try operation("{ version }")
    try await CacheStore(cache: cache).write(#"{"version":"1"}"#, query)
    for name in ["c", "c-wal", "c-shm"] { #expect(try folder.mode(of: name) == 0o600, "\(name)") }
  }

  @Test func aFileThatOthersCouldReadIsClosedToThem() async throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("c"))
    #expect(chmod(folder.path("c"), 0o644) == 0)
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    try await CacheStore(cache: cache).write(#"{"version":"1"}"#, try operation("{ version }"))
    for name in ["c", "c-wal", "c-shm"] { #expect(try folder.mode(of: name) == 0o600, "\(name)") }
  }
}
