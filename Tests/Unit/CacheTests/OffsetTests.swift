import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Lists with offset paging. A fetched page is used only for its own range.
@Suite(.timeLimit(.minutes(1))) struct OffsetTests {
  private static let schema = Schema.load(
    sdl: """
      type Query { feed(offset: Int, limit: Int, kind: String): [Item] names(offset: Int, limit: Int): [String] }
      type Item { id: ID! }
      """)
  private static let policies = CachePolicies(fields: [
    "Query.feed": FieldPolicy(merge: .offset()), "Query.names": FieldPolicy(merge: .offset()),
  ])

  private func feed(_ offset: Int, _ limit: Int?) throws -> CompiledOperation {
    try operation(
      "{ feed(offset: \(offset)\(limit.map { ", limit: \($0)" } ?? "")) { __typename id } }", schema: Self.schema)
  }

  private func items(_ ids: Range<Int>) -> String {
    #"{"feed":[\#(ids.map { #"{"__typename":"Item","id":"\#($0)"}"# }.joined(separator: ","))]}"#
  }

  /// Returns the ids that a read returned, with `?` for missing items, and the missing paths.
  private func read(_ store: CacheStore, _ offset: Int, _ limit: Int?) async throws -> String {
    let read = try await store.look(try feed(offset, limit), partial: true)
    let ids = read.data?["feed"]?.elements.map { $0["id"]?.string ?? "?" }.joined(separator: " ")
    #expect(read.isComplete == read.missing.isEmpty)
    return ([ids ?? "nothing"] + read.missing.map { "missing \($0)" }).joined(separator: ", ")
  }

  @Test(arguments: CacheKind.allCases)
  func `a read returns only its requested range`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder), policies: Self.policies)
    try await store.write(items(0..<5), try feed(0, 5))
    #expect(try await read(store, 0, 5) == "0 1 2 3 4")
    #expect(try await read(store, 10, 5) == "nothing, missing feed", "these items were never requested")
    #expect(try await read(store, 1, 2) == "1 2")
    #expect(try await read(store, 3, 5) == "3 4, missing feed[2]")
    #expect(try await read(store, 0, nil) == "0 1 2 3 4, missing feed[5]", "the end of the list is unknown")
    #expect(try await read(store, 2, 0) == "")
    try await store.write(items(5..<8), try feed(5, 5))
    #expect(try await read(store, 3, 5) == "3 4 5 6 7")
    #expect(try await read(store, 5, 5) == "5 6 7", "the short page was the last")
    #expect(try await read(store, 10, 5) == "", "no items follow the last page")
    #expect(try await read(store, 0, nil) == "0 1 2 3 4 5 6 7")
    #expect(try await store.write(items(5..<8), try feed(5, 5)).isEmpty)
  }

  @Test func `a gap between pages is stored and read as missing`() async throws {
    let store = CacheStore(policies: Self.policies)
    try await store.write(items(3..<5), try feed(3, 2))
    #expect(try await read(store, 0, 2) == "? ?, missing feed[0], missing feed[1]")
    try await store.write(items(0..<2), try feed(0, 2))
    #expect(try await read(store, 0, 2) == "0 1")
    #expect(try await read(store, 0, 5) == "0 1 ? 3 4, missing feed[2]")
  }

  @Test func `a short page truncates the list`() async throws {
    let store = CacheStore(policies: Self.policies)
    try await store.write(items(0..<6), try feed(0, nil))
    try await store.write(items(2..<4), try feed(2, 4))
    #expect(try await read(store, 0, nil) == "0 1 2 3")
    try await store.write(items(0..<0), try feed(4, 4))
    #expect(try await read(store, 4, 4) == "")
  }

  @Test(arguments: CacheKind.allCases)
  func `updating a page moves the items after it`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder), policies: Self.policies)
    try await store.write(items(0..<3), try feed(0, 3))
    try await store.write(items(3..<6), try feed(3, 3))
    func update(_ change: @escaping @Sendable (inout [JSONValue]) -> Void) async throws {
      try await store.transaction { cache in
        try cache.update(try feed(0, 3)) { data in
          var list = Array(data["feed"]?.elements.map { $0 } ?? [])
          change(&list)
          data = try data.replacing(at: ["feed"], with: .array(list))
        }
      }
    }
    try await update { $0.remove(at: 1) }
    #expect(try await read(store, 0, 3) == "0 2 3")
    #expect(try await read(store, 3, 3) == "4 5, missing feed[2]", "more items may follow")
    try await update { $0.insert(["__typename": "Item", "id": "9"], at: 0) }
    #expect(try await read(store, 0, 6) == "9 0 2 3 4 5")
    try await update { $0 = [] }
    #expect(try await read(store, 0, 3) == "3 4 5")
    try await store.write(items(7..<8), try feed(3, 3))
    try await update { $0.remove(at: 0) }
    #expect(try await read(store, 0, 5) == "4 5 7", "the end of the list remains known")
    let same = try await store.update(try feed(0, 3)) { (_: inout JSONValue) in }
    #expect(same.isEmpty)
  }

  @Test func `scalars and pages with invalid offsets are stored separately`() async throws {
    let store = CacheStore(policies: Self.policies)
    func names(_ offset: Int) throws -> CompiledOperation {
      try operation("{ names(offset: \(offset), limit: 1) }", schema: Self.schema)
    }
    try await store.write(#"{"names":["a"]}"#, try names(0))
    try await store.write(#"{"names":["b"]}"#, try names(1))
    #expect(try await store.look(try names(0)).data?.description == #"{"names":["a"]}"#)
    #expect(try await store.look(try names(2)).data == nil)
    try await store.write(items(7..<8), try feed(-1, 1))
    #expect(try await read(store, 0, 1) == "nothing, missing feed")
    #expect(try await read(store, -1, 1) == "7")
  }

  @Test(arguments: CacheKind.allCases)
  func `two pages in one response are both stored`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder), policies: Self.policies)
    let both = try operation(
      "{ a: feed(offset: 0, limit: 2) { __typename id } b: feed(offset: 2, limit: 2) { __typename id } }",
      schema: Self.schema)
    let data = items(0..<2).dropFirst(8).dropLast()
    try await store.write(#"{"a":\#(data),"b":\#(items(2..<4).dropFirst(8).dropLast())}"#, both)
    #expect(try await read(store, 0, 2) == "0 1")
    #expect(try await read(store, 2, 2) == "2 3")
    #expect(try await store.look(both).isComplete)
    #expect(try await store.record("QUERY_ROOT")?.fields.map(\.key) == ["feed"])
    // The same in addition to existing items, with the later page first.
    try await store.write(
      #"{"b":\#(items(6..<8).dropFirst(8).dropLast()),"a":\#(items(4..<6).dropFirst(8).dropLast())}"#,
      try operation(
        "{ a: feed(offset: 4, limit: 2) { __typename id } b: feed(offset: 6, limit: 2) { __typename id } }",
        schema: Self.schema))
    #expect(try await read(store, 0, 8) == "0 1 2 3 4 5 6 7")
  }

  @Test func `pages of a record that is reachable by two paths are both stored`() async throws {
    let schema = Schema.load(
      sdl: """
        type Query { me: User user: User }
        type User { id: ID! friends(offset: Int, limit: Int): [User] log(page: Int): [User] }
        """)
    let store = CacheStore(
      policies: CachePolicies(fields: [
        "User.friends": FieldPolicy(merge: .offset()), "User.log": FieldPolicy(merge: .append(arguments: ["page"])),
      ]))
    func user(_ id: Int, _ rest: String = "") -> String { #"{"__typename":"User","id":"\#(id)"\#(rest)}"# }
    try await store.write(
      #"{"me":\#(user(1, #","friends":[\#(user(2))],"log":[\#(user(2))]"#)),"#
        + #""user":\#(user(1, #","friends":[\#(user(3))],"log":[\#(user(3))]"#))}"#,
      try operation(
        """
        { me { id friends(offset: 0, limit: 1) { id } log(page: 1) { id } }
        user { id friends(offset: 1, limit: 1) { id } log(page: 2) { id } } }
        """, schema: schema))
    let read = try await store.look(
      try operation("{ me { friends(offset: 0, limit: 2) { id } log { id } } }", schema: schema))
    #expect(read.isComplete)
    for list in ["friends", "log"] {
      #expect(read.data?["me"]?[list]?.elements.compactMap { $0["id"]?.string } == ["2", "3"], "\(list)")
    }
  }
}
