import ApusClientIncremental
import ApusClientOperation
import ApusGraphQLLanguage
import ApusJSON
import FuzzHarness

/// For any payloads, one per line, nothing is pending when the response is complete or interrupted, and the merged data
/// can be written and parsed again.
@main enum MergerTarget: FuzzTarget {
  private static let operation = try? CompiledOperation.compile(
    Document(
      parsing: """
        { a ... @defer(label: "r") { b } person { id ... @defer(label: "p") { name home { id ... @defer { x } } }
          list @stream(label: "s") { id ... on Node @defer { y } } } }
        """))

  static func prepare() { _ = operation }

  static func check(_ bytes: [UInt8]) {
    guard let operation else { fatalError("the operation does not compile") }
    var merger = IncrementalMerger(plan: SelectionPlan(operation: operation, variables: .object([])))
    var last: MergedResult?
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let payload = try? JSONDocument(parsing: line).root else { continue }
      guard let result = try? merger.receive(payload: payload, at: .zero) else { continue }
      expect(!result.isComplete || isSettled(result), "a fragment is pending in a complete result")
      last = result
    }
    if let end = merger.finish(cut: true, at: .zero) {
      expect(isSettled(end), "a fragment is pending although the response has ended")
      last = end
    }
    guard let data = last?.data else { return }
    expect((try? JSONDocument(parsing: data.description).root) == data, "writing changes the data")
  }

  private static func isSettled(_ result: MergedResult) -> Bool {
    !result.fragments.contains { $0.state.isPending } && !result.streams.contains { $0.state.isPending }
  }
}
