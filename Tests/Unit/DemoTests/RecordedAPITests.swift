import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusDemo

/// A server that answers with recorded responses.
@Suite(.timeLimit(.minutes(1)))
struct RecordedAPITests {
  private static func answer(
    _ name: String?, _ document: String = "query Q { a }", _ variables: String = "{}",
    type: String = "application/json",
    status: Int = 200, isComplete: Bool = true, bodies: [String]
  ) throws -> RecordedAnswer {
    RecordedAnswer(
      operationName: name, document: document, variables: try JSONDocument(parsing: variables).root, status: status,
      contentType: type, parts: bodies.map { .init(elapsed: .milliseconds(1), body: Array($0.utf8)) },
      isComplete: isComplete)
  }

  @Test(arguments: [
    ("query Q($a: Int) { a }", #"{"a":1}"#, "1"), ("query Q($a: Int) { other }", #"{"a":1}"#, "1"),
    ("query Q($a: Int) { a }", #"{"a":2}"#, "2"), ("query Q { a }", "{}", "none"),
    ("query Q { a }", #"{"a":null}"#, "none"), ("query Q { a }", #"{"a":3}"#, nil), ("query P { a }", "{}", nil),
    ("{ a }", "{}", "anonymous"), ("{\n  a\n}", "{}", "anonymous"), ("{ b }", "{}", nil),
    ("query S { a }", #"{"login":{"password":"typed"}}"#, "secret"),
    ("query S { a }", #"{"login":{"password":7}}"#, nil),
    ("query S { a }", #"{"login":{}}"#, nil),
  ])
  func `an operation is answered by its name and variables`(
    _ document: String, _ variables: String, _ expected: String?
  ) throws {
    let api = RecordedAPI([
      try Self.answer("Q", "query Q { a }", #"{"a":1}"#, bodies: ["1"]),
      try Self.answer("Q", "query Q { a }", #"{"a":2}"#, bodies: ["2"]),
      try Self.answer("Q", "query Q { a }", "{}", bodies: ["none"]),
      try Self.answer(nil, "{ a }", "{}", bodies: ["anonymous"]),
      try Self.answer("S", "query S { a }", #"{"login":{"password":"\u2022\u2022\u2022"}}"#, bodies: ["secret"]),
    ])
    let request = ExecutionRequest(
      Document(parsing: document), variables: try JSONDocument(parsing: variables).root)
    let answer = try? api.answer(to: request)
    #expect(answer?.parts.first.map { String(decoding: $0.body, as: UTF8.self) } == expected)
  }

  @Test func `several recordings are sent one after another, and the last one again`() throws {
    let api = RecordedAPI(try ["1", "2"].map { try Self.answer("Q", bodies: [$0]) })
    let request = ExecutionRequest(Document(parsing: "query Q { a }"))
    let bodies = try (0..<3).map { _ in String(decoding: try api.answer(to: request).parts[0].body, as: UTF8.self) }
    #expect(bodies == ["1", "2", "2"])
  }

  private static func served(_ answers: [RecordedAnswer], _ document: String, accept: String) async throws -> String {
    let server = try await DemoServer(recorded: RecordedAPI(answers, delayScale: 0))
    defer { server.stop() }
    let client = try WireClient(port: server.port)
    // A response to HTTP 1.0 has no chunks, whose borders would be anywhere in the text.
    let body = "{\"query\":\"\(document)\"}"
    let lines = ["POST /graphql HTTP/1.0", "Host: localhost", "Content-Type: application/json", "Accept: \(accept)"]
    client.send(lines.joined(separator: "\r\n") + "\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return try await client.readToEnd()
  }

  @Test func `a response has its recorded status, type and body`() async throws {
    let text = try await Self.served(
      [try Self.answer("Q", type: "application/x+json", status: 418, bodies: [#"{"errors": []}"#])], "query Q { a }",
      accept: "application/json")
    #expect(text.hasPrefix("HTTP/1.1 418 ") && text.contains("Content-Type: application/x+json\r\n"))
    #expect(text.hasSuffix(#"{"errors": []}"#))
  }

  @Test(arguments: [true, false])
  func `the parts of a response are sent in the recorded format, and one that broke off has no end`(
    _ isComplete: Bool
  ) async throws {
    let type = "multipart/mixed; boundary=b; incrementalSpec=v0.2"
    let text = try await Self.served(
      [
        try Self.answer(
          "Q", type: type, isComplete: isComplete, bodies: [#"{"data":{},"hasNext":true}"#, #"{"hasNext":false}"#])
      ],
      "query Q { a }", accept: "multipart/mixed;deferSpec=20220824")
    #expect(text.contains("Content-Type: \(type)\r\n"))
    #expect(text.contains("{\"data\":{},\"hasNext\":true}\r\n--b") && text.contains("{\"hasNext\":false}\r\n--b"))
    #expect(text.contains("--b--") == isComplete)
  }

  @Test(arguments: ["", "text/event-stream", "multipart/mixed; boundary=\"-\"; subscriptionSpec=1.0"])
  func `a subscription is sent in the format that the client accepts`(_ type: String) async throws {
    let event = #"{"data":{"n":1}}"#
    let text = try await Self.served(
      [
        try Self.answer("S", type: type, bodies: [type.contains("multipart") ? "{\"payload\":\(event)}" : event, "{}"])
      ],
      "subscription S { n }", accept: "text/event-stream")
    #expect(text.contains("event: next\ndata: \(event)\n\n") && text.contains("event: complete"))
    #expect(text.split(separator: "event: next").count == 2)
  }

  @Test func `an operation without a recording is an error`() async throws {
    let text = try await Self.served([], "query Q { a }", accept: "application/json")
    #expect(text.contains("there is no recording of the operation Q"))
  }
}
