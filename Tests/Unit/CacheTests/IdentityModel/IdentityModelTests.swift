import ApusJSON
import ApusPlatform
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// The table of objects without keys, compared with a model of nested values: every pair of a cached and a new value at
/// every location, for every kind of write, and long random runs.
///
/// Set APUS_IDENTITY_SEED and APUS_IDENTITY_STEPS to repeat a random run or change its length.
@Suite(.timeLimit(.minutes(60))) struct IdentityModelTests {
  /// The next change of a comparison.
  private struct Step {
    let scene: PlainScene
    let value: PlainValue
    let write: PlainWrite
  }

  /// A cache and its model.
  private struct Pair {
    let store: CacheStore
    var model = PlainCache()

    init(_ cache: any NormalizedCache) { store = CacheStore(cache: cache) }

    /// Makes the first change, a response.
    mutating func begin(_ step: Step) async throws {
      let (operation, data) = try step.scene.response(step.value)
      step.scene.write(step.value, to: &model, .response)
      try await store.write(data, operation: operation)
    }

    /// Makes a change in both. Returns a line if the caches then differ.
    mutating func make(_ step: Step) async throws -> String? {
      let (operation, data) = try step.scene.response(step.value)
      let before = model
      step.scene.write(step.value, to: &model, step.write)
      switch step.write {
      case .response: try await store.write(data, operation: operation)
      case .local: try await store.write(data, operation: operation, options: .localChange)
      case .layer:
        let layer = try await store.writeOptimistically(data, operation: operation)
        let difference = try await difference(step, from: before)
        await store.rollBack(layer)
        model = before
        if let difference { return difference }
      }
      return try await difference(step, from: before)
    }

    private func difference(_ step: Step, from before: PlainCache) async throws -> String? {
      let found = PlainCache(try await store.snapshot())
      if found == model { return nil }
      return """
        \(step.write) of \(step.value.text) at \(step.scene)
        before:   \(before.text)
        cache:    \(found.text)
        expected: \(model.text)
        """
    }
  }

  /// Compares every new value over every cached one. Returns the number of comparisons.
  private func compare(
    _ cache: any NormalizedCache, _ scenes: [PlainScene], cached: [PlainValue], new: [PlainValue], every stride: Int = 1
  ) async throws -> Int {
    var (count, number) = (0, 0)
    for scene in scenes {
      for write in PlainWrite.allCases {
        for old in cached {
          for value in new {
            number += 1
            guard number.isMultiple(of: stride) else { continue }
            count += 1
            var pair = Pair(cache)
            try await pair.store.clear()
            try await pair.begin(Step(scene: scene, value: old, write: .response))
            guard let difference = try await pair.make(Step(scene: scene, value: value, write: write)) else {
              continue
            }
            Issue.record("\(difference)")
            return count
          }
        }
      }
    }
    return count
  }

  @Test func `every object over every cached object follows the table`() async throws {
    let (cached, new) = (PlainAlphabet.cachedObjects, PlainAlphabet.newObjects)
    let count = try await compare(InMemoryNormalizedCache(), PlainScene.objects, cached: cached, new: new)
    #expect(count == PlainScene.objects.count * 3 * cached.count * new.count)
    print("identity of objects: \(count) comparisons")
  }

  /// The rules for the elements of a list are the same at each location, so only one has every pair.
  @Test func `every list over every cached list follows the table`() async throws {
    let (cached, new) = (PlainAlphabet.lists(isCached: true), PlainAlphabet.lists(isCached: false))
    let cache = InMemoryNormalizedCache()
    let count = try await compare(cache, [.rootList], cached: cached, new: new)
    #expect(count == 3 * cached.count * new.count)
    let others = PlainScene.lists.filter { $0 != .rootList }
    let sample = try await compare(cache, others, cached: cached, new: new, every: 11)
    print("identity of elements: \(count + sample) comparisons")
  }

  @Test(arguments: [CacheKind.file, .chain])
  func `a file, read again for each change, has the same rules`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let cache = try kind.cache(in: folder)
    let objects = try await compare(
      cache, PlainScene.objects, cached: PlainAlphabet.cachedObjects, new: PlainAlphabet.newObjects, every: 23)
    let lists = try await compare(
      cache, PlainScene.lists, cached: PlainAlphabet.lists(isCached: true), new: PlainAlphabet.lists(isCached: false),
      every: 149)
    #expect(objects + lists > 1000)
    print("identity in a \(kind): \(objects + lists) comparisons")
  }

  @Test(arguments: CacheKind.allCases)
  func `long random runs follow the table`(kind: CacheKind) async throws {
    let seed = number("APUS_IDENTITY_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let steps = number("APUS_IDENTITY_STEPS") ?? (kind == .memory ? 3000 : 600)
    print("identity (\(kind)): APUS_IDENTITY_SEED=\(seed) APUS_IDENTITY_STEPS=\(steps)")
    let folder = try TemporaryFolder()
    var random = SplitMix(seed: seed)
    var pair = Pair(try kind.cache(in: folder))
    let objects = PlainAlphabet.cachedObjects + PlainAlphabet.newObjects
    let lists = PlainAlphabet.lists(isCached: true) + PlainAlphabet.lists(isCached: false)
    for number in 0..<Int(steps) {
      let scene = PlainScene.allCases[Int.random(in: 0..<PlainScene.allCases.count, using: &random)]
      let values = PlainScene.objects.contains(scene) ? objects : lists
      let step = Step(
        scene: scene, value: values[Int.random(in: 0..<values.count, using: &random)],
        write: PlainWrite.allCases[Int.random(in: 0..<3, using: &random)])
      if let difference = try await pair.make(step) {
        Issue.record("step \(number) of seed \(seed): \(difference)")
        return
      }
    }
  }

  private func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}
