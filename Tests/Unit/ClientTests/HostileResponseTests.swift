import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

/// Invalid responses to a deferred query. Each ends with a one-line error and keeps earlier results.
@Suite(.timeLimit(.minutes(1))) struct HostileResponseTests {
  private let deferred = "{ a ... @defer(label: \"late\") { b } }"
  private let base = #"{"data":{"a":1},"hasNext":true}"#

  private func run(
    _ answer: ScriptedAnswer, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) async throws -> ClientRun {
    let server = try ScriptedServer([answer])
    var endpoint = HTTPRequest(url: server.url)
    change(&endpoint)
    let run = await read(GraphQLClient(endpoint: endpoint).fetch(query: try operation(deferred)))
    if let error = run.error { #expect(!"\(error)".contains("\n")) }
    return run
  }

  @Test func `a part of 64 megabytes is one result`() async throws {
    let text = String(repeating: "y", count: 64 << 20)
    let run = try await run(
      .multipart([
        .text(base),
        .text(#"{"incremental":[{"path":[],"label":"late","data":{"b":""# + text + #""}}],"hasNext":false}"#),
      ]))
    #expect(run.error == nil)
    #expect(run.results.last?.data?["b"]?.string?.utf8.count == 64 << 20)
    #expect(run.results.count == 2)
  }

  @Test func `a response over the size limit keeps earlier results`() async throws {
    let run = try await run(.multipart([.text(base), .text(String(repeating: " ", count: 5000) + "{}")])) {
      $0.maximumResponseSize = 1000
    }
    #expect(run.lines.first == #"0 partial {"a":1} pending"#)
    #expect(run.lines.last?.contains("is larger than 1000 bytes; request less data or raise the limit") == true)
    #expect(run.exitCode == 3)
  }

  @Test(
    arguments: [[0xFF, 0xFE], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
  func `invalid UTF-8 is invalid JSON`(bytes: [UInt8]) async throws {
    let body = Array(#"{"data":{"a":""#.utf8) + bytes + Array(#""}}"#.utf8)
    let run = try await run(
      .response(headers: [("Content-Type", "application/json")], framing: .contentLength, [.bytes(body)]))
    #expect(run.results.isEmpty)
    #expect(run.lines.last?.contains("sent invalid JSON: ") == true, "\(run.lines)")
    #expect(run.exitCode == 4)
    let part = Array(#"{"incremental":[{"path":[],"label":"late","data":{"b":""#.utf8) + bytes
    let later = try await self.run(.multipart([.text(base), .bytes(part + Array(#""}}],"hasNext":false}"#.utf8))]))
    #expect(later.lines.first == #"0 partial {"a":1} pending"#)
    #expect(later.exitCode == 4)
  }

  @Test func `excessive nesting is an error`() async throws {
    for depth in [2000, 1_000_000] {
      let body = #"{"data":{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}}"
      let run = try await run(.json(body))
      #expect(run.error != nil || run.results.count == 1)
    }
    let run = try await run(.json(#"{"data":{"a":"# + String(repeating: "[", count: 1_000_000)))
    #expect(run.exitCode == 4)
  }

  @Test func `an HTML part is invalid JSON and keeps the first result`() async throws {
    let run = try await run(.multipart([.text(base), .text("<html><body>Bad gateway</body></html>")]))
    #expect(run.lines.first == #"0 partial {"a":1} pending"#)
    #expect(run.exitCode == 4)
  }

  @Test func `a format other than the selected one is read and reported`() async throws {
    let server = try ScriptedServer([
      .multipart([.text(base), .text(#"{"incremental":[{"path":[],"label":"late","data":{"b":2}}],"hasNext":false}"#)])
    ])
    var options = RequestOptions()
    options.incremental = .incrementalV02
    let monitor = RequestMonitor()
    options.monitor = monitor
    let run = await read(GraphQLClient(url: server.url).fetch(query: try operation(deferred), options: options))
    #expect(server.requests.first?.header("Accept")?.contains("deferSpec") == false)
    #expect(run.lines.last == #"1 complete {"a":1,"b":2} fulfilled"#)
    #expect(monitor.facts.agreedFormat == "deferSpec=20220824")
  }

  @Test func `payloads are read by their shape if the header is wrong`() async throws {
    let run = try await run(
      .multipart(
        specification: "deferSpec=20220824",
        [
          .text(#"{"data":{"a":1},"pending":[{"id":"0","path":[],"label":"late"}],"hasNext":true}"#),
          .text(#"{"incremental":[{"id":"0","data":{"b":2}}],"completed":[{"id":"0"}],"hasNext":false}"#),
        ]))
    #expect(run.lines == [#"0 partial {"a":1} pending"#, #"1 complete {"a":1,"b":2} fulfilled"#])
  }

  /// Without its closing delimiter, a stream is only incomplete if it had announced more.
  @Test func `without its closing delimiter a response is complete if nothing is pending`() async throws {
    let run = try await run(
      .response(
        headers: [("Content-Type", "multipart/mixed; boundary=\"-\"; deferSpec=20220824")],
        [.text("---\r\n\r\n{\"data\":{\"a\":1,\"b\":2},\"hasNext\":false}\r\n")]))
    #expect(run.lines == [#"0 complete {"a":1,"b":2} fulfilled"#])
  }

  @Test func `parts after the last one are ignored`() async throws {
    let run = try await run(
      .multipart([.text(#"{"data":{"a":1,"b":2},"hasNext":false}"#), .text(#"{"data":{"a":9},"hasNext":false}"#)]))
    #expect(run.results.first?.data == ["a": 1, "b": 2])
    #expect(run.results.count == 1)
  }

  @Test(arguments: [PartHeaders.many, .long])
  func `endless part headers are a protocol error`(headers: PartHeaders) async throws {
    let run = try await run(
      .response(
        headers: [("Content-Type", "multipart/mixed; boundary=\"-\"; deferSpec=20220824")],
        [.text("---\r\n\r\n\(base)\r\n---\r\n"), .text(headers.text), .hold(Gate())]))
    #expect(run.lines.first == #"0 partial {"a":1} pending"#)
    #expect(run.exitCode == 4, "\(run.lines)")
  }

  enum PartHeaders {
    case many, long
    var text: String {
      self == .many
        ? String(repeating: "X-More: 1\r\n", count: 20_000) : "X-Long: " + String(repeating: "x", count: 200_000)
    }
  }

  @Test func `a truncated event stream is incomplete`() async throws {
    let run = try await run(
      .response(
        headers: [("Content-Type", "text/event-stream")], framing: .untilClose,
        [.text("event: next\ndata: {\"data\":{\"a\":1}}"), .close]))
    #expect(run.results.isEmpty)
    #expect(run.error != nil)
  }

  @Test
  func `a part that is not JSON fails the pending fragments and ends the response`() async throws {
    let run = try await run(.multipart([.text(base), .text("{broken"), .hold(Gate())]))
    #expect(run.lines.first == #"0 partial {"a":1} pending"#)
    #expect(run.results.last?.fragments.first?.state.name == "failed", "\(run.lines)")
    #expect(run.exitCode == 4)
  }

  @Test
  func `a member of the wrong type is an error, and the response continues`() async throws {
    let run = try await run(
      .multipart([.text(base), .text(#"{"incremental":{},"hasNext":true}"#), .text(#"{"hasNext":false}"#)]))
    #expect(run.lines.first == #"0 partial {"a":1} pending"#)
    #expect(run.results.last?.fragments.first?.state.name == "failed", "\(run.lines)")
    #expect(run.exitCode == 4, "\(run.lines)")
  }

  @Test func `a multipart response with an error status is read`() async throws {
    let answer = ScriptedAnswer.response(
      status: 500, headers: [("Content-Type", "multipart/mixed; boundary=\"-\"")],
      [
        .text("---\r\nContent-Type: application/json\r\n\r\n\(base)\r\n---"),
        .text(
          "\r\nContent-Type: application/json\r\n\r\n"
            + #"{"incremental":[{"path":[],"label":"late","data":{"b":2}}],"hasNext":false}"# + "\r\n-----\r\n"),
      ])
    let run = try await run(answer)
    #expect(run.error == nil, "\(run.lines)")
    #expect(run.results.last?.data?.description == #"{"a":1,"b":2}"#)
    let other = ScriptedAnswer.response(
      status: 500, headers: [("Content-Type", "multipart/mixed; boundary=\"-\"")],
      [.text("---\r\nContent-Type: application/json\r\n\r\n{\"message\":\"out of order\"}\r\n-----\r\n")])
    let refused = try await self.run(other)
    #expect(refused.exitCode == 3)
    #expect(refused.lines.last?.contains("answered 500 (out of order)") == true, "\(refused.lines)")
  }
}
