import ClientOperation
import JSON
import Synchronization
import TestSupport
import Testing

@testable import ClientCache

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Random changes of every kind against a plain dictionary: writes, parts, evictions, collections, optimistic layers and
/// their rollback, and time that passes. Set APUS_MODEL_SEED and APUS_MODEL_STEPS to repeat a run or to change its length.
///
/// Three runs still end in a difference, to be explained and mended: seed 1 at step 256, seed 3680056863 at step 7,168 and
/// seed 3588923791 at step 11,008 (layers and their rollback beside time that passes).
@Suite(.serialized) struct ModelCheckTests {
  @Test(arguments: CacheKind.allCases)
  func theCacheIsWhatAPlainDictionaryWouldBe(kind: CacheKind) async throws {
    let seed = environment("APUS_MODEL_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let steps = environment("APUS_MODEL_STEPS") ?? 10_000
    print("model check (\(kind)): APUS_MODEL_SEED=\(seed) APUS_MODEL_STEPS=\(steps)")
    let folder = try TemporaryFolder()
    var check = try ModelCheck(cache: try kind.cache(in: folder), seed: seed)
    for step in 0..<Int(steps) {
      try await check.step(step)
      // One that went wrong goes wrong on and on: the first tells enough.
      if check.hasFailed { return }
    }
  }

  private func environment(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }
}

/// A cache and the model of it, changed step by step in the same ways.
private struct ModelCheck {
  /// A change as the model makes it, kept to be made again above the base as long as its layer lies there.
  private struct Layer {
    let handle: OptimisticLayer
    let data: JSONValue
    let operation: Int
  }

  private static let texts = [
    "{ flock { __typename id name } }",
    #"{ bird(id: "1") { __typename id age nest { __typename eggs } mate { __typename id name } } }"#,
    "{ flock { __typename id nest { __typename eggs material } tracks { __typename eggs } } }",
    "{ search { __typename ... on Bird { id name } ... on Station { id visitors { __typename id age } } } }",
    #"{ bird(id: "1") { __typename id small: photo(size: 1) big: photo(size: 2) } version settings }"#,
    #"{ bird(id: "1") { __typename id ... @defer(label: "d") { age nest { __typename material } } } }"#,
  ]

  private let clock = Clock()
  private let store: CacheStore
  private let operations: [CompiledOperation]
  private let plans: [SelectionPlan]
  private let seed: UInt64
  private var random: SplitMix
  private var model = CacheModel()
  private var layers: [Layer] = []
  private(set) var hasFailed = false

  private final class Clock: Sendable {
    let time = Mutex<UInt32>(1000)
  }

  init(cache: any NormalizedCache, seed: UInt64) throws {
    let clock = clock
    store = CacheStore(
      cache: cache, policies: CachePolicies(timeToLive: ["Station": 40, "Nest": 90]),
      clock: { clock.time.withLock { $0 } })
    model.timeToLive = ["Station": 40, "Nest": 90]
    model.time = 1000
    operations = try Self.texts.map { try operation($0) }
    plans = operations.map { SelectionPlan(operation: $0, variables: .object([])) }
    self.seed = seed
    random = SplitMix(state: seed)
  }

  /// The model as it is seen through the layers.
  private var view: CacheModel {
    guard !layers.isEmpty else { return model }
    var view = model
    view.timeToLive = [:]
    for layer in layers {
      view.write(layer.data, plan: plans[layer.operation].root, typename: "Query", key: "QUERY_ROOT")
    }
    view.dropOrphans()
    return view
  }

  mutating func step(_ number: Int) async throws {
    // Time passes between steps, so that what a step changes is all that a reader could notice of it.
    if Int.random(in: 0..<4, using: &random) == 0 {
      model.time += UInt32.random(in: 1...20, using: &random)
      clock.time.withLock { $0 = model.time }
    }
    let watched = Int.random(in: 0..<operations.count, using: &random)
    // Most steps only lead somewhere; every fourth is looked at, and some from all sides.
    let isLookedAt = number % 4 == 0
    let isThorough = number % 256 == 0
    let readBefore = isLookedAt ? try await store.look(operations[watched], partial: true) : nil
    let before = isThorough ? view : CacheModel()
    let (label, changed) = try await change()
    let place = "step \(number) of seed \(seed): \(label)"
    guard let readBefore else { return }
    let after = view
    let read = try await store.look(operations[watched], partial: true)
    let expected = after.read(plans[watched]).text
    expect(read.text == expected, "\(place), operation \(watched): \(read.text)\nbut the model: \(expected)")
    if readBefore.text != read.text, let changed {
      expect(readBefore.dependentKeys.areTouched(by: changed), "\(place), operation \(watched) was not told")
    }
    if isThorough { try await compare(after, changed: changed, before: before, place) }
  }

  private mutating func expect(_ condition: Bool, _ comment: String) {
    if !condition { hasFailed = true }
    #expect(condition, Comment(rawValue: comment))
  }

  // MARK: Changes

  private mutating func change() async throws -> (label: String, changed: ChangedKeys?) {
    switch Int.random(in: 0..<44, using: &random) {
    case 0:
      model.records = [:]
      return ("clear", try await store.clear())
    case 1...6:
      let key = randomKey() ?? "Bird:9"
      model.records[key] = nil
      model.dropOrphans()
      return ("evict \(key)", try await store.evict(CacheKey(key)))
    case 7...12:
      let key = randomKey() ?? "QUERY_ROOT"
      let field = model.records[key]?.keys.sorted().randomElement(using: &random) ?? "name"
      let isBare = Bool.random(using: &random)
      let name = isBare ? String(field.prefix { $0 != "(" }) : field
      model.remove(key, field: name)
      model.dropOrphans()
      return ("evict \(key).\(name)", try await store.evict(CacheKey(key), field: name))
    case 13:
      let key = randomKey() ?? "Bird:9"
      model.removeCascading(key)
      model.dropOrphans()
      return ("evict \(key) cascading", try await store.evict(CacheKey(key), cascading: true))
    case 14:
      model.collect()
      return ("collect", try await store.collect())
    case 15:
      let type = Bool.random(using: &random) ? "Bird" : "Station"
      for key in model.records.keys where key.hasPrefix(type + ":") && !key.contains(".") { model.records[key] = nil }
      model.dropOrphans()
      return ("evict \(type):*", try await store.evict(matching: RecordPattern(key: "\(type):?")))
    case 16, 17:
      let key = "Bird:\(Int.random(in: 1...4, using: &random))"
      let value = Int.random(in: 0...9, using: &random)
      model.records[key, default: [:]]["age"] = .scalar(JSONValue(value))
      model.records[key]?["__typename"] = .scalar("Bird")
      return (
        "modify \(key)",
        try await store.modify(CacheKey(key)) { record in
          record["age"] = .scalar(JSONValue(value))
          record["__typename"] = .scalar("Bird")
        }
      )
    case 18, 19:
      guard layers.count < 3 else { return try await rollBack() }
      let index = Int.random(in: 0..<operations.count, using: &random)
      let data = model.randomData(plans[index].root, typename: "Query", using: &random)
      let handle = try await store.writeOptimistically(data, operation: operations[index])
      layers.append(Layer(handle: handle, data: data, operation: index))
      return ("lay \(data) over it", nil)
    case 20, 21:
      return try await rollBack()
    default:
      let index = Int.random(in: 0..<operations.count, using: &random)
      let data = model.randomData(plans[index].root, typename: "Query", using: &random)
      model.write(data, plan: plans[index].root, typename: "Query", key: "QUERY_ROOT")
      model.dropOrphans()
      return ("write \(index) \(data)", try await store.write(data, operation: operations[index]))
    }
  }

  private mutating func rollBack() async throws -> (label: String, changed: ChangedKeys?) {
    guard !layers.isEmpty else { return ("nothing", ChangedKeys()) }
    let layer = layers.remove(at: Int.random(in: 0..<layers.count, using: &random))
    return ("roll \(layer.data) back", try await store.rollBack(layer.handle))
  }

  private mutating func randomKey() -> String? { model.records.keys.sorted().randomElement(using: &random) }

  // MARK: Comparing

  private mutating func compare(
    _ model: CacheModel, changed: ChangedKeys?, before: CacheModel, _ place: String
  ) async throws {
    let (staleBefore, before) = (before.staleFields, before.fieldTexts)
    let snapshot = try await store.snapshot()
    var texts: [String: String] = [:]
    var referrers: [String: [String]] = [:]
    var size = 0
    for summary in snapshot.summaries() {
      let record = try #require(snapshot.record(summary.key))
      size += summary.byteSize
      expect(summary.fieldCount == record.fields.count, place)
      for field in record.fields { texts["\(record.key).\(field.key)"] = CacheModel.text(field.value) }
      referrers[record.key.text] = snapshot.referrers(of: record.key).map { "\($0.key).\($0.field)" }.sorted()
    }
    let after = model.fieldTexts
    expect(
      texts == after,
      "\(place): \(texts.filter { after[$0.key] != $0.value }) but \(after.filter { texts[$0.key] != $0.value })")
    expect(size == snapshot.byteCount, place)
    expect(referrers == model.referrers, place)
    guard let changed else { return }
    // What is told as changed is what changed, and nothing else but what was asked to be removed and was not there.
    let differing = Set(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] })
    let told = changed.descriptions
    expect(told.isSuperset(of: differing), "\(place): \(differing.subtracting(told))")
    guard layers.isEmpty else { return }
    expect(
      told.subtracting(differing).subtracting(staleBefore).allSatisfy { before[$0] == nil },
      "\(place): \(told.subtracting(differing))")
  }
}

/// A small generator with a seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
