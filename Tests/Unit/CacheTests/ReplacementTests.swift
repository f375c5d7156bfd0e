import ApusClientAPI
import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Misses that name the write that took the value.
@Suite(.timeLimit(.minutes(1))) struct ReplacementTests {
  private static let colors = "query A { tags { __typename name color } }"
  private static let sizes = "query B { tags { __typename name size } }"
  private static let colored = #"{"tags":[{"__typename":"Tag","name":"a","color":"red"}]}"#
  private static let sized = #"{"tags":[{"__typename":"Tag","name":"a","size":1}]}"#

  private func query(_ text: String) throws -> CompiledOperation { try operation(text, schema: nil) }

  private func reasons(_ text: String, _ store: CacheStore) async throws -> [String] {
    try await store.misses(of: try query(text)).map { miss in
      if case .replaced(let replacement) = miss.reason { return "\(miss.path): \(replacement)" }
      return "\(miss.path): \(miss.reason)"
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `a miss names the operation that replaced a list item, also after a restart`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let expected = ["tags[0].color: replaced by query B; its list items have no key: select 'id' to keep both"]
    let store = CacheStore(cache: try kind.cache(in: folder))
    try await store.write(Self.colored, try query(Self.colors))
    try await store.write(Self.sized, try query(Self.sizes))
    #expect(try await reasons(Self.colors, store) == expected)
    if kind != .memory {
      let restarted = CacheStore(cache: try kind.cache(in: folder))
      #expect(try await reasons(Self.colors, restarted) == expected)
      let replaced = try await restarted.snapshot().replacedFields(in: "QUERY_ROOT")
      #expect(replaced.map { "\($0.key).\($0.field)" } == ["QUERY_ROOT.tags.0.color"])
    }
  }

  @Test(arguments: CacheKind.allCases)
  func `a value that is written again or evicted was not taken`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    try await store.write(Self.colored, try query(Self.colors))
    try await store.write(Self.sized, try query(Self.sizes))
    try await store.write(Self.colored, try query(Self.colors))
    #expect(try await reasons(Self.colors, store).isEmpty)
    #expect(try await reasons(Self.sizes, store).count == 1)
    try await store.evict("QUERY_ROOT.tags.0", field: "color")
    #expect(try await reasons(Self.colors, store) == ["tags[0].color: noField"])
    try await store.evict("QUERY_ROOT", field: "tags")
    #expect(try await store.snapshot().replacedFields(in: "QUERY_ROOT").isEmpty)
  }

  @Test func `a miss names the payload of an incremental response`() async throws {
    let store = CacheStore()
    try await store.write(Self.colored, try query(Self.colors))
    try await store.write(
      Self.sized, try query("mutation { tags { __typename name size } }".replacing("mutation", with: "query B")),
      options: CacheWriteOptions(payloadIndex: 2))
    #expect(
      try await reasons(Self.colors, store) == [
        "tags[0].color: replaced by query B, payload 2; its list items have no key: select 'id' to keep both"
      ])
  }

  @Test func `a miss names the operation that replaced a single object`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"me":{"__typename":"Me","name":"a","city":"Rome"}}"#, try query("query A { me { __typename name city } }"))
    try await store.write(#"{"me":{"__typename":"Me","name":"b"}}"#, try query("{ me { __typename name } }"))
    #expect(
      try await reasons("query A { me { __typename name city } }", store) == [
        "me.city: replaced by an anonymous query; its object has no key: select 'id' to keep both"
      ])
  }

  @Test(arguments: [true, false], CacheKind.allCases)
  func `a miss names the operation that selected the key differently`(keyedFirst: Bool, kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let keyed = "query A { me { __typename id name } }"
    let bare = "query B { me { __typename city } }"
    let writes = [
      (keyed, #"{"me":{"__typename":"Me","id":"1","name":"a"}}"#), (bare, #"{"me":{"__typename":"Me","city":"Rome"}}"#),
    ]
    for (text, data) in keyedFirst ? writes : writes.reversed() { try await store.write(data, try query(text)) }
    let (loser, taker, lost) = keyedFirst ? (keyed, "B", ["id", "name"]) : (bare, "A", ["city"])
    #expect(
      try await reasons(loser, store)
        == lost.map {
          "me.\($0): replaced by query \(taker); only one of the two selects the key: select 'id' in both"
        })
  }

  @Test func `a local change that removes an element is named as one`() async throws {
    let store = CacheStore()
    let data = #"{"tags":[{"__typename":"Tag","name":"a","color":"red"}]}"#
    try await store.write(data, try query(Self.colors))
    try await store.write(
      try json(#"{"tags":[{"__typename":"Cat","name":"a"}]}"#),
      operation: try query("query C { tags { __typename name } }"),
      options: .localChange)
    #expect(
      try await reasons(Self.colors, store) == [
        "tags[0].color: replaced by a local change of query C; its list items have no key: select 'id' to keep both"
      ])
  }

  @Test(arguments: CacheKind.allCases)
  func `items of a list whose key only one operation selects are named`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let keyed = "query A { tags { __typename id color } }"
    try await store.write(#"{"tags":[{"__typename":"Tag","id":"1","color":"red"}]}"#, try query(keyed))
    try await store.write(Self.sized, try query(Self.sizes))
    let reason = "replaced by query B; only one of the two selects the key: select 'id' in both"
    #expect(try await reasons(keyed, store) == ["tags[0].id: \(reason)", "tags[0].color: \(reason)"])
  }

  @Test func `undoing a change removes the fields that it added to an embedded object`() async throws {
    let store = CacheStore()
    func stock(_ price: String) -> String {
      #"{"stock":{"__typename":"Stock","id":"1","price":{"__typename":"Price",\#(price)}}}"#
    }
    let amount = try query("{ stock { __typename id price { __typename amount } } }")
    let all = try query("{ stock { __typename id price { __typename amount currency } } }")
    try await store.write(stock(#""amount":1"#), amount)
    let before = try await store.snapshot()
    let changed = try await store.write(try json(stock(#""amount":2,"currency":"EUR""#)), operation: all)
    try await store.restore(changed, from: before)
    #expect(try await store.look(amount).text == stock(#""amount":1"#))
    #expect(try await store.look(all, partial: true).missing == [["stock", "price", "currency"]])
  }
}
