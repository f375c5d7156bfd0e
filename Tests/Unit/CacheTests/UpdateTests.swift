import ApusClientOperation
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Updates, which read, modify and write atomically.
@Suite(.timeLimit(.minutes(1))) struct UpdateTests {
  private static let query = "{ bird(id: 1) { __typename id name age nest { __typename eggs } } }"
  private static let bird =
    #"{"bird":{"__typename":"Bird","id":"1","name":"A","age":0,"nest":{"__typename":"Nest","eggs":0}}}"#

  private struct Refused: Error {}

  private static func increment(_ data: inout JSONValue, _ path: ResponsePath) {
    let number = data.value(at: path)?.int ?? 0
    data = (try? data.replacing(at: path, with: JSONValue(number + 1))) ?? data
  }

  @Test(arguments: CacheKind.allCases)
  func `no concurrent update is lost`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let query = try operation(Self.query)
    try await store.write(Self.bird, query)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        let path: ResponsePath = number % 2 == 0 ? ["bird", "age"] : ["bird", "nest", "eggs"]
        group.addTask { try await store.update(query) { Self.increment(&$0, path) } }
      }
      try await group.waitForAll()
    }
    let data = try await store.look(query).data
    #expect(data?["bird"]?["age"]?.int == 100)
    #expect(data?["bird"]?["nest"]?["eggs"]?.int == 100)
  }

  @Test func `updates of two processes on one file are not lost`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("cache.sqlite")
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: path, memoryLimit: 1 << 20))
    let query = try operation(Self.query)
    try await store.write(Self.bird, query)
    let other = try ChildProcess(Checkout.products + "/ApusCacheWriter", [path, "count", "200"])
    #expect(await other.nextLine() == "ready")
    for _ in 0..<200 { try await store.update(query) { Self.increment(&$0, ["bird", "age"]) } }
    #expect(await other.outcome().exitCode == 0)
    #expect(try await store.look(query).data?["bird"]?["age"]?.int == 400)
  }

  @Test func `an update writes only changed fields`() async throws {
    let store = CacheStore()
    let query = try operation(Self.query)
    try await store.write(Self.bird, query)
    let changed = try await store.update(query) { data in
      data = try data.replacing(at: ["bird", "age"], with: 7)
    }
    #expect(changed.descriptions == ["Bird:1.age"])
    #expect(try await store.update(query) { _ in }.isEmpty)
  }

  @Test func `an error in an update changes nothing`() async throws {
    let folder = try TemporaryFolder()
    for kind in CacheKind.allCases {
      let store = CacheStore(cache: try kind.cache(in: folder))
      let query = try operation(Self.query)
      try await store.write(Self.bird, query)
      await #expect(throws: Refused.self) {
        try await store.update(query) { data in
          Self.increment(&data, ["bird", "age"])
          throw Refused()
        }
      }
      #expect(try await store.look(query).text == Self.bird)
    }
  }

  @Test func `an update of incomplete data changes nothing`() async throws {
    let store = CacheStore()
    let query = try operation(Self.query)
    #expect(try await store.update(query) { $0 = .object([]) }.isEmpty)
    try await store.write(Self.bird, query)
    try await store.evict("Bird:1", field: "name")
    #expect(try await store.update(query) { Self.increment(&$0, ["bird", "age"]) }.isEmpty)
  }

  @Test func `a replacing object is written completely`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock { __typename id name } }")
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"},{"__typename":"Bird","id":"2","name":"A"}]}"#, query)
    let turned = try json(
      #"{"flock":[{"__typename":"Bird","id":"3","name":"A"},{"__typename":"Bird","id":"1","name":"A"}]}"#)
    try await store.update(query) { $0 = turned }
    #expect(try await store.look(query).data == turned)
    try await store.update(query) { $0 = .object([("flock", .array([]))]) }
    #expect(try await store.look(query).text == #"{"flock":[]}"#)
  }

  @Test func `an update replaces an appended list`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.flock": FieldPolicy(merge: .append(arguments: []))]))
    let query = try operation("{ flock { __typename id } }")
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"1"},{"__typename":"Bird","id":"2"}]}"#, query)
    let shorter = try json(#"{"flock":[{"__typename":"Bird","id":"2"}]}"#)
    try await store.update(query) { $0 = shorter }
    #expect(try await store.look(query).data == shorter)
  }

  @Test func `an update does not change optimistic layers`() async throws {
    let store = CacheStore()
    let query = try operation(Self.query)
    try await store.write(Self.bird, query)
    let layer = try await store.modifyOptimistically("Bird:1") { $0["age"] = .scalar(50) }
    try await store.update(query) { Self.increment(&$0, ["bird", "age"]) }
    #expect(try await store.look(query).data?["bird"]?["age"]?.int == 50)
    await store.rollBack(layer)
    #expect(try await store.look(query).data?["bird"]?["age"]?.int == 1)
  }

  @Test func `an update is one change for listeners`() async throws {
    let store = CacheStore()
    let query = try operation(Self.query)
    try await store.write(Self.bird, query)
    let dependent = try await store.look(query).dependentKeys
    var changes = await store.changes().makeAsyncIterator()
    try await store.update(query) { Self.increment(&$0, ["bird", "age"]) }
    let change = try #require(await changes.next())
    #expect(change.cause == .modification)
    #expect(dependent.intersects(change.changedKeys))
  }
}
