import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// `apus audit`: its report in every format, its exit codes, and the files that it writes.
@Suite(.timeLimit(.minutes(2)))
struct AuditCommandTests {
  private static let answer = #"{"data":{"__typename":"Query"}}"#

  /// A server that returns the same JSON for every request, which violates several rules of HTTP.
  private func server(_ body: String = answer) throws -> ScriptedServer { try ScriptedServer { _, _ in .json(body) } }

  private func audit(_ server: ScriptedServer, _ words: String...) async throws -> ChildProcess.Outcome {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", "type Query { bird: Bird } type Bird { id: ID! }")
    return try await ChildProcess.run(
      Checkout.apus, ["audit", server.url, "--schema", folder.path("schema.graphql"), "--only", "http"] + words)
  }

  @Test func `text names each finding with its request and source, and a failed MUST exits with 1`() async throws {
    let outcome = try await audit(try server())
    #expect(outcome.exitCode == 1, "\(outcome.errors)")
    #expect(outcome.output.contains("MUST http-body-shape\n  expected: a body that is not a JSON object is refused"))
    #expect(outcome.output.contains("  source:   GraphQL over HTTP (draft, August 2026), JSON Encoding\n"))
    #expect(outcome.output.contains("  request:  POST; Accept: "))
    #expect(outcome.output.contains(" SHOULD failed"))
    let (must, should) = (outcome.output.range(of: "MUST http-"), outcome.output.range(of: "SHOULD http-"))
    if let must, let should { #expect(must.lowerBound < should.lowerBound) }
  }

  /// A JSON body of another shape violates two rules with each response.
  @Test func `findings proven by the same response are grouped, with the deciding bytes`() async throws {
    let body = #"{"data":{"__typename":"Query"},"more":1,"errors":[]}"#
    let outcome = try await audit(try server(body))
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(outcome.exitCode == 1 && outcome.output.contains("for "), "\(outcome.output)")
    let report = try JSONDocument(
      parsing: try await audit(try server(body), "--only", "errors", "--output", "json").output
    ).root
    let audits = report["audits"]?.elements.map { $0 } ?? []
    let map = try #require(audits.first { $0["id"] == "errors-map" })
    #expect(map["outcome"] == "failed")
    let proof = try #require(map["exchanges"]?[0]?["proof"])
    #expect(proof["offset"]?.int == body.utf8.count - #""more":1,"errors":[]}"#.utf8.count)
    let empty = try #require(audits.first { $0["id"] == "errors-not-empty" })
    #expect(map["sameResponseAs"] != nil || empty["sameResponseAs"] != nil)
    #expect(lines.contains { $0.hasPrefix("  bytes:    ") })
  }

  @Test func `the report is available in five formats`() async throws {
    let server = try server()
    let report = try JSONDocument(parsing: try await audit(server, "--output", "json").output).root
    let results = report["audits"]?.elements.map { $0 } ?? []
    #expect(results.contains { $0["id"] == "http-body-shape" && $0["outcome"] == "failed" })
    #expect(results.contains { $0["id"] == "http-accept-json" && $0["outcome"] == "passed" })
    #expect(results.allSatisfy { $0["source"]?.string?.isEmpty == false })

    let markdown = try await audit(server, "--output", "markdown").output
    #expect(markdown.contains("\n| level | audit | expected | found | source |\n"))
    #expect(markdown.contains("| MUST | http-body-shape |"))

    let sarif = try JSONDocument(parsing: try await audit(server, "--output", "sarif").output).root
    let findings = sarif["runs"]?[0]?["results"]?.elements.map { $0 } ?? []
    #expect(findings.contains { $0["ruleId"] == "http-body-shape" && $0["level"] == "error" })

    let junit = try await audit(server, "--output", "junit").output
    let check = try ChildProcess(
      "/usr/bin/env",
      ["python3", "-c", "import sys, xml.dom.minidom; xml.dom.minidom.parseString(sys.stdin.buffer.read())"])
    check.write(junit)
    #expect(await check.outcome().exitCode == 0)
    #expect(junit.contains("name=\"http-body-shape\"><failure type=\"MUST\""))
    #expect(junit.contains("<skipped message=\"HTTP/2 was not negotiated\"/>"))
  }

  @Test func `a run without a failed MUST exits with 0`() async throws {
    let server = try server()
    let outcome = try await ChildProcess.apus("audit", server.url, "--only", "persisted")
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("the schema is unknown"))
  }

  @Test(arguments: [
    (["--only", "all"], 2, "--only must be one of http, errors,"),
    (["--output", "xml"], 2, "--output must be one of text, json"),
    (["--limit", "some"], 2, "--limit"), (["--limit", "0"], 2, "--limit takes a number of one or more"),
    (["--operation", "/nowhere.graphql"], 5, "/nowhere.graphql"),
  ])
  func `wrong options and files send nothing`(_ words: [String], _ code: Int32, _ message: String) async throws {
    let server = try server()
    let outcome = try await ChildProcess.run(Checkout.apus, ["audit", server.url] + words)
    #expect(outcome.exitCode == code)
    #expect(outcome.errors.hasPrefix("apus: ") && outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.output.isEmpty && server.requests.isEmpty)
  }

  @Test func `a server that does not answer exits with 3`() async throws {
    let port = try ClosedPort()
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", "type Query { a: Int }")
    for words in [[], ["--schema", folder.path("schema.graphql")]] {
      let outcome = try await ChildProcess.run(
        Checkout.apus, ["audit", "http://127.0.0.1:\(port.number)/graphql"] + words)
      #expect(outcome.exitCode == 3 && outcome.output.isEmpty, "\(outcome.output)")
      #expect(outcome.errors.hasPrefix("apus: "))
    }
  }

  @Test func `the folder of a report has a recording for each finding, without secrets`() async throws {
    let secret = "s3cr3t-token-of-the-user"
    let server = try server(#"{"data":{"__typename":"Query","note":"\#(secret)"},"extra":1}"#)
    let folder = try TemporaryFolder()
    let outcome = try await audit(
      server, "--report", folder.path("report"), "--header", "Authorization: Bearer \(secret)", "--output", "json")
    #expect(outcome.exitCode == 1, "\(outcome.errors)")
    #expect(server.requests.contains { $0.header("Authorization") == "Bearer \(secret)" })
    #expect(!outcome.output.contains(secret) && !outcome.errors.contains(secret))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("report"))
    #expect(names.contains("report.json") && names.contains("http-body-shape.ndjson"))
    for name in names {
      let text = try String(contentsOfFile: folder.path("report/\(name)"), encoding: .utf8)
      #expect(!text.contains(secret), "\(name)")
    }
    let replay = try await ChildProcess.apus(
      "replay", folder.path("report/http-body-shape.ndjson"), "--speed", "0")
    #expect(replay.exitCode == 0 || replay.exitCode == 1, "\(replay.errors)")
    #expect(replay.output.contains("__typename"))
  }

  @Test func `a broken rule of the demo API is found`() async throws {
    let broken = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0.001", "--break", "errors-order"])
    let url = try #require(await broken.nextLine())
    let report = try JSONDocument(
      parsing: try await ChildProcess.apus("audit", url, "--only", "errors", "--output", "json").output
    ).root
    let failed = report["audits"]?.elements.filter { $0["outcome"] == "failed" }.map { $0["id"]?.string }
    #expect(failed == ["errors-order"])
  }

  @Test(arguments: [["--break", "nothing"], ["--break", "errors-order", "--schema", "schema.graphql"]])
  func `breaking an unknown audit or a mock is wrong usage`(_ words: [String]) async throws {
    let outcome = try await ChildProcess.run(Checkout.apus, ["serve"] + words)
    #expect(outcome.exitCode == 2 && outcome.output.isEmpty && outcome.errors.contains("break"), "\(outcome.errors)")
  }
}
