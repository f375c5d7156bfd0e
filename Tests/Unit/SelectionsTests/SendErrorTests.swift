import ApusBirdsSelections
import ApusSelections
import ApusTestSupport
import Testing

/// The errors of `send`.
@Suite(.timeLimit(.minutes(1))) struct SendErrorTests {
  private let year = Selection.Query {
    try $0.bird(id: "1", Selection.Bird { try $0.ringedAt().year }.nonNullOrFail)
  }

  private func client(_ answer: ScriptedAnswer) throws -> (GraphQLClient, ScriptedServer) {
    let server = try ScriptedServer([answer])
    return (GraphQLClient(url: server.url), server)
  }

  @Test func `an invalid value is a selection error with its path`() async throws {
    let (client, server) = try client(
      .json(#"{"data":{"bird":{"__typename":"Bird","id":"1","ringedAt":"never"}}}"#))
    defer { server.stop() }
    let error = await #expect(throws: SelectionError.self) { try await client.send(year) }
    guard case .wrongValue(path: ["bird", "ringedAt"], expected: "DateTime!", _)? = error else {
      return #expect(Bool(false), "\(error as Any)")
    }
  }

  @Test func `errors of the closure are rethrown`() async throws {
    struct TooEarly: Error {}
    let (client, server) = try client(
      .json(#"{"data":{"bird":{"__typename":"Bird","id":"1","ringedAt":"1900-05-01T10:00:00Z"}}}"#))
    defer { server.stop() }
    let checked = year.map { year in
      if year == 1900 { throw TooEarly() }
      return year
    }
    await #expect(throws: TooEarly.self) { try await client.send(checked) }
  }

  @Test func `canceling the task throws cancellation error`() async throws {
    let (client, server) = try client(.never)
    let task = Task { try await client.send(year) }
    _ = try await server.request()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.joined }
    try await server.clientClosed()
  }

  @Test func `canceling between two parts throws cancellation error`() async throws {
    let (client, server) = try client(
      .multipart([
        .text(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":"Ada"}},"hasNext":true}"#), .hold(Gate()),
      ]))
    let monitor = RequestMonitor()
    var options = RequestOptions()
    options.monitor = monitor
    let bird = Selection.Bird { fields in
      (try fields.name(), try fields.defer(label: "later") { try $0.ringedAt().year }.value)
    }
    let query = Selection.Query { try $0.bird(id: "1", bird.nonNullOrFail) }
    let task = Task { [options] in try await client.send(query.map { $0.0 }, options: options) }
    try await waitUntil { monitor.facts.resultCount > 0 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.joined }
    try await server.clientClosed()
  }
}
