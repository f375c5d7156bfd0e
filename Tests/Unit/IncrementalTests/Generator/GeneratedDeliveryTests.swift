import ApusClientIncremental
import ApusClientOperation
import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Executes random documents on random data with errors in both formats and merges the payloads, half of them with
/// fragments in earlier payloads and independent entries in another order. The result must equal that of the same document
/// without deferral or, if a null stopped at the root of a fragment, that of a simple merge.
///
/// `APUS_SEED=20220907` runs a single case.
@Suite(.timeLimit(.minutes(60))) struct GeneratedDeliveryTests {
  @Test func `merged results match the same document without deferral`() async throws {
    if let seed = ProcessInfo.processInfo.environment["APUS_SEED"].flatMap({ UInt64($0) }) {
      var tally = Tally()
      return try await Self.check(seed: seed, &tally)
    }
    let seed: UInt64 = 20_220_824
    let total = 10_000
    let workers = 4
    let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
      for worker in 0..<workers {
        group.addTask {
          var tally = Tally()
          for number in stride(from: worker, to: total, by: workers) {
            try await Self.check(seed: seed &+ UInt64(number), &tally)
          }
          return tally
        }
      }
      return try await group.reduce(into: Tally()) { $0.add($1) }
    }
    // The generated cases must exercise incremental delivery.
    #expect(tally.cases == total)
    #expect(tally.incremental > total / 2)
    #expect(tally.compared > total / 3)
    #expect(tally.failed > total / 100)
    #expect(tally.parts > total)
    #expect(tally.rearranged > total / 20)
  }

  private struct Tally: Sendable {
    var cases = 0
    /// The number of responses with several payloads.
    var incremental = 0
    /// The number of cases compared with the document without deferral.
    var compared = 0
    /// The number of cases with a failed payload.
    var failed = 0
    var parts = 0
    /// The number of compared cases with fragments in earlier payloads, or with another order.
    var rearranged = 0

    mutating func add(_ other: Tally) {
      cases += other.cases
      incremental += other.incremental
      compared += other.compared
      failed += other.failed
      parts += other.parts
      rearranged += other.rearranged
    }
  }

  private static func check(seed: UInt64, _ tally: inout Tally) async throws {
    var random = SplitMix(seed: seed)
    let isPlain = random.next() % 2 == 0
    let text = RandomDocument.text(&random, isPlain: isPlain)
    let format: IncrementalFormat = random.next() % 2 == 0 ? .defer20220824 : .incrementalV02
    let document = Document(parsing: text)
    let forest = GeneratedForest(seed: seed)
    let complete = try #require(await payloads(forest, document, nil).first)
    let sent = await payloads(forest, document, format)
    let payloads = random.next() % 2 == 0 ? Rearrangement.rearranged(sent, &random) : sent
    func comment() -> Comment {
      Comment(
        rawValue: "seed \(seed), \(format.rawValue):\n\(text)\n" + payloads.map(\.description).joined(separator: "\n"))
    }

    let schema = random.next() % 2 == 0 ? GeneratedForest.schema : nil
    let operation = try CompiledOperation.compile(document, schema: schema)
    var merger = IncrementalMerger(plan: SelectionPlan(operation: operation, variables: .object([])))
    var plain = PlainMerge()
    var last: MergedResult?
    for payload in payloads {
      do {
        last = try merger.receive(payload: payload, at: .zero) ?? last
      } catch {
        Issue.record("\(error): \(comment())")
        return
      }
      plain.receive(payload)
    }
    let result = try #require(last, comment())
    #expect(result.isComplete, comment())
    #expect(PlainMerge.Tree(result.data ?? .null) == plain.data, comment())
    #expect(!result.fragments.contains { $0.state.isPending }, comment())
    #expect(!result.streams.contains { $0.state.isPending }, comment())
    let hasFailed =
      result.fragments.contains { $0.state.name == "failed" } || result.streams.contains { $0.state.name == "failed" }
    if isPlain, !plain.hasRevivals { #expect(hasFailed == plain.hasFailures, comment()) }
    if !plain.hasFailures, !plain.hasRevivals {
      #expect(result.data == complete["data"], comment())
      #expect(result.conflicts.isEmpty, comment())
      tally.compared += 1
      if payloads != sent { tally.rearranged += 1 }
    }
    tally.cases += 1
    tally.parts += payloads.count
    if payloads.count > 1 { tally.incremental += 1 }
    if plain.hasFailures { tally.failed += 1 }
  }

  private static func payloads(
    _ forest: GeneratedForest, _ document: Document, _ format: IncrementalFormat?
  ) async -> [JSONValue] {
    switch await forest.execute(ExecutionRequest(document, incremental: format)) {
    case .refused(let errors): return [errors.response]
    case .single(let response): return [response]
    case .incremental(let initial, let rest):
      var payloads = [initial]
      for await payload in rest { payloads.append(payload) }
      return payloads
    }
  }
}
