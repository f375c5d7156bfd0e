import ApusJSON
import ApusTestSupport
import Testing

/// `apus query` with responses whose payloads repeat, replace or inline deferred data.
@Suite(.timeLimit(.minutes(3))) struct PayloadTests {
  private func query(
    _ document: String, _ payloads: [String], _ options: String...
  ) async throws -> (exitCode: Int32, data: JSONValue?, errors: JSONValue?, outcome: ChildProcess.Outcome) {
    let server = try ScriptedServer([.multipart(payloads.map { .text($0) })])
    let outcome = try await ChildProcess.run(Checkout.apus, ["query", server.url, "-q", document] + options)
    let printed = try? JSONDocument(parsing: outcome.output).root
    return (outcome.exitCode, printed?["data"], printed?["errors"], outcome)
  }

  private static let shared =
    "{ now ... @defer(label: \"a\") { users { id n } } ... @defer(label: \"b\") { users { id } } }"

  private func shared(_ older: String, _ newer: String) -> [String] {
    [
      #"{"data":{"now":1},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"a","data":{"users":\#(older)}}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"b","data":{"users":\#(newer)}}],"hasNext":false}"#,
    ]
  }

  @Test func `elements of a repeated list are paired by their keys`() async throws {
    let result = try await query(
      Self.shared, shared(#"[{"id":1,"n":"ann"},{"id":2,"n":"bob"}]"#, #"[{"id":2},{"id":1}]"#))
    #expect(result.exitCode == 0)
    #expect(result.data?["users"] == (try JSONValue(parsing: #"[{"id":2,"n":"bob"},{"id":1,"n":"ann"}]"#)))
    #expect(result.errors == nil)
  }

  @Test func `payloads that contradict each other exit with 1`() async throws {
    let result = try await query(Self.shared, shared(#"[{"id":1,"n":"ann"}]"#, #"[{"id":2}]"#))
    #expect(result.exitCode == 1)
    #expect(result.data?["users"]?.description == #"[{"id":2}]"#)
    #expect(result.errors?[0]?["path"]?.description == #"["users",0]"#)
    #expect(result.errors?[0]?["message"]?.string?.hasPrefix("two payloads contradict each other") == true)
  }

  @Test func `a recording replays to the same result`() async throws {
    let server = try ScriptedServer([
      .multipart(shared(#"[{"id":1,"n":"ann"},{"id":2,"n":"bob"}]"#, #"[{"id":2},{"id":1}]"#).map { .text($0) })
    ])
    let folder = try TemporaryFolder()
    let file = folder.path("run.ndjson")
    let sent = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", Self.shared, "--record", file, "--output", "json"])
    let replayed = try await ChildProcess.run(Checkout.apus, ["replay", file, "--output", "json", "--speed", "1000"])
    #expect(replayed.exitCode == 0)
    #expect(try JSONValue(parsing: replayed.output) == JSONValue(parsing: sent.output))
  }

  @Test func `a null in the first payload is data when the response ends in good order`() async throws {
    let document = "{ me { id ...N @defer ... @defer(label: \"a\") { age } } } fragment N on User { nick }"
    let result = try await query(
      document,
      [
        #"{"data":{"me":{"id":1,"nick":null}},"hasNext":true}"#,
        #"{"incremental":[{"path":["me"],"label":"a","data":{"age":3}}],"hasNext":true}"#, #"{"hasNext":false}"#,
      ])
    #expect(result.exitCode == 0, "\(result.outcome.errors)")
    #expect(result.data == (try JSONValue(parsing: #"{"me":{"id":1,"nick":null,"age":3}}"#)))
  }

  @Test func `a deferred field is listed by its path`() async throws {
    let result = try await query(
      "{ me { id slow @defer } }",
      [#"{"data":{"me":{"id":1}},"hasNext":true}"#, #"{"path":["me","slow"],"data":5,"hasNext":false}"#],
      "--output", "ndjson")
    #expect(result.exitCode == 0, "\(result.outcome.errors)")
    let lines = try result.outcome.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    #expect(lines.last?["data"]?.description == #"{"me":{"id":1,"slow":5}}"#)
    #expect(lines.map { $0["deferred"]?[0]?["path"]?.description } == [#"["me","slow"]"#, #"["me","slow"]"#])
    #expect(lines.map { $0["deferred"]?[0]?["state"]?.string } == ["pending", "fulfilled"])
  }

  @Test func `errors beside an empty list are the result`() async throws {
    for (body, code) in [
      (#"{"data":[],"errors":[{"message":"no"}]}"#, Int32(1)), (#"{"data":[]}"#, 4), (#"{"data":[],"errors":[]}"#, 4),
    ] {
      let server = try ScriptedServer([.json(body)])
      let outcome = try await ChildProcess.run(Checkout.apus, ["query", server.url, "-q", "{ a }"])
      #expect(outcome.exitCode == code, "\(body): \(outcome.errors)")
      if code == 1 { #expect(outcome.output.contains("no")) }
    }
    let server = try ScriptedServer(
      Array(repeating: .json(#"{"data":[],"errors":[{"message":"introspection is disabled"}]}"#), count: 4))
    let schema = try await ChildProcess.run(Checkout.apus, ["schema", server.url])
    #expect(schema.errors.contains("introspection is disabled"), "\(schema.errors)")
  }

  @Test func `the payloads of one event count as one result`() async throws {
    let payloads = [
      #"{"data":{"a":1},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"late","data":{"b":1}}],"hasNext":false}"#,
      #"{"data":{"a":2},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"late","data":{"b":2}}],"hasNext":false}"#,
      #"{"data":{"a":3,"b":3}}"#,
    ]
    for (output, count) in [("ndjson", 4), ("json", 2)] {
      let server = try ScriptedServer([
        .response(
          headers: [("Content-Type", "text/event-stream")],
          payloads.map { .text("event: next\ndata: \($0)\n\n") } + [.text("event: complete\ndata:\n\n")])
      ])
      let outcome = try await ChildProcess.run(
        Checkout.apus,
        [
          "query", server.url, "-q", "subscription { a ... @defer(label: \"late\") { b } }",
          "--subscription-transport", "sse", "--max-results", "2", "--output", output,
        ])
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
      let lines = outcome.output.split(separator: "\n")
      #expect(lines.count == count, "\(outcome.output)")
      #expect(lines.last?.contains(#"{"a":2,"b":2}"#) == true)
    }
  }
}
