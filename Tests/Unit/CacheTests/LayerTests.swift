import ApusClientOperation
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Optimistic layers, modifications, garbage collection and restoring.
@Suite(.timeLimit(.minutes(1))) struct LayerTests {
  private static let flock = "{ flock { __typename id name } }"
  private static let first = #"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#
  private static let second = #"{"flock":[{"__typename":"Bird","id":"1","name":"B"}]}"#

  @Test func `an optimistic layer is visible until it is rolled back`() async throws {
    let store = CacheStore()
    let query = try operation(Self.flock)
    try await store.write(Self.first, query)
    var changes = await store.changes().makeAsyncIterator()
    let layer = try await store.writeOptimistically(try json(Self.second), operation: query)
    #expect(await changes.next()?.cause == .optimistic)
    #expect(try await store.look(query).data?.description == Self.second)
    #expect(try await store.snapshot().record("Bird:1")?[field: "name"] == .scalar("B"))
    await store.rollBack(layer)
    #expect(await changes.next()?.changedKeys.descriptions.contains("Bird:1.name") == true)
    #expect(try await store.look(query).data?.description == Self.first)
    #expect(await store.rollBack(layer).isEmpty)
  }

  @Test func `a write below a layer is visible after its rollback`() async throws {
    let store = CacheStore()
    let query = try operation(Self.flock)
    let layer = try await store.writeOptimistically(try json(Self.second), operation: query)
    try await store.write(Self.first, query)
    #expect(try await store.look(query).data?.description == Self.second)
    await store.rollBack(layer)
    #expect(try await store.look(query).data?.description == Self.first)
  }

  @Test(arguments: CacheKind.allCases)
  func `a change below an optimistic layer reports the fields that the layer now changes`(kind: CacheKind) async throws
  {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    func query(_ fields: String) throws -> CompiledOperation {
      try operation(#"{ bird(id: "1") { __typename id \#(fields) } }"#)
    }
    func bird(_ fields: String) -> String { #"{"bird":{"__typename":"Bird","id":"1",\#(fields)}}"# }
    let (ranks, notes) = (
      try operation("{ birds { edges { __typename rank node { __typename id } } } }"),
      try operation("{ birds { edges { __typename note node { __typename id } } } }")
    )
    func birds(_ node: Int, _ field: String) -> String {
      let edge = #"{"__typename":"BirdEdge",\#(field),"node":{"__typename":"Bird","id":"\#(node)"}}"#
      return #"{"birds":{"__typename":"BirdConnection","edges":[\#(edge)]}}"#
    }
    let (name, species) = (try query("name"), try query("kind"))
    try await store.write(birds(1, #""rank":4"#), ranks)
    try await store.write(bird(#""kind":"SWIFT""#), species)
    _ = try await store.writeOptimistically(try json(birds(1, #""note":"guess""#)), operation: notes)
    _ = try await store.modifyOptimistically("Bird:1") { $0["name"] = $0["kind"] }
    let (edge, swift) = (try await store.look(ranks), try await store.look(name))
    #expect(edge.isComplete && swift.data?["bird"]?["name"] == "SWIFT")

    // The edge of the layer is a different object than this one.
    let moved = try await store.write(try json(birds(2, #""note":"new""#)), operation: notes)
    #expect(edge.dependentKeys.intersects(moved))
    #expect(try await !store.look(ranks).isComplete)

    // Another process has the same file open.
    let other = kind == .memory ? store : CacheStore(cache: try CacheKind.file.cache(in: folder))
    try await other.write(bird(#""kind":"SWALLOW""#), species)
    #expect(try await store.look(name).data?["bird"]?["name"] == "SWALLOW")
  }

  @Test func `modifying a record notifies its readers`() async throws {
    let store = CacheStore()
    let query = try operation(Self.flock)
    try await store.write(Self.first, query)
    let read = try await store.look(query)
    let changed = try await store.modify("Bird:1") { $0["name"] = .scalar("Z") }
    #expect(changed.descriptions == ["Bird:1.name"])
    #expect(read.dependentKeys.intersects(changed))
    try await store.modify("QUERY_ROOT") {
      $0["flock"] = .list([.reference(CacheReference("Bird:1")), .scalar(.null)])
    }
    #expect(
      try await store.look(query).data?.description == #"{"flock":[{"__typename":"Bird","id":"1","name":"Z"},null]}"#)
  }

  @Test func `garbage collection keeps reachable and retained records`() async throws {
    let store = CacheStore()
    let flock = try operation(Self.flock)
    try await store.write(Self.first, flock)
    try await store.write(#"{"version":"1"}"#, try operation("{ version }"))
    try await store.modify("Bird:9") { $0["name"] = .scalar("lost") }
    #expect(try await store.collectGarbage().recordKeys == ["Bird:9"])
    let retainer = await store.retain(try operation("{ version }"))
    #expect(try await store.collectGarbage(onlyRetained: true).descriptions.contains("Bird:1.name"))
    #expect(try await store.keys() == ["QUERY_ROOT"])
    await store.release(retainer)
    try await store.collectGarbage(onlyRetained: true)
    #expect(try await store.look(try operation("{ version }")).data == nil)
  }

  @Test func `dangling references are found`() async throws {
    let store = CacheStore()
    try await store.write(Self.first, try operation(Self.flock))
    try await store.evict("Bird:1")
    let dangling = try await store.snapshot().danglingReferences()
    #expect(dangling.map(\.target) == ["Bird:1"])
    #expect(dangling.map(\.referrer) == [Referrer(key: "QUERY_ROOT", field: "flock")])
  }

  @Test func `restoring from a snapshot undoes a change`() async throws {
    let store = CacheStore()
    let query = try operation(
      #"{ bird(id: "1") { __typename id nest { __typename eggs } mate { __typename id name } } }"#)
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","nest":{"__typename":"Nest","eggs":1},"mate":{"__typename":"Bird","id":"2","name":"C"}}}"#,
      query)
    let before = try await store.snapshot()
    for mutation in [
      CacheMutation.removeRecord("Bird:1"), .removeRecord("Bird:1.nest"), .removeAll,
      .removeField("Bird:1", field: "mate"),
      .modify("Bird:2") { $0["name"] = .scalar("other") },
    ] {
      let changed = try await store.apply([mutation])
      try await store.restore(changed, from: before)
      #expect(CacheExport.json(try await store.snapshot()) == CacheExport.json(before))
    }
  }

  @Test func `restoring keeps later writes of other fields`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","name":"A","age":1,"nest":{"__typename":"Nest","eggs":1}}}"#,
      try operation(#"{ bird(id: "1") { __typename id name age nest { __typename eggs } } }"#))
    let before = try await store.snapshot()
    let renamed = try await store.modify("Bird:1") { $0["name"] = .scalar("B") }
    let laid = try await store.modify("Bird:1.nest") { $0["eggs"] = .scalar(2) }
    try await store.modify("Bird:1") { $0["ring"] = .scalar("r") }
    try await store.modify("Bird:1") { $0["age"] = .scalar(2) }
    #expect(try await store.restore(renamed, from: before).descriptions == ["Bird:1.name"])
    let record = try #require(try await store.record("Bird:1"))
    #expect(record[field: "name"] == .scalar("A"))
    #expect(record[field: "ring"] == .scalar("r") && record[field: "age"] == .scalar(2))
    #expect(try await store.record("Bird:1.nest")?[field: "eggs"] == .scalar(2))
    try await store.restore(laid, from: before)
    #expect(try await store.record("Bird:1.nest")?[field: "eggs"] == .scalar(1))
    #expect(try await store.record("Bird:1")?[field: "age"] == .scalar(2))
  }

  @Test func `restoring keeps a field that was written again`() async throws {
    let store = CacheStore()
    try await store.write(Self.first, try operation(Self.flock))
    let before = try await store.snapshot()
    let renamed = try await store.modify("Bird:1") { $0["name"] = .scalar("B") }
    try await store.modify("Bird:1") { $0["name"] = .scalar("C") }
    try await store.restore(renamed, from: before)
    #expect(try await store.record("Bird:1")?[field: "name"] == .scalar("C"))
  }

  @Test func `restoring keeps fields added to a created record`() async throws {
    let store = CacheStore()
    let before = try await store.snapshot()
    let made = try await store.modify("Bird:9") { $0["name"] = .scalar("B") }
    try await store.modify("Bird:9") { $0["age"] = .scalar(3) }
    try await store.restore(made, from: before)
    let record = try #require(try await store.record("Bird:9"))
    #expect(record[field: "name"] == nil && record[field: "age"] == .scalar(3))
  }

  @Test func `restoring ignores optimistic layers`() async throws {
    let store = CacheStore()
    let query = try operation(#"{ bird(id: "1") { __typename id name } }"#)
    func data(_ name: String) throws -> String { #"{"bird":{"__typename":"Bird","id":"1","name":"\#(name)"}}"# }
    try await store.write(try data("kept"), query)
    let layer = try await store.modifyOptimistically("Bird:1") {
      $0["name"] = .scalar("guess")
      $0["ring"] = .scalar("guess")
    }
    let before = try await store.snapshot()
    let changed = try await store.modify("Bird:1") { $0["name"] = .scalar("other") }
    try await store.restore(changed, from: before)
    await store.rollBack(layer)
    #expect(try await store.look(query).data?["bird"]?["name"] == "kept")
    #expect(try await store.record("Bird:1")?[field: "ring"] == nil)
  }

  @Test func `the shortest path from a root is found`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","mate":{"__typename":"Bird","id":"2","name":"C"}}}"#,
      try operation(#"{ bird(id: "1") { __typename id mate { __typename id name } } }"#))
    #expect(
      try await store.snapshot().path(to: "Bird:2") == [
        Referrer(key: "QUERY_ROOT", field: #"bird({"id":"1"})"#), Referrer(key: "Bird:1", field: "mate"),
      ])
  }
}
