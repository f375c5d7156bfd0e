import ApusClientAPI
import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// The way from a place in a response to its record and field, and back.
@Suite(.timeLimit(.minutes(1))) struct ResponsePlacesTests {
  private static let document = """
    {
      bird(id: 1) {
        __typename id nickname: name mate { __typename id nest { __typename material } }
        friends { __typename id home { __typename id visitors { __typename id } } }
        tracks { __typename eggs }
      }
      swifts: flock { __typename id }
    }
    """
  private static let data = """
    {"bird":{"__typename":"Bird","id":"1","nickname":"A",
      "mate":{"__typename":"Bird","id":"2","nest":{"__typename":"Nest","material":"mud"}},
      "friends":[{"__typename":"Bird","id":"2","home":null},
        {"__typename":"Bird","id":"3","home":{"__typename":"Station","id":"S","visitors":[
          {"__typename":"Bird","id":"1"},{"__typename":"Bird","id":"4"}]}}],
      "tracks":[[],[{"__typename":"Nest","eggs":1},{"__typename":"Nest","eggs":2}]]},
    "swifts":[{"__typename":"Bird","id":"5"},null,{"__typename":"Bird","id":"6"}]}
    """

  private func store() async throws -> (store: CacheStore, operation: CompiledOperation) {
    let store = CacheStore()
    let compiled = try operation(Self.document)
    try await store.write(Self.data, compiled)
    let other = try operation("{ node(id: 9) { __typename id } }")
    try await store.write(#"{"node":{"__typename":"Bird","id":"9"}}"#, other)
    return (store, compiled)
  }

  private func location(_ path: ResponsePath, _ store: CacheStore, _ operation: CompiledOperation) async throws
    -> String
  {
    guard let found = try await store.location(at: path, of: operation, variables: .null) else { return "none" }
    return "\(found.record.text) \(found.field ?? "-")"
  }

  /// The record and field of a value. A value that the cache lacks is at the last field of the path that it has.
  @Test(
    arguments: [
      ([], "QUERY_ROOT -"), (["bird"], "Bird:1 -"), (["bird", "nickname"], "Bird:1 name"),
      (["bird", "mate", "nest"], "Bird:2.nest -"), (["bird", "mate", "nest", "material"], "Bird:2.nest material"),
      (["bird", "friends"], "Bird:1 friends"), (["bird", "friends", 1], "Bird:3 -"),
      (["bird", "friends", 0, "home"], "Bird:2 home"), (["bird", "friends", 1, "home", "visitors", 1], "Bird:4 -"),
      (["bird", "tracks", 0], "Bird:1 tracks"), (["bird", "tracks", 1, 1, "eggs"], "Bird:1.tracks.1.1 eggs"),
      (["swifts", 1], "QUERY_ROOT flock"), (["swifts", 2, "id"], "Bird:6 id"),
      // Not in the response, or not an index of the list.
      (["swifts", 3], "QUERY_ROOT flock"), (["swifts", -1], "QUERY_ROOT flock"), (["bird", "age"], "Bird:1 -"),
      (["flock"], "QUERY_ROOT -"), (["bird", "name"], "Bird:1 -"), (["bird", "mate", 0], "Bird:2 -"),
    ] as [(ResponsePath, String)])
  func `a path leads to a record or a field`(path: ResponsePath, expected: String) async throws {
    let (store, operation) = try await store()
    #expect(try await location(path, store, operation) == expected)
  }

  @Test(arguments: [
    ("QUERY_ROOT", ""), ("Bird:1", "bird"), ("Bird:2", "bird.mate"), ("Bird:2.nest", "bird.mate.nest"),
    ("Bird:3", "bird.friends[1]"), ("Station:S", "bird.friends[1].home"),
    ("Bird:4", "bird.friends[1].home.visitors[1]"),
    ("Bird:1.tracks.1.0", "bird.tracks[1][0]"), ("Bird:1.tracks.1.1", "bird.tracks[1][1]"), ("Bird:6", "swifts[2]"),
    // Another operation's, and one that does not exist.
    ("Bird:9", nil), ("Bird:77", nil),
  ])
  func `a record has the first path that leads to it`(key: String, expected: String?) async throws {
    let (store, operation) = try await store()
    let path = try await store.path(to: CacheKey(key), of: operation, variables: .null)
    #expect(path?.description == expected)
    if let path { #expect(try await location(path, store, operation) == "\(key) -") }
  }

  @Test func `an evicted record is at the field that referred to it`() async throws {
    let (store, operation) = try await store()
    _ = try await store.evict("Bird:3")
    #expect(try await location(["bird", "friends", 1, "home"], store, operation) == "Bird:1 friends")
    #expect(try await store.path(to: "Station:S", of: operation, variables: .null) == nil)
    _ = try await store.evict("Bird:1", field: "mate")
    #expect(try await store.path(to: "Bird:2", of: operation, variables: .null)?.description == "bird.friends[0]")
    try await store.clear()
    #expect(try await location(["bird"], store, operation) == "none")
    #expect(try await store.path(to: "QUERY_ROOT", of: operation, variables: .null) == nil)
  }

  /// The indexes of a page with offsets count from its start.
  @Test func `a page of a longer list has its own indexes`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.birds": FieldPolicy(merge: .offset())]))
    func page(_ offset: Int) throws -> CompiledOperation {
      try operation("{ birds(offset: \(offset), limit: 2) { __typename id } }", schema: Self.pages)
    }
    for offset in [0, 2] {
      let birds = (0..<2).map { #"{"__typename":"Bird","id":"\#(offset + $0)"}"# }
      try await store.write(#"{"birds":[\#(birds.joined(separator: ","))]}"#, try page(offset))
    }
    #expect(try await location(["birds", 1], store, try page(0)) == "Bird:1 -")
    #expect(try await location(["birds", 1], store, try page(2)) == "Bird:3 -")
    #expect(try await location(["birds", 2], store, try page(0)).hasPrefix("QUERY_ROOT birds"))
    #expect(try await store.path(to: "Bird:3", of: try page(2), variables: .null)?.description == "birds[1]")
    #expect(try await store.path(to: "Bird:3", of: try page(0), variables: .null) == nil)
  }

  private static let pages = Schema.load(
    sdl: "type Query { birds(offset: Int, limit: Int): [Bird] } type Bird { id: ID! }")
}
