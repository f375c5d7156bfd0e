import ApusClientAPI
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// A cache with a size limit, which removes the least recently used records.
@Suite(.timeLimit(.minutes(1))) struct TrimTests {
  private static let limit = 2000

  private func store(_ kind: CacheKind, in folder: TemporaryFolder) throws -> CacheStore {
    CacheStore(cache: try kind.cache(in: folder), policies: CachePolicies(byteLimit: Self.limit))
  }

  private func query(_ id: Int) throws -> String { #"{ bird(id: "\#(id)") { __typename id name } }"# }

  private func write(_ id: Int, to store: CacheStore) async throws {
    let name = String(repeating: "n", count: 300)
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"\#(id)","name":"\#(name)"}}"#, try operation(try query(id)))
  }

  private func birds(_ store: CacheStore) async throws -> [String] {
    try await store.keys(RecordFilter(typename: "Bird")).sorted()
  }

  @Test(arguments: CacheKind.allCases)
  func `the least recently used records are removed`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = try store(kind, in: folder)
    for id in 1...5 { try await write(id, to: store) }
    _ = try await store.look(try operation(try query(1)))
    var changes = await store.changes().makeAsyncIterator()
    try await write(6, to: store)
    // Down to three quarters of the limit, which is enough for four birds.
    #expect(try await birds(store) == ["Bird:1", "Bird:4", "Bird:5", "Bird:6"])
    #expect(try await store.snapshot().byteCount <= Self.limit)
    #expect(await changes.next()?.cause == .write(operation: nil, part: nil))
    let trimming = try #require(await changes.next())
    #expect(trimming.cause == .trimming)
    #expect(Set(trimming.changedKeys.recordKeys.map(\.text)) == ["Bird:2", "Bird:3", "QUERY_ROOT"])
    let root = try #require(try await store.record("QUERY_ROOT"))
    #expect(root.fields.count == 4, "fields with dangling references are removed")
  }

  @Test func `a response larger than the limit is kept`() async throws {
    let store = CacheStore(policies: CachePolicies(byteLimit: 500))
    let names = (1...20).map { #"{"__typename":"Bird","id":"\#($0)","name":"a name of some length"}"# }
    let flock = try operation("{ flock { __typename id name } }")
    try await store.write(#"{"flock":[\#(names.joined(separator: ","))]}"#, flock)
    #expect(try await store.look(flock).isComplete)
  }

  @Test func `retained records are kept`() async throws {
    let store = CacheStore(policies: CachePolicies(byteLimit: Self.limit))
    try await write(1, to: store)
    let retainer = await store.retain(try operation(try query(1)))
    for id in 2...12 { try await write(id, to: store) }
    #expect(try await birds(store).contains("Bird:1"))
    await store.release(retainer)
    for id in 13...24 { try await write(id, to: store) }
    #expect(try await !birds(store).contains("Bird:1"))
  }

  @Test func `a trimmed file stores the last use of its records`() async throws {
    let folder = try TemporaryFolder()
    func open() throws -> CacheStore {
      CacheStore(cache: try CacheKind.file.cache(in: folder), policies: CachePolicies(byteLimit: 4500))
    }
    let first = try open()
    for id in 1...12 { try await write(id, to: first) }
    _ = try await first.look(try operation(try query(1)))
    try await write(13, to: first)
    #expect(try await birds(first).count == 9)
    // The file is reopened. The first bird was written before all others, but read after them.
    let second = try open()
    for id in 14...17 { try await write(id, to: second) }
    let left = try await birds(second)
    #expect(left.contains("Bird:1"))
    #expect(!left.contains("Bird:6"))
  }

  @Test(arguments: [false, true])
  func `a write of another process that only removes values is a use of the record`(isEmbedded: Bool) async throws {
    let folder = try TemporaryFolder()
    let other = CacheStore(cache: try CacheKind.file.cache(in: folder))
    let long = String(repeating: "n", count: 300)
    if isEmbedded {
      let query = try operation("{ flock { __typename name age } }", schema: nil)
      try await other.write(#"{"flock":[{"__typename":"Bird","name":"\#(long)","age":1}]}"#, query)
      try await write(2, to: other)
      // Without an age, it is uncertain whether this is the same bird.
      try await other.write(#"{"flock":[{"__typename":"Bird","name":"\#(long)"}]}"#, query)
    } else {
      let query = try operation(#"{ bird(id: "1") { __typename id name age } }"#)
      let bird = #"{"bird":{"__typename":"Bird","id":"1","name":"\#(long)","age":"#
      try await other.write(bird + "1}}", query)
      try await write(2, to: other)
      var options = CacheWriteOptions()
      options.errors = [GraphQLError(message: "no age", path: ["bird", "age"])]
      try await other.write(bird + "null}}", query, options: options)
    }
    let store = CacheStore(cache: try CacheKind.file.cache(in: folder))
    try await store.trim(to: 600)
    #expect(try await birds(store) == [isEmbedded ? "QUERY_ROOT.flock.0" : "Bird:1"])
  }
}
