import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

/// A long-running server must release everything created for a response.
@Suite(.timeLimit(.minutes(1)))
struct ReleaseTests {
  /// An object read by resolvers, which counts its instances.
  private final class Source: Sendable {
    private let count: Count

    init(_ count: Count) {
      self.count = count
      count.change(by: 1)
    }

    deinit { count.change(by: -1) }
  }

  private final class Count: Sendable {
    private let state = Mutex(0)
    func change(by difference: Int) { state.withLock { $0 += difference } }
    var value: Int { state.withLock { $0 } }
  }

  private static let sdl = """
    type Query { bird: Bird birds: [Bird] gate: String }
    type Bird { name: String must: String! gate: String mate: Bird mates: [Bird] }
    """

  private static let queries = [
    "{ bird { ... @defer { name } } }",
    "{ bird { ... @defer { mate { ... @defer { mate { ... @defer { name } } } } } } }",
    "{ bird { ... @defer { must } ... @defer { name mate { name } } } }",
    "{ bird { ... @defer(label: \"a\") { mate { name } ... @defer { must mate { ... @defer { name } } } } } }",
    "{ birds @stream { name ... @defer { mate { name } } } }",
    "{ bird { ... @defer { mates @stream(initialCount: 1) { name ... @defer { must } } } } }",
  ]

  private func executor(_ count: Count, gate: Signal) -> Executor {
    var resolvers = Resolvers()
    let bird: @Sendable () -> ResolvedValue = { .object(Source(count)) }
    for type in ["Query", "Bird"] {
      resolvers.asyncField(type, "gate") { _ in
        await gate.wait()
        return .string("open")
      }
    }
    resolvers.field("Query", "bird") { _ in bird() }
    resolvers.field("Query", "birds") { _ in .list([bird(), bird(), bird()]) }
    resolvers.field("Bird", "mate") { _ in bird() }
    resolvers.field("Bird", "mates") { _ in .list([bird(), bird(), bird()]) }
    resolvers.asyncField("Bird", "name") { _ in .string("Apus") }
    resolvers.field("Bird", "must") { _ in .null }
    return Executor(schema: Schema.load(sdl: Self.sdl), resolvers: resolvers)
  }

  /// Waits until everything is released. Work next to the response ends at its own pace.
  private func everythingIsReleased(_ count: Count) async {
    while count.value > 0, !Task.isCancelled { await Task.yield() }
  }

  @Test(arguments: queries, [IncrementalFormat.defer20220824, .incrementalV02])
  func `A response that was read to its end is released`(_ query: String, _ format: IncrementalFormat) async {
    for executesEarly in [false, true] {
      let count = Count()
      let executor = executor(count, gate: Signal())
      let request = ExecutionRequest(Document(parsing: query), incremental: format, executesEarly: executesEarly)
      guard case .incremental(_, let rest) = await executor.execute(request) else { continue }
      for await _ in rest {}
      await everythingIsReleased(count)
    }
  }

  @Test(arguments: queries, [IncrementalFormat.defer20220824, .incrementalV02])
  func `A response that is not read is released`(_ query: String, _ format: IncrementalFormat) async {
    for executesEarly in [false, true] {
      let count = Count()
      let gate = Signal()
      let executor = executor(count, gate: gate)
      let text = query.dropLast(2) + " ... @defer { gate } bird { ... @defer { gate mate { name } } } }"
      let request = ExecutionRequest(
        Document(parsing: String(text)), incremental: format, executesEarly: executesEarly)
      do {
        guard case .incremental(_, let rest) = await executor.execute(request) else { continue }
        for await _ in rest { break }
      }
      gate.open()
      await everythingIsReleased(count)
    }
  }
}
