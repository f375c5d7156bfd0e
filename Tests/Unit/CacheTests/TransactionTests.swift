import ApusClientOperation
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Transactions, and fragments on the record with a key, in every kind of cache.
@Suite(.timeLimit(.minutes(1))) struct TransactionTests {
  private static let query =
    "{ bird(id: 1) { __typename id name age mate { __typename id name } nest { material eggs } } }"
  private static let bird =
    #"{"bird":{"__typename":"Bird","id":"1","name":"A","age":0,"mate":{"__typename":"Bird","id":"2","name":"B"},"#
    + #""nest":{"material":"moss","eggs":2}}}"#

  private struct Refused: Error {}

  private func fragment(_ text: String) throws -> CompiledOperation {
    try CompiledOperation.compile(fragment: nil, of: Document(parsing: text), schema: world)
  }

  /// Returns a store of each kind, with the folder of its file.
  private func caches() throws -> [(kind: CacheKind, store: CacheStore, folder: TemporaryFolder)] {
    try CacheKind.allCases.map { kind in
      let folder = try TemporaryFolder()
      return (kind, CacheStore(cache: try kind.cache(in: folder), clock: { 1000 }), folder)
    }
  }

  @Test func `a transaction reads its own writes and publishes them together`() async throws {
    let query = try operation(Self.query)
    let name = try fragment("fragment Name on Bird { name }")
    for (kind, store, _) in try caches() {
      try await store.write(Self.bird, query)
      var changes = await store.changes().makeAsyncIterator()
      let other = try json(
        #"{"bird":{"__typename":"Bird","id":"1","name":"C","age":0,"mate":{"__typename":"Bird","id":"3","name":"D"},"nest":null}}"#
      )
      let seen = try await store.transaction { cache in
        let before = try cache.read(query).data
        cache.write(other, operation: query)
        let written = try cache.read(query).data
        try cache.write(.object([("name", "E")]), fragment: name, on: "Bird:3", variables: .object([]))
        let renamed = try cache.read(query).data
        let isThere = try cache.update(query) { $0 = try $0.replacing(at: ["bird", "age"], with: 9) }
        cache.evict("Bird:2")
        let gone = try cache.read(name, on: "Bird:2", variables: .object([]))
        return [
          before?["bird"]?["name"], written?["bird"]?["mate"]?["name"], renamed?["bird"]?["mate"]?["name"],
          isThere ? "there" : "missing", gone.isComplete ? "there" : "missing",
        ]
      }
      #expect(seen == ["A", "D", "E", "there", "missing"], "\(kind)")
      let change = try #require(await changes.next())
      #expect(change.cause == .transaction, "\(kind)")
      #expect(
        change.changedKeys.descriptions.isSuperset(of: [
          "Bird:1.name", "Bird:1.age", "Bird:1.mate", "Bird:3.name", "Bird:2.name",
        ]), "\(kind)")
      let bird = try await store.look(query).data?["bird"]
      #expect(bird?["age"] == 9, "\(kind)")
      #expect(bird?["mate"]?["name"] == "E", "\(kind)")
      #expect(try await store.record("Bird:2") == nil, "\(kind)")
      try await store.evict("Bird:1")
      #expect(await changes.next()?.number == change.number + 1, "no other change was published: \(kind)")
    }
  }

  @Test func `an error in a transaction changes nothing`() async throws {
    let query = try operation(Self.query)
    for (kind, store, _) in try caches() {
      try await store.write(Self.bird, query)
      let before = CacheExport.json(try await store.snapshot())
      await #expect(throws: Refused.self) {
        try await store.transaction { cache in
          cache.evict("Bird:2")
          #expect(try cache.read(query).data == nil, "\(kind)")
          cache.modify("Bird:1") { $0["name"] = .scalar("Z") }
          cache.clear()
          #expect(try !cache.read(query).isComplete, "\(kind)")
          throw Refused()
        }
      }
      #expect(CacheExport.json(try await store.snapshot()) == before, "\(kind)")
      #expect(try await store.look(query).text == Self.bird, "\(kind)")
    }
  }

  @Test func `a file and a memory cache are equal after many transactions`() async throws {
    let query = try operation(Self.query)
    let eggs = try fragment("fragment Eggs on Nest { eggs }")
    var exports: [JSONValue] = []
    for (_, store, _) in try caches() {
      try await store.write(Self.bird, query)
      for number in 0..<20 {
        try await store.transaction { cache in
          cache.evict(CacheKey("Bird:\(number)"), cascading: number % 3 == 0)
          _ = try cache.read(query)
          cache.write(try json(Self.bird), operation: query)
          try cache.update(eggs, on: "Bird:1.nest", variables: .object([])) { read in
            guard let data = read.data else { return nil }
            return (data, try data.replacing(at: ["eggs"], with: JSONValue(number)))
          }
          if number % 5 == 4 { cache.evict(matching: RecordPattern(key: "Station:*")) }
          _ = try cache.read(query)
        }
      }
      #expect(try await store.look(query).data?["bird"]?["nest"]?["eggs"] == 19)
      exports.append(CacheExport.json(try await store.snapshot()))
    }
    #expect(exports.allSatisfy { $0 == exports[0] })
  }

  @Test func `a fragment is read and written at a key`() async throws {
    let query = try operation(Self.query)
    let card = try fragment("fragment Card on Bird { __typename id name mate { __typename id name } }")
    let node = try fragment("fragment Named on Node { __typename id }")
    let station = try fragment("fragment Place on Station { __typename id name }")
    for (kind, store, _) in try caches() {
      try await store.write(Self.bird, query)
      func read(_ fragment: CompiledOperation, _ key: CacheKey) async throws -> String? {
        try await store.read(
          fragment, on: key, variables: .object([]), allowPartial: false, allowStale: false
        ).data?.description
      }
      #expect(
        try await read(card, "Bird:1")
          == #"{"__typename":"Bird","id":"1","name":"A","mate":{"__typename":"Bird","id":"2","name":"B"}}"#, "\(kind)")
      #expect(try await read(card, "Bird:2") == nil, "it has no mate: \(kind)")
      #expect(try await read(card, "Bird:9") == nil, "\(kind)")
      #expect(try await read(node, "Bird:2") == #"{"__typename":"Bird","id":"2"}"#, "\(kind)")
      #expect(try await read(station, "Bird:2") == nil, "another type: \(kind)")
      let new = try json(
        #"{"__typename":"Bird","id":"9","name":"N","mate":{"__typename":"Bird","id":"1","name":"A2"}}"#)
      try await store.transaction { try $0.write(new, fragment: card, on: "Bird:9", variables: .object([])) }
      #expect(try await read(card, "Bird:9") == new.description, "\(kind)")
      #expect(try await store.look(query).data?["bird"]?["name"] == "A2", "\(kind)")
      await #expect(throws: CacheTransactionError.otherKey("Bird:8", data: "Bird:9")) {
        try await store.transaction { try $0.write(new, fragment: card, on: "Bird:8", variables: .object([])) }
      }
    }
  }

  @Test func `an embedded object is read and written at its path`() async throws {
    let query = try operation(Self.query)
    let nest = try fragment("fragment Eggs on Nest { material eggs }")
    for (kind, store, _) in try caches() {
      try await store.write(Self.bird, query)
      let eggs = try await store.read(
        nest, on: "Bird:1.nest", variables: .object([]), allowPartial: false, allowStale: false)
      #expect(eggs.data?.description == #"{"material":"moss","eggs":2}"#, "\(kind)")
      var changes = await store.changes().makeAsyncIterator()
      try await store.transaction { cache in
        try cache.update(nest, on: "Bird:1.nest", variables: .object([])) { read in
          guard let data = read.data else { return nil }
          return (data, try data.replacing(at: ["eggs"], with: 7))
        }
      }
      #expect(await changes.next()?.changedKeys.descriptions == ["Bird:1.nest.eggs"], "\(kind)")
      #expect(try await store.look(query).data?["bird"]?["nest"]?["eggs"] == 7, "\(kind)")
    }
  }

  @Test func `concurrent transactions are serialized`() async throws {
    let query = try operation("{ settings version }")
    for (kind, store, _) in try caches() {
      try await store.write(#"{"settings":0,"version":"0"}"#, query)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask {
            try await store.transaction { cache in
              let number = (try cache.read(query).data?["settings"]?.int ?? 0) + 1
              cache.write(
                .object([("settings", JSONValue(number)), ("version", JSONValue("\(number)"))]), operation: query)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.look(query).text == #"{"settings":50,"version":"50"}"#, "\(kind)")
    }
  }
}
