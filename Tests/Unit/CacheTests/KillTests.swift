import ApusJSON
import ApusSQLite
import ApusTestSupport
import Foundation
import Testing

@testable import ApusClientCache

/// A process that writes is killed at random times. Set APUS_KILL_SEED to repeat a run, and APUS_KILL_COUNT for its length.
@Suite(.timeLimit(.minutes(30))) struct KillTests {
  @Test
  func `a file is intact and has complete changes after a kill`() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["APUS_KILL_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let count = environment["APUS_KILL_COUNT"].flatMap(Int.init) ?? 200
    print("kill test: APUS_KILL_SEED=\(seed) APUS_KILL_COUNT=\(count)")
    var random = SplitMix(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.path("cache.sqlite")
    var last = 0
    for round in 0..<count {
      let writer = try ChildProcess(Checkout.products + "/ApusCacheWriter", [path, "\(last)"])
      #expect(await writer.nextLine() == "ready")
      // The only test that depends on time, because it varies the time of the kill.
      usleep(UInt32.random(in: 0...20_000, using: &random))
      writer.signal(SIGKILL)
      #expect(await writer.outcome().exitCode == 128 + SIGKILL)
      let cache = try SQLiteNormalizedCache(path: path)
      let snapshot = try await cache.snapshot()
      #expect(await cache.notices.isEmpty, "round \(round)")
      let values = Set((0..<10).compactMap { snapshot.record(CacheKey("Count:\($0)"))?[field: "value"] })
      #expect(values.count == 1, "round \(round): \(values)")
      guard case .scalar(let value)? = values.first, let number = value.int else { return }
      #expect(number > last)
      last = number
      #expect(snapshot.danglingReferences().isEmpty)
    }
    let connection = try SQLiteConnection(path: path, isReadOnly: true)
    let check = try connection.statement("PRAGMA integrity_check")
    #expect(try connection.step(check))
    #expect(check.text(0) == "ok")
  }
}
