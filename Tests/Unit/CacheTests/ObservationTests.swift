import ApusClientAPI
import ApusClientOperation
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientCache

/// Observers of changes: the change, its origin, and snapshots of the cache.
@Suite(.timeLimit(.minutes(1))) struct ObservationTests {
  private static let bird = "{ bird(id: 1) { __typename id name age } }"

  /// Records the changes that an observer receives.
  private final class Notes: Sendable {
    private let state = Mutex<[ObservedCacheChange]>([])
    var all: [ObservedCacheChange] { state.withLock { $0 } }
    func add(_ change: ObservedCacheChange) { state.withLock { $0.append(change) } }
  }

  private func value(_ snapshot: CacheSnapshot?, _ field: String) -> RecordValue? {
    snapshot?.record("Bird:1")?[field: field]
  }

  @Test(arguments: CacheKind.allCases) func `observers receive snapshots before the change returns`(
    kind: CacheKind
  ) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let notes = Notes()
    let observation = store.observe(notes.add)
    let query = try operation(Self.bird)
    let request = RequestID()
    var options = CacheWriteOptions(payloadIndex: 2)
    options.request = request
    try await store.write(#"{"bird":{"__typename":"Bird","id":"1","name":"A","age":1}}"#, query, options: options)
    #expect(notes.all.count == 1)
    #expect(notes.all.first?.change.cause == .write(operation: nil, part: 2))
    #expect(notes.all.first?.change.request == request)
    #expect(notes.all.first?.before?.count == 0)
    #expect(value(notes.all.first?.after, "name") == .scalar("A"))
    try await store.apply([.modify("Bird:1") { $0["name"] = .scalar("B") }], cause: .modification, title: "Rename")
    #expect(notes.all.count == 2)
    #expect(notes.all.last?.change.title == "Rename")
    #expect(value(notes.all.last?.before, "name") == .scalar("A"))
    #expect(value(notes.all.last?.after, "name") == .scalar("B"))
    #expect(notes.all.last?.change.changedKeys.fieldNames().map(\.field) == ["name"])
    // A write that changes nothing is not a change.
    try await store.write(#"{"bird":{"__typename":"Bird","id":"1","name":"B","age":1}}"#, query, options: options)
    #expect(notes.all.count == 2)
    withExtendedLifetime(observation) {}
  }

  @Test func `a released observation receives no changes`() async throws {
    let store = CacheStore()
    let notes = Notes()
    var observation: CacheObservation? = store.observe(notes.add)
    try await store.write(#"{"version":"1"}"#, try operation("{ version }"))
    #expect(observation != nil)
    observation = nil
    try await store.clear()
    #expect(notes.all.count == 1)
  }

  @Test func `concurrent changes have their own snapshots`() async throws {
    let store = CacheStore()
    let notes = Notes()
    let observation = store.observe(notes.add)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let key = CacheKey("Bird:\(number)")
          try await store.modify(key) { $0["name"] = .scalar("A") }
        }
      }
      try await group.waitForAll()
    }
    #expect(notes.all.count == 200)
    for reported in notes.all {
      let key = try #require(reported.change.changedKeys.recordKeys.first)
      #expect(reported.before?.record(key) == nil)
      #expect(reported.after.record(key) != nil)
      #expect(reported.after.count == (reported.before?.count ?? 0) + 1)
    }
    withExtendedLifetime(observation) {}
  }

  @Test func `snapshots for observers include optimistic layers`() async throws {
    let store = CacheStore()
    let query = try operation(Self.bird)
    try await store.write(#"{"bird":{"__typename":"Bird","id":"1","name":"A","age":1}}"#, query)
    let notes = Notes()
    let observation = store.observe(notes.add)
    let layer = try await store.modifyOptimistically("Bird:1") { $0["name"] = .scalar("probably") }
    try await store.modify("Bird:1") { $0["age"] = .scalar(2) }
    await store.rollBack(layer)
    #expect(notes.all.map { value($0.before, "name") } == [.scalar("A"), .scalar("probably"), .scalar("probably")])
    #expect(notes.all.map { value($0.after, "name") } == [.scalar("probably"), .scalar("probably"), .scalar("A")])
    withExtendedLifetime(observation) {}
  }

  @Test func `a write of another process is observed with the current cache`() async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("cache.sqlite")))
    let other = CacheStore(cache: try SQLiteNormalizedCache(path: folder.path("cache.sqlite")))
    let (reported, notifying) = AsyncStream.makeStream(of: ObservedCacheChange.self)
    let observation = store.observe { notifying.yield($0) }
    try await other.write(
      #"{"bird":{"__typename":"Bird","id":"1","name":"A","age":1}}"#, try operation(Self.bird))
    // Without any call of the store, the change is noticed through the file.
    var iterator = reported.makeAsyncIterator()
    let change = await iterator.next()
    #expect(change?.change.cause == .external)
    #expect(change?.before == nil)
    #expect(value(change?.after, "name") == .scalar("A"))
    withExtendedLifetime(observation) {}
  }
}
