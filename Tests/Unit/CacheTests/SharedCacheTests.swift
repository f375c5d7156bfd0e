import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Reads that are in progress while another process writes to the same records.
@Suite(.timeLimit(.minutes(1))) struct SharedCacheTests {
  /// A cache with writes of another process, whose calls can be paused.
  private actor OthersCache: NormalizedCache {
    private let inner = InMemoryNormalizedCache()
    private var pendingChanges: [ChangedKeys] = []
    private var heldCall: Call?
    private let (held, released) = (Signal(), Signal())

    enum Call { case records, externalChanges }

    nonisolated var isShared: Bool { true }

    func writeAsOther(_ mutations: [CacheMutation]) async {
      pendingChanges.append(await inner.apply(mutations, at: 0))
    }

    /// Pauses the next call of this kind before it returns.
    func hold(_ call: Call) { heldCall = call }

    /// Returns when the call is paused.
    nonisolated func untilHeld() async { await held.wait() }

    nonisolated func release() { released.open() }

    private func answer(_ call: Call) async {
      guard heldCall == call else { return }
      heldCall = nil
      held.open()
      await released.wait()
    }

    func records(for request: RecordRequest) async -> RecordSet {
      let records = await inner.records(for: request)
      await answer(.records)
      return records
    }

    func externalChanges() async -> [ChangedKeys] {
      let changes = pendingChanges
      pendingChanges = []
      await answer(.externalChanges)
      return changes
    }

    func snapshot() async -> CacheSnapshot { await inner.snapshot() }
    func apply(_ mutations: [CacheMutation], at time: UInt32) async -> ChangedKeys {
      await inner.apply(mutations, at: time)
    }
    func update(
      at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
    ) async throws -> ChangedKeys { try await inner.update(at: time, body) }
    func byteCount() async -> Int { await inner.byteCount() }
    func recordUse(_ use: RecordUse) async { await inner.recordUse(use) }
    func trim(to limit: Int, keeping requests: [RecordRequest]) async -> ChangedKeys {
      await inner.trim(to: limit, keeping: requests)
    }
  }

  private let cache = OthersCache()
  private let store: CacheStore
  private let old = #"{"version":"1"}"#
  private let new = #"{"version":"2"}"#

  init() { store = CacheStore(cache: cache) }

  private func othersWriteTheNew() async throws {
    let mutation = CacheMutation.merge(store.records(of: try json(new), try operation("{ version }"), [], .complete))
    await cache.writeAsOther([mutation])
  }

  @Test func `a read that started before a write is not remembered`() async throws {
    let query = try operation("{ version }")
    try await store.write(old, query)
    await cache.hold(.records)
    async let early = store.look(query)
    await cache.untilHeld()
    try await othersWriteTheNew()
    #expect(try await store.look(query).data?.description == new)
    cache.release()
    #expect(try await early.data?.description == old)
    #expect(try await store.look(query).data?.description == new)
  }

  @Test func `remembered reads are not used while another process's write is published`() async throws {
    let query = try operation("{ version }")
    try await store.write(old, query)
    #expect(try await store.look(query).data?.description == old)
    try await othersWriteTheNew()
    await cache.hold(.externalChanges)
    async let reported: Void = store.refresh()
    await cache.untilHeld()
    #expect(try await store.look(query).data?.description == new)
    cache.release()
    try await reported
    #expect(try await store.look(query).data?.description == new)
  }
}
