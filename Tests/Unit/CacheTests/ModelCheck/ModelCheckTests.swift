import ApusPlatform
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Random changes of a cache and of a model of dictionaries: complete and partial writes, evictions, garbage collection,
/// trimming, optimistic layers and rollbacks, writes by another process, and the passing of time.
///
/// Set APUS_MODEL_SEED and APUS_MODEL_STEPS to repeat a run or change its length, and APUS_MODEL_CACHE to run only one kind
/// of cache. A run that ends in a difference is shortened to the steps that cause it.
@Suite(.timeLimit(.minutes(60))) struct ModelCheckTests {
  @Test(arguments: CacheKind.allCases)
  func `the cache matches a model of dictionaries`(kind: CacheKind) async throws {
    if let only = text("APUS_MODEL_CACHE"), only != kind.rawValue { return }
    let seed = environment("APUS_MODEL_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let steps = environment("APUS_MODEL_STEPS") ?? 10_000
    print("model check (\(kind)): APUS_MODEL_SEED=\(seed) APUS_MODEL_STEPS=\(steps)")
    let folder = try TemporaryFolder()
    let check = try kind.check(in: folder)
    var generator = ModelGenerator(seed: seed)
    var moves: [ModelMove] = []
    for number in 0..<Int(steps) {
      let move = generator.move(number, check)
      moves.append(move)
      try await check.make(move)
      guard let difference = check.difference else { continue }
      let shortest = try await ModelShrinker(kind: kind).shortest(moves)
      Issue.record(
        """
        step \(number) of seed \(seed): \(difference)
        The shortest way there:
        \(shortest.moves.map { "  \($0)" }.joined(separator: "\n"))
        \(shortest.difference)
        """)
      return
    }
  }

  private func environment(_ name: String) -> UInt64? {
    text(name).flatMap { UInt64($0) }
  }

  private func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

extension CacheKind {
  func check(in folder: TemporaryFolder) throws -> ModelCheck {
    ModelCheck(cache: try cache(in: folder), other: self == .memory ? nil : try CacheKind.file.cache(in: folder))
  }
}

extension ModelMove: CustomStringConvertible {
  var description: String {
    "\(step)\(look.map { ", reading \($0.operation)\($0.allowsStale ? " with stale data" : "")" } ?? "")"
  }
}
