import ApusClientCore
import ApusClientRequestChain
import ApusTestSupport
import Foundation
import Testing

/// The message for each kind of response that is not a GraphQL response, and the page that lists them.
@Suite(.timeLimit(.minutes(1))) struct AnswerTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let response: String
    let message: String
    let answer: ScriptedAnswer
    let exitCode: Int32
    var testDescription: String { response }

    init(_ response: String, _ message: String, exitCode: Int32 = 3, _ answer: ScriptedAnswer) {
      self.response = response
      self.message = message
      self.answer = answer
      self.exitCode = exitCode
    }
  }

  private static func text(
    _ status: Int, _ body: String = "", type: String? = "application/json", _ headers: [(String, String)] = []
  ) -> ScriptedAnswer {
    bytes(status, Array(body.utf8), type: type, headers)
  }

  private static func bytes(
    _ status: Int, _ body: [UInt8], type: String? = "application/json", _ headers: [(String, String)] = []
  ) -> ScriptedAnswer {
    .response(
      status: status, headers: (type.map { [("Content-Type", $0)] } ?? []) + headers, framing: .contentLength,
      body.isEmpty ? [] : [.bytes(body)])
  }

  private static let whole = #"{"data":{"a":1}}"#
  /// `{"data":{"a":1}}` as gzip.
  private static let gzip: [UInt8] = [
    0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xAB, 0x56, 0x4A, 0x49, 0x2C, 0x49, 0x54, 0xB2, 0xAA,
    0x56, 0x02, 0x12, 0x86, 0xB5, 0xB5, 0x00, 0x75, 0xAD, 0x5B, 0x96, 0x10, 0x00, 0x00, 0x00,
  ]

  private static let statuses: [Answer] = [
    Answer("304", "answered 304; it sends no body to a request with a condition; remove the headers", text(304)),
    Answer("302 without `Location`", "answered 302; it redirects without a new URL", text(302)),
    Answer("400, `{\"message\"}`", "answered 400 (no field); check the request", text(400, #"{"message":"no field"}"#)),
    Answer("401", "answered 401; check the credentials", text(401)),
    Answer("403, `{\"Message\"}`", "answered 403 (Forbidden); check the cred", text(403, #"{"Message":"Forbidden"}"#)),
    Answer("403, `Retry-After: 60`", "answered 403; wait 60 s before you try", text(403, "", [("Retry-After", "60")])),
    Answer("404", "answered 404; check the path of the URL", text(404)),
    Answer("405", "answered 405; check the path of the URL", text(405)),
    Answer("406", "answered 406; it supports none of the requested formats", text(406)),
    Answer("408", "answered 408; the request took too long; try again", text(408)),
    Answer("410", "answered 410; check the path of the URL", text(410)),
    Answer("413", "answered 413; send less: smaller variables or files", text(413)),
    Answer("414", "answered 414; the URL is too long; send the request by POST", text(414)),
    Answer("415", "answered 415; it does not read JSON at this URL", text(415)),
    Answer("422", "answered 422 (a; b); check the request", text(422, #"{"detail":[{"msg":"a"},{"msg":"b"}]}"#)),
    Answer("429", "answered 429; wait before you try again", text(429)),
    Answer(
      "429, `Retry-After: 30`", "answered 429; wait 30 s before you try again", text(429, "", [("Retry-After", "30")])),
    Answer("429, `Retry-After: 301`", "answered 429; wait 6 minutes before", text(429, "", [("Retry-After", "301")])),
    Answer("429, `Retry-After: 7201`", "answered 429; wait 3 hours before", text(429, "", [("Retry-After", "7201")])),
    Answer("429, `Retry-After: 0`", "answered 429; wait before you", text(429, "", [("Retry-After", "0")])),
    Answer("429, `Retry-After: soon`", "answered 429; wait before you", text(429, "", [("Retry-After", "soon")])),
    Answer("431", "answered 431; send fewer or shorter headers", text(431)),
    Answer("500", "answered 500 (boom); the server failed; try", text(500, #"{"error":{"message":"boom"}}"#)),
    Answer(
      "502, a page", "answered 502 (Bad gateway); the server failed",
      text(502, "<title>Bad gateway</title>", type: "text/html")),
    Answer(
      "503, `Retry-After: 5`", "answered 503; the server failed; try again in 5 s",
      text(503, "", [("Retry-After", "5")])),
    Answer("511", "answered 511; the network needs a sign-in", text(511)),
    Answer("500, `{\"fault\"}`", "answered 500 (no route);", text(500, #"{"fault":{"faultstring":"no route"}}"#)),
    Answer(
      "500, problem", "answered 500 (out of birds);",
      text(500, #"{"title":"Oops","detail":"out of birds"}"#, type: "application/problem+json")),
  ]

  private static let encodings: [Answer] = [
    Answer(
      "200, `Content-Encoding: snappy`", "is encoded as snappy, which cannot be decoded; request it uncompressed",
      exitCode: 4, text(200, whole, [("Content-Encoding", "snappy")])),
    Answer(
      "200, `Content-Encoding: gzip, snappy`", "is encoded as snappy, which cannot be decoded", exitCode: 4,
      text(200, whole, [("Content-Encoding", "gzip, snappy")])),
    Answer(
      "200, two fields", "is encoded as snappy, which cannot be decoded", exitCode: 4,
      text(200, whole, [("Content-Encoding", "gzip"), ("Content-Encoding", "snappy")])),
    Answer(
      "500, `Content-Encoding: snappy`", "answered 500; the server failed",
      text(500, "x", type: "text/plain", [("Content-Encoding", "snappy")])),
    Answer(
      "200, text as gzip", "the compressed response of", exitCode: 4, text(200, whole, [("Content-Encoding", "gzip")])),
    Answer(
      "200, gzip cut short", "the compressed body (gzip) was cut short after", exitCode: 4,
      bytes(200, Array(gzip.prefix(21)), [("Content-Encoding", "gzip")])),
    Answer(
      "200, gzip cut within its head", "the compressed body (gzip) was cut short after 0 decoded bytes", exitCode: 4,
      bytes(200, Array(gzip.prefix(6)), [("Content-Encoding", "gzip")])),
    Answer(
      "200, gzip without `Content-Encoding`", "the body is compressed (gzip), but it has no Content-Encoding",
      exitCode: 4, bytes(200, gzip)),
  ]

  private static let bodies: [Answer] = [
    Answer("200, empty", "sent invalid JSON: the body is empty", exitCode: 4, text(200)),
    Answer(
      "200, `{\"message\"}`", "answered with a message in place of data, which is not a GraphQL response: Forbidden;",
      exitCode: 4, text(200, #"{"message":"Forbidden"}"#)),
    Answer(
      "200, `{\"error\"}`", "answered with a message in place of data, which is not a GraphQL response: no key;",
      exitCode: 4, text(200, #"{"error":{"code":7,"message":"no key"}}"#)),
    Answer(
      "200, other JSON", #"answered with neither data nor errors, which is not a GraphQL response: {"ok":true};"#,
      exitCode: 4, text(200, #"{"ok":true}"#)),
    Answer(
      "200, broken JSON", #"sent invalid JSON: unexpected '}' at line 1, column 14, near '{"data":{"a":}}'"#,
      exitCode: 4,
      text(200, #"{"data":{"a":}}"#)),
    Answer(
      "200, long broken JSON", "near '…yyyyyyyyyyyyyyyyyyyyyy\" oops \"b\": 2, \"c\": \"zzzzz…'", exitCode: 4,
      text(
        200,
        #"{"data":{"a":""# + String(repeating: "y", count: 80) + #"" oops "b": 2, "c": ""#
          + String(repeating: "z", count: 80))),
    Answer(
      "200, JSON cut short", #"sent invalid JSON: the text ends too early at line 1, column 15, near '{"data":{"a":1'"#,
      exitCode: 4, text(200, #"{"data":{"a":1"#)),
    Answer(
      "200, broken JSON with control characters", "near '{\"a\": [2J oops}'", exitCode: 4,
      text(200, "{\"a\": \u{1B}[2J oops}")),
    Answer(
      "200, `charset=iso-8859-1`", "the text is in iso-8859-1; JSON is sent as UTF-8 (RFC 8259, section 8.1)",
      exitCode: 4,
      bytes(
        200, Array(#"{"data":{"a":""#.utf8) + [0xE9] + Array(#""}}"#.utf8), type: "application/json; charset=iso-8859-1"
      )),
    Answer(
      "200, bytes that are not UTF-8", "sent invalid JSON: not UTF-8 at line 1, column 15", exitCode: 4,
      bytes(200, Array(#"{"data":{"a":""#.utf8) + [0xE9] + Array(#""}}"#.utf8))),
    Answer(
      "200, UTF-16", "the text is in UTF-16 or UTF-32; JSON is sent as UTF-8", exitCode: 4,
      bytes(200, whole.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
    Answer(
      "200, `charset=utf-16le`", "the text is in utf-16le; JSON is sent as UTF-8", exitCode: 4,
      bytes(
        200, whole.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, type: "application/json; charset=utf-16le")),
  ]

  static let all = statuses + encodings + bodies

  @Test(arguments: all)
  func `each response has a message that names its fault`(_ answer: Answer) async throws {
    let run = try await run("{ a }", [answer.answer]) { $0.cachePolicy = .networkOnly }
    #expect(run.results.isEmpty)
    #expect(run.lines.count == 1 && run.lines[0].contains(answer.message), "\(run.lines)")
    #expect(run.exitCode == answer.exitCode, "\(run.lines)")
  }

  @Test(arguments: ["utf-8", "UTF8", "us-ascii", "iso-8859-1", "\"utf-8\""])
  func `a charset does not matter if the text is UTF-8`(charset: String) async throws {
    let run = try await run("{ a }", [Self.text(200, Self.whole, type: "application/json; charset=\(charset)")])
    #expect(run.lines == [#"0 complete {"a":1}"#])
  }

  @Test func `a body in gzip is decoded, also under its old name`() async throws {
    for name in ["gzip", "x-gzip", "GZIP"] {
      let run = try await run("{ a }", [Self.bytes(200, Self.gzip, [("Content-Encoding", name)])])
      #expect(run.lines == [#"0 complete {"a":1}"#], "\(name)")
    }
  }

  private static let page = "\(Checkout.root)/Docs/Development/Answers.md"

  private static var document: String {
    """
    # Responses that are not GraphQL responses

    The message and the exit code for each kind of response, as `AnswerTests` checks them. The test writes this page:
    `APUS_WRITE_DOCS=1 APUS_TESTS=ClientTests swift test --filter AnswerTests`.

    | response | message contains | exit code |
    |---|---|---|

    """
      + all.map { "| \($0.response) | \(cell($0.message)) | \($0.exitCode) |\n" }.joined()
  }

  private static func cell(_ text: String) -> String {
    let ticks = text.contains("`") ? "``" : "`"
    return "\(ticks)\(text.replacing("|", with: "\\|"))\(ticks)"
  }

  /// Run with APUS_WRITE_DOCS=1 to update the page.
  @Test func `the page lists every response`() throws {
    if ProcessInfo.processInfo.environment["APUS_WRITE_DOCS"] != nil {
      try Self.document.write(toFile: Self.page, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: Self.page, encoding: .utf8) == Self.document)
  }
}
