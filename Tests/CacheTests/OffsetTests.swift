import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Lists whose pages begin at an offset: what was fetched answers for its own stretch, and for no other.
@Suite struct OffsetTests {
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

  /// The ids that a read gives, `?` for an item that is missing, and what else is missing.
  private func read(_ store: CacheStore, _ offset: Int, _ limit: Int?) async throws -> String {
    let read = try await store.look(try feed(offset, limit), partial: true)
    let ids = read.data?["feed"]?.elements.map { $0["id"]?.string ?? "?" }.joined(separator: " ")
    #expect(read.isComplete == read.missing.isEmpty)
    return ([ids ?? "nothing"] + read.missing.map { "missing \($0)" }).joined(separator: ", ")
  }

  @Test(arguments: CacheKind.allCases)
  func aReadGivesItsOwnStretchAndNoOther(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder), policies: Self.policies)
    try await store.write(items(0..<5), try feed(0, 5))
    #expect(try await read(store, 0, 5) == "0 1 2 3 4")
    #expect(try await read(store, 10, 5) == "nothing, missing feed", "nobody asked for these")
    #expect(try await read(store, 1, 2) == "1 2")
    #expect(try await read(store, 3, 5) == "3 4, missing feed[2]")
    #expect(try await read(store, 0, nil) == "0 1 2 3 4, missing feed[5]", "nobody knows where it ends")
    #expect(try await read(store, 2, 0) == "")
    try await store.write(items(5..<8), try feed(5, 5))
    #expect(try await read(store, 3, 5) == "3 4 5 6 7")
    #expect(try await read(store, 5, 5) == "5 6 7", "the short page was the last")
    #expect(try await read(store, 10, 5) == "", "and behind it there is nothing")
    #expect(try await read(store, 0, nil) == "0 1 2 3 4 5 6 7")
    #expect(try await store.write(items(5..<8), try feed(5, 5)).isEmpty)
  }

  @Test func aGapBetweenPagesIsKeptAndReadsAsMissing() async throws {
    let store = CacheStore(policies: Self.policies)
    try await store.write(items(3..<5), try feed(3, 2))
    #expect(try await read(store, 0, 2) == "? ?, missing feed[0], missing feed[1]")
    try await store.write(items(0..<2), try feed(0, 2))
    #expect(try await read(store, 0, 2) == "0 1")
    #expect(try await read(store, 0, 5) == "0 1 ? 3 4, missing feed[2]")
  }

  @Test func aListThatBecameShorterEndsWhereItNowEnds() async throws {
    let store = CacheStore(policies: Self.policies)
    try await store.write(items(0..<6), try feed(0, nil))
    try await store.write(items(2..<4), try feed(2, 4))
    #expect(try await read(store, 0, nil) == "0 1 2 3")
    try await store.write(items(0..<0), try feed(4, 4))
    #expect(try await read(store, 4, 4) == "")
  }

  @Test func scalarsAndWhatIsNoOffsetAreKeptPageByPage() async throws {
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
}
