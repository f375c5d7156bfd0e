import ApusClientAPI
import ApusClientOperation
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Fragments for which it is unknown, without a schema, whether they apply to an object. Only a response decides.
@Suite(.timeLimit(.minutes(1))) struct UncertainFragmentTests {
  private static let data = #"{"a":{"__typename":"A","id":"1","x":5}}"#

  private func query(_ text: String) throws -> CompiledOperation { try operation(text, schema: nil) }

  /// Returns an operation whose response is `data`: without, or also with, a fragment that does not apply to the object.
  private func one() throws -> CompiledOperation { try query("{ a { __typename id ... on I { x } } }") }
  private func both() throws -> CompiledOperation {
    try query("{ a { __typename id ... on I { x } ... on B { y } } }")
  }

  @Test(arguments: CacheKind.allCases)
  func `a field is missing only if it was never requested`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    try await store.write(Self.data, try one())
    #expect(try await store.look(try both()).text == "nothing\nmissing a.y")
    // If a fragment applies to the object, all of its fields are required.
    #expect(try await store.look(try query("{ a { __typename id ... on I { x w } } }")).text == "nothing\nmissing a.w")
    try await store.write(Self.data, try both())
    let read = try await store.look(try both())
    #expect(read.isComplete)
    let record = try #require(try await store.record("A:1"))
    let summary = try #require(try await store.snapshot().summary(of: "A:1"))
    #expect(summary.fieldCount == record.fields.count)
    #expect(read.data == (try json(Self.data)))
  }

  @Test func `a field of a fragment on another type is not returned`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"u":{"__typename":"U","id":"1","n":25}}"#, try query("{ u { __typename id ... on B { n } } }"))
    let other = try query("{ u { __typename id ... on A { n } } }")
    #expect(try await store.look(other).text == "nothing\nmissing u.n")
    let answer = #"{"u":{"__typename":"U","id":"1"}}"#
    try await store.write(answer, other)
    #expect(try await store.look(other).text == answer)
  }

  @Test func `an absent fragment keeps fields of another operation`() async throws {
    let store = CacheStore()
    let sure = try query("{ a { __typename id y } }")
    try await store.write(Self.data, try one())
    try await store.write(#"{"a":{"__typename":"A","id":"1","y":7}}"#, sure)
    #expect(try await store.look(try both()).isComplete == false)
    #expect(try await store.write(Self.data, try both()).isEmpty, "writing a coverage marker is not a change")
    #expect(try await store.look(try both()).data == (try json(Self.data)))
    #expect(try await store.look(sure).data?["a"]?["y"] == 7)
  }

  @Test func `fields missing in a response with errors are uncertain`() async throws {
    let store = CacheStore()
    var options = CacheWriteOptions.complete
    options.errors = [GraphQLError(message: "no y today", path: ["a", "y"])]
    try await store.write(Self.data, try both(), options: options)
    #expect(try await store.look(try both()).isComplete == false)
    try await store.write(Self.data, try both())
    #expect(try await store.look(try both()).isComplete)
  }

  @Test func `an export contains coverage markers and records hide them`() async throws {
    let store = CacheStore(clock: { 1_700_000_000 })
    try await store.write(Self.data, try both())
    let record = try #require(try await store.record("A:1"))
    #expect(record[field: "x"] == .scalar(5))
    #expect(!record.fields.contains { $0.key == "y" || $0.key.hasPrefix(".") })
    let exported = CacheExport.json(try await store.snapshot())
    #expect(exported["records"]?["A:1"]?["... on B"]?.description == "false")
    let other = CacheStore(clock: { 1_700_000_000 })
    try await other.importRecords(exported)
    #expect(try await other.look(try both()).data == (try json(Self.data)))
    #expect(CacheExport.json(try await other.snapshot()).description == exported.description)
  }

  @Test func `a file contains coverage markers`() async throws {
    let folder = try TemporaryFolder()
    try await CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c"))).write(Self.data, try both())
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("c")))
    #expect(try await store.look(try both()).data == (try json(Self.data)))
    let other = try query("{ a { __typename id ... on C { z } } }")
    #expect(try await store.look(other).text == "nothing\nmissing a.z")
  }
}
