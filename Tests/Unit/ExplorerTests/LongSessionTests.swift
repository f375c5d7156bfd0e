import ApusClientAPI
import ApusClientCache
import ApusClientCore
import Synchronization
import Testing

@testable import ApusExplorerEnvironment

/// An explorer that is open all day: events still work after many repetitions.
@Suite(.timeLimit(.minutes(5))) struct LongSessionTests {
  private struct NoSchema: Error {}

  @Test func `cache changes are reported after 200,000 changes as after the first`() {
    let live = LiveEnvironment(
      client: GraphQLClient(url: "http://127.0.0.1:1/graphql", store: CacheStore()), schema: { throw NoSchema() })
    let noticeCount = Mutex(0)
    let changeCount = 200_000
    live.environment.listen { _ in noticeCount.withLock { $0 += 1 } }
    for _ in 0..<changeCount { live.send(.started) }
    #expect(noticeCount.withLock { $0 } == changeCount)
  }

  @Test func `after 100,000 payloads the cache revision of the newest is available`() async throws {
    let snapshot = try await CacheStore().snapshot()
    let request = RequestID()
    var moments = CacheSnapshotHistory(start: snapshot)
    let count = 100_000
    for number in 0..<count { moments.receive(PayloadID(request: request, number: number)) }
    moments.add(snapshot, PayloadID(request: request, number: count - 1))
    #expect(moments.snapshot(ofResult: count - 1) != nil)
    #expect(moments.snapshot(ofResult: 0) == nil)
  }
}
