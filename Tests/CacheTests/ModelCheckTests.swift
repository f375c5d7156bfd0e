import ClientOperation
import JSON
import Testing

@testable import ClientCache

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Random writes, chunks and removals against a plain dictionary. Set APUS_MODEL_SEED and APUS_MODEL_STEPS to repeat a
/// run or to make a longer one.
@Suite struct ModelCheckTests {
  @Test func theCacheIsWhatAPlainDictionaryWouldBe() async throws {
    let seed = environment("APUS_MODEL_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let steps = environment("APUS_MODEL_STEPS") ?? 1500
    print("model check: APUS_MODEL_SEED=\(seed) APUS_MODEL_STEPS=\(steps)")
    var random = SplitMix(state: seed)
    let operations = try Self.texts.map { try operation($0) }
    let plans = operations.map { SelectionPlan(operation: $0, variables: .object([])) }
    let store = CacheStore()
    var model = CacheModel()
    for step in 0..<Int(steps) {
      let readsBefore = try await reads(store, operations)
      let before = model.fieldTexts
      let changed: ChangedKeys
      var label = ""
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        label = "clear"
        changed = try await store.clear()
        model.records = [:]
      case 1...4:
        let key = model.records.keys.sorted().randomElement(using: &random) ?? "Bird:9"
        label = "evict \(key)"
        changed = try await store.evict(CacheKey(key))
        model.records[key] = nil
        model.dropOrphans()
      case 5...8:
        let key = model.records.keys.sorted().randomElement(using: &random) ?? "QUERY_ROOT"
        let field = model.records[key]?.keys.sorted().randomElement(using: &random) ?? "name"
        let isBare = Bool.random(using: &random)
        let name = isBare ? String(field.prefix { $0 != "(" }) : field
        label = "evict \(key).\(name)"
        changed = try await store.evict(CacheKey(key), field: name)
        model.remove(key, field: name)
        model.dropOrphans()
      default:
        let index = Int.random(in: 0..<operations.count, using: &random)
        let data = model.randomData(plans[index].root, typename: "Query", using: &random)
        label = "write \(index) \(data)"
        changed = try await store.write(data, operation: operations[index])
        model.write(data, plan: plans[index].root, typename: "Query", key: "QUERY_ROOT")
        model.dropOrphans()
      }
      let place = "step \(step) of seed \(seed): \(label)"
      try await compare(store, model, changed: changed, before: before, place)
      let readsAfter = try await reads(store, operations)
      for (index, (old, new)) in zip(readsBefore, readsAfter).enumerated() {
        #expect(new.text == model.read(plans[index]).text, "\(place), operation \(index)")
        if old.text != new.text {
          #expect(old.dependentKeys.areTouched(by: changed), "\(place), operation \(index) was not told")
        }
      }
    }
  }

  private static let texts = [
    "{ flock { __typename id name } }",
    #"{ bird(id: "1") { __typename id age nest { __typename eggs } mate { __typename id name } } }"#,
    "{ flock { __typename id nest { __typename eggs material } tracks { __typename eggs } } }",
    "{ search { __typename ... on Bird { id name } ... on Station { id visitors { __typename id age } } } }",
    #"{ bird(id: "1") { __typename id small: photo(size: 1) big: photo(size: 2) } version settings }"#,
    #"{ bird(id: "1") { __typename id ... @defer(label: "d") { age nest { __typename material } } } }"#,
  ]

  private func environment(_ name: String) -> UInt64? {
    getenv(name).flatMap { UInt64(String(cString: $0)) }
  }

  private func reads(_ store: CacheStore, _ operations: [CompiledOperation]) async throws -> [CacheRead] {
    var reads: [CacheRead] = []
    for operation in operations { reads.append(try await store.look(operation, partial: true)) }
    return reads
  }

  private func compare(
    _ store: CacheStore, _ model: CacheModel, changed: ChangedKeys, before: [String: String], _ place: String
  ) async throws {
    let snapshot = try await store.snapshot()
    var texts: [String: String] = [:]
    var referrers: [String: [String]] = [:]
    var size = 0
    for summary in snapshot.summaries() {
      let record = try #require(snapshot.record(summary.key))
      size += summary.byteSize
      #expect(summary.fieldCount == record.fields.count, "\(place)")
      for field in record.fields { texts["\(record.key).\(field.key)"] = CacheModel.text(field.value) }
      referrers[record.key.text] = snapshot.referrers(of: record.key).map { "\($0.key).\($0.field)" }.sorted()
    }
    #expect(texts == model.fieldTexts, "\(place)")
    #expect(size == snapshot.byteCount, "\(place)")
    #expect(referrers == model.referrers, "\(place)")
    // What is told as changed is what changed, and nothing else but what was asked to be removed and was not there.
    let after = model.fieldTexts
    let differing = Set(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] })
    let told = changed.descriptions
    #expect(told.isSuperset(of: differing), "\(place): \(differing.subtracting(told))")
    #expect(told.subtracting(differing).allSatisfy { before[$0] == nil }, "\(place): \(told.subtracting(differing))")
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
