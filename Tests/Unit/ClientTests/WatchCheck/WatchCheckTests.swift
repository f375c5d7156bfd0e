import ApusClientAPI
import ApusClientRequestChain
import ApusJSON
import ApusPlatform
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Watches and pagers on one cache with random, partly concurrent changes. In the end, each shows the cached data, and
/// there are no more requests.
///
/// Set APUS_WATCH_SEED and APUS_WATCH_STEPS to repeat a run or to change its length.
@Suite("Watches and pagers under random changes", .timeLimit(.minutes(60)))
struct WatchCheckTests {
  enum Server: String, CaseIterable {
    /// A server with a pager among the watches. A page stays complete while the cache lacks some of it.
    case right
    /// A server whose responses sometimes contradict the schema.
    case faulty
  }

  @Test(arguments: Server.allCases, [CacheKind.memory, .file])
  func `watches show the cached data and come to rest`(server: Server, kind: CacheKind) async throws {
    let seed = environment("APUS_WATCH_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let steps = environment("APUS_WATCH_STEPS") ?? 60
    print("watch check (\(server), \(kind)): APUS_WATCH_SEED=\(seed) APUS_WATCH_STEPS=\(steps)")
    var random = SplitMix(seed: seed)
    let folder = try TemporaryFolder()
    let cache: any NormalizedCache =
      kind == .memory ? InMemoryNormalizedCache() : try SQLiteNormalizedCache(path: folder.path("c"), memoryLimit: 2000)
    let check = try await WatchCheck(cache, hasFaults: server == .faulty)
    for number in 0..<Int(steps) {
      let count = Int.random(in: 0..<4, using: &random) == 0 ? 3 : 1
      let changes = (0..<count).map { _ in WatchChange.random(hasFaults: server == .faulty, using: &random) }
      try await check.make(changes)
      if let difference = try await check.difference() {
        Issue.record("step \(number) of seed \(seed), \(changes): \(difference)")
        return
      }
    }
  }

  enum CacheKind: String, CustomTestStringConvertible {
    case memory, file
    var testDescription: String { rawValue }
  }

  private func environment(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}

/// A change of the cache or on the server.
enum WatchChange: Sendable {
  /// Renames a person on the server.
  case rename(Int)
  case like(Int)
  /// Changes the badges on the server.
  case award
  /// Makes a person's data contradict the schema, or none.
  case fault(Int?)
  /// Deferred fragments fail at the server, or do no more.
  case failFragments(Bool)
  case fetch(Int)
  case evict(Int)
  case evictField(Int)
  case clear
  case modify(Int, JSONValue)
  case update(Int)
  /// An optimistic change that is made and removed.
  case guess(Int)

  static func random(hasFaults: Bool, using random: inout SplitMix) -> WatchChange {
    let person = Int.random(in: 1...4, using: &random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0, 1: return .rename(person)
    case 2, 3: return .like(person)
    case 4...6: return .fetch(Int.random(in: 0..<WatchCheck.texts.count, using: &random))
    case 7...10: return .evict(person)
    case 11: return .evictField(person)
    case 12: return .clear
    case 13: return .guess(person)
    case 14, 15: return .update(person)
    case 16, 17: return .modify(person, JSONValue("name \(Int.random(in: 0..<100, using: &random))"))
    case 20, 21: return .award
    case 22, 23: return hasFaults ? .failFragments(Bool.random(using: &random)) : .like(person)
    case 18 where hasFaults: return .modify(person, 7)
    default: return hasFaults ? .fault(Bool.random(using: &random) ? person : nil) : .evict(person)
    }
  }
}
