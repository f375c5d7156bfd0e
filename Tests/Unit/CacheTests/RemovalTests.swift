import ApusClientOperation
import ApusJSON
import Testing

@testable import ApusClientCache

/// Removal of records and fields: the changed keys and the affected reads.
@Suite(.timeLimit(.minutes(1))) struct RemovalTests {
  private let query = try? operation("{ flock { __typename id name nest { __typename eggs } mate { __typename id } } }")
  private let response = #"""
    {"flock":[{"__typename":"Bird","id":"1","name":"A","nest":{"__typename":"Nest","eggs":2},"mate":{"__typename":"Bird","id":"2"}},
    {"__typename":"Bird","id":"2","name":"B","nest":null,"mate":null}]}
    """#

  private func filled() async throws -> (CacheStore, CompiledOperation) {
    let store = CacheStore()
    let query = try #require(query)
    try await store.write(response, query)
    return (store, query)
  }

  @Test func `removing a record reports its fields and leaves a dangling reference`() async throws {
    let (store, query) = try await filled()
    let changed = try await store.evict("Bird:2")
    #expect(changed.descriptions == ["Bird:2.__typename", "Bird:2.id", "Bird:2.name", "Bird:2.nest", "Bird:2.mate"])
    #expect(changed.recordKeys == ["Bird:2"])
    let read = try await store.look(query)
    #expect(read.data == nil)
    #expect(read.missing == [["flock", 0, "mate"], ["flock", 1]])
    let partial = try await store.look(query, partial: true)
    #expect(
      partial.data?.description
        == #"{"flock":[{"__typename":"Bird","id":"1","name":"A","nest":{"__typename":"Nest","eggs":2}},null]}"#)
    #expect(!partial.isComplete)
  }

  @Test func `the referrers of a removed record are found`() async throws {
    let (store, _) = try await filled()
    let expected: Set = [Referrer(key: "QUERY_ROOT", field: "flock"), Referrer(key: "Bird:1", field: "mate")]
    #expect(Set(try await store.referrers(of: "Bird:2")) == expected)
    try await store.evict("Bird:2")
    #expect(Set(try await store.referrers(of: "Bird:2")) == expected)
    try await store.evict("QUERY_ROOT", field: "flock")
    #expect(try await store.referrers(of: "Bird:2") == [Referrer(key: "Bird:1", field: "mate")])
  }

  @Test func `removing a record removes its embedded records`() async throws {
    let (store, _) = try await filled()
    #expect(try await store.keys() == ["QUERY_ROOT", "Bird:1", "Bird:1.nest", "Bird:2"])
    let changed = try await store.evict("Bird:1")
    #expect(changed.descriptions.contains("Bird:1.nest.eggs"))
    #expect(try await store.keys() == ["QUERY_ROOT", "Bird:2"])
  }

  @Test func `a shorter list removes the embedded records after its end`() async throws {
    let store = CacheStore()
    let query = try operation("{ birds { edges { __typename cursor } } }")
    try await store.write(
      #"{"birds":{"__typename":"BirdConnection","edges":[{"__typename":"BirdEdge","cursor":"a"},{"__typename":"BirdEdge","cursor":"b"}]}}"#,
      query)
    let changed = try await store.write(
      #"{"birds":{"__typename":"BirdConnection","edges":[{"__typename":"BirdEdge","cursor":"a"}]}}"#, query)
    #expect(
      changed == [
        #"QUERY_ROOT.birds({"first":10}).edges"#, #"QUERY_ROOT.birds({"first":10}).edges.1.__typename"#,
        #"QUERY_ROOT.birds({"first":10}).edges.1.cursor"#,
      ])
    #expect(
      try await store.keys() == [
        "QUERY_ROOT", #"QUERY_ROOT.birds({"first":10})"#, #"QUERY_ROOT.birds({"first":10}).edges.0"#,
      ])
  }

  @Test func `a field is removed with given arguments or with any`() async throws {
    let store = CacheStore()
    let query = try operation("{ bird(id: 1) { __typename id a: photo(size: 1) b: photo(size: 2) } }")
    let response = #"{"bird":{"__typename":"Bird","id":"1","a":"x","b":"y"}}"#
    try await store.write(response, query)
    #expect(
      try await store.evict("Bird:1", field: #"photo({"size":1})"#).descriptions == [#"Bird:1.photo({"size":1})"#])
    #expect(try await store.look(query).missing == [["bird", "a"]])
    #expect(try await store.evict("Bird:1", field: "photo").descriptions == [#"Bird:1.photo({"size":2})"#])
    #expect(try await store.look(query).missing == [["bird", "a"], ["bird", "b"]])
  }

  @Test func `an embedded record is found by its path`() async throws {
    let store = CacheStore()
    let query = try operation(#"{ birds(first: 2, after: "a.b.c") { edges { __typename cursor } } }"#)
    try await store.write(
      #"{"birds":{"__typename":"BirdConnection","edges":[{"__typename":"BirdEdge","cursor":"a"}]}}"#, query)
    let key: CacheKey = #"QUERY_ROOT.birds({"after":"a.b.c","first":2}).edges.0"#
    #expect(try await store.record(key)?[field: "cursor"] == .scalar("a"))
    try await store.evict(key)
    #expect(try await store.record(key) == nil)
    #expect(try await store.look(query).missing == [["birds", "edges", 0]])
  }

  @Test func `every removal notifies dependent reads`() async throws {
    let removals: [(String, @Sendable (CacheStore) async throws -> ChangedKeys)] = [
      ("record", { try await $0.evict("Bird:2") }), ("root", { try await $0.evict("QUERY_ROOT") }),
      ("field", { try await $0.evict("Bird:1", field: "name") }),
      ("root field", { try await $0.evict("QUERY_ROOT", field: "flock") }), ("all", { try await $0.clear() }),
    ]
    for (name, remove) in removals {
      let (store, query) = try await filled()
      let dependent = try await store.look(query).dependentKeys
      let changed = try await remove(store)
      #expect(dependent.intersects(changed), "\(name)")
      // Removing it again affects a read that depends on the missing data.
      let missed = try await store.look(query, partial: true).dependentKeys
      if name != "field" { #expect(missed.intersects(try await remove(store)), "\(name) again") }
    }
  }

  @Test func `every removal notifies dependent reads of an empty cache`() async throws {
    let store = CacheStore()
    let query = try #require(query)
    let missed = try await store.look(query)
    #expect(missed.text == "nothing\nmissing flock")
    let root = try await store.evict("QUERY_ROOT")
    #expect(root.descriptions == ["QUERY_ROOT"])
    #expect(missed.dependentKeys.intersects(root))
    let field = try await store.evict("QUERY_ROOT", field: "flock")
    #expect(field.descriptions == ["QUERY_ROOT.flock"])
    #expect(missed.dependentKeys.intersects(field))
    #expect(missed.dependentKeys.intersects(try await store.clear()))
    #expect(!missed.dependentKeys.intersects(try await store.evict("Bird:9")))
    let written = try await store.write(try json(response), operation: query)
    #expect(missed.dependentKeys.intersects(written))
  }

  @Test func `unrelated removals do not affect a read`() async throws {
    let (store, query) = try await filled()
    let read = try await store.look(query)
    let other = try operation(#"mutation { rename(id: 2, name: "B") { __typename id age name } }"#)
    let changed = try await store.write(
      try json(#"{"rename":{"__typename":"Bird","id":"2","age":9,"name":"B"}}"#), operation: other)
    #expect(changed.descriptions.contains("Bird:2.age"))
    #expect(!read.dependentKeys.intersects(changed))
    #expect(try await store.write(try json(response), operation: query).isEmpty)
  }
}
