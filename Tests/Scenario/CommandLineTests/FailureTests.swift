import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Failures of the server or the network: one clear line, the right exit code, and the data that arrived is kept.
@Suite(.timeLimit(.minutes(3))) struct FailureTests {
  private func query(_ url: String, _ options: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(Checkout.apus, ["query", url, "-q", "{ a ... @defer { b } }"] + options)
  }

  private func expect(
    _ outcome: ChildProcess.Outcome, _ code: Int32, _ text: String, location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.exitCode == code, sourceLocation: location)
    #expect(outcome.errors.contains(text), "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)", sourceLocation: location)
    #expect(outcome.errors.hasPrefix("apus: "), sourceLocation: location)
  }

  #if os(Linux)
    /// Libraries are loaded on demand. A damaged one has the same effect as a missing one.
    @Test func `a library that cannot be loaded is reported`() async throws {
      let folder = try TemporaryFolder()
      for name in ["libcurl.so.4", "libjq.so.1", "libmicrohttpd.so.12"] { try folder.write(name, "no library\n") }
      func apus(_ words: String...) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(Checkout.apus, words, environment: ["LD_LIBRARY_PATH": folder.root])
      }
      expect(try await apus("query", "http://127.0.0.1:1/", "-q", "{ a }"), 3, "cannot use the network: ")
      expect(try await apus("serve"), 3, "; install libmicrohttpd12")
      let doctor = try await apus("doctor")
      for package in ["libcurl4", "libjq1", "libmicrohttpd12"] {
        #expect(doctor.output.contains("; install \(package)"), "\(doctor.output)")
      }
      #expect(doctor.exitCode == 1)
    }
  #endif

  @Test func `a refused connection exits with 3`() async throws {
    let closed = try ClosedPort()
    let outcome = try await query(closed.url)
    expect(outcome, 3, "refused the connection; check that the server runs")
    #expect(outcome.output.isEmpty)
  }

  @Test func `an unknown host exits with 3`() async throws {
    expect(try await query("http://nowhere.invalid/graphql"), 3, "no address found for nowhere.invalid")
  }

  @Test func `a value that is not a valid URL is wrong usage`() async throws {
    expect(try await query("ftp://127.0.0.1/graphql"), 2, "is not a valid URL")
  }

  @Test func `a certificate of an unknown authority is rejected`() async throws {
    let server = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/tls_server.py"])
    let facts = try JSONDocument(parsing: try #require(await server.nextLine())).root
    let port = try #require(facts["port"]?.string)
    expect(try await query("https://localhost:\(port)/"), 3, "the certificate of localhost:\(port) is not trusted")
  }

  @Test func `status 401 suggests checking the credentials`() async throws {
    let server = try ScriptedServer([.response(status: 401, headers: [("Content-Type", "text/plain")], [.text("who?")])]
    )
    expect(try await query(server.url), 3, "answered 401 (who?); check the credentials")
  }

  @Test func `a GraphQL response is printed completely, whatever its status`() async throws {
    let body = #"{"errors":[{"message":"no a","locations":[{"line":1,"column":3}],"extensions":{"code":"V"}}]}"#
    let server = try ScriptedServer([.json(body, status: 400)])
    let outcome = try await query(server.url)
    #expect(outcome.output == body + "\n")
    expect(outcome, 1, "HTTP 400 from http://")
  }

  @Test func `a subscription ends after the maximum number of reconnects`() async throws {
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "text/event-stream")],
        [.text("event: next\ndata: {\"data\":{\"s\":1}}\n\n"), .close])
    ])
    let outcome = try await ChildProcess.run(
      Checkout.apus,
      ["query", server.url, "-q", "subscription { s }", "--subscription-transport", "sse", "--max-reconnects", "1"])
    #expect(outcome.exitCode == 3)
    #expect(outcome.output == "{\"data\":{\"s\":1}}\n{\"data\":{\"s\":1}}\n")
    #expect(outcome.errors.contains("reconnecting (attempt 1)"))
    #expect(outcome.errors.contains("given up after 1 attempt to connect again"))
  }

  /// Another program locks the cache file, so that the first signal must wait.
  @Test func `a second signal ends the program immediately`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path("cache.db")
    let answer = ScriptedAnswer.json(#"{"data":{"a":1}}"#)
    let server = try ScriptedServer([answer])
    let words = ["query", server.url, "-q", "{ a }", "--db", file, "--cache-policy", "networkOnly"]
    #expect(try await ChildProcess.run(Checkout.apus, words).exitCode == 0)
    let lock = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", "-c",
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE'); "
          + "print('locked', flush=True); sys.stdin.read()", file,
      ])
    #expect(await lock.nextLine() == "locked")
    let process = try ChildProcess(Checkout.apus, words)
    _ = try await server.request(1)
    // Two pending signals of the same kind could be merged into one.
    process.signal(SIGINT)
    process.signal(SIGTERM)
    let outcome = await process.outcome()
    #expect([130, 143].contains(outcome.exitCode), "\(outcome.exitCode)")
    // The program may report the first signal before it handles the second, but waits for nothing.
    #expect(["", "apus: interrupted\n"].contains(outcome.errors), "\(outcome.errors)")
  }

  @Test func `an HTML server error exits with 3`() async throws {
    let server = try ScriptedServer([
      .response(
        status: 500, headers: [("Content-Type", "text/html")],
        [.text("<html><head><title>Oh no</title></head><body><h1>It broke</h1></body></html>")])
    ])
    expect(try await query(server.url), 3, "answered 500")
  }

  @Test func `HTML with status 200 exits with 4`() async throws {
    let server = try ScriptedServer([
      .response(headers: [("Content-Type", "text/html")], [.text("<html><body>Welcome</body></html>")])
    ])
    expect(try await query(server.url), 4, "text/html, which is not a GraphQL response")
  }

  @Test func `invalid JSON with status 200 exits with 4`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":"#)])
    expect(try await query(server.url), 4, "sent invalid JSON: the text ends too early at line 1, column 14")
  }

  @Test func `payloads before a lost connection are printed`() async throws {
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{"a":1},"hasNext":true}"#), .reset,
        .text(#"{"incremental":[{"data":{"b":2},"path":[]}],"hasNext":false}"#),
      ])
    ])
    let outcome = try await query(server.url)
    expect(outcome, 3, "the response is incomplete (earlier results are printed)")
    #expect(outcome.output == #"{"data":{"a":1}}"# + "\n")
  }

  @Test func `a stream that ends before its last payload is an error`() async throws {
    let server = try ScriptedServer([.multipart([.text(#"{"data":{"a":1},"hasNext":true}"#)])])
    let outcome = try await query(server.url, "--output", "ndjson")
    expect(outcome, 3, "announced more")
    #expect(outcome.output.contains(#""state":"failed""#))
  }

  @Test func `one payload that cannot be merged leaves the others printed and exits with 4`() async throws {
    let server = try ScriptedServer([
      .multipart([
        .text(#"{"data":{"a":1},"hasNext":true}"#),
        .text(#"{"incremental":[{"data":{"c":3},"path":["x",0]},{"data":{"b":"two"},"path":[]}],"hasNext":false}"#),
      ])
    ])
    for output in ["json", "ndjson", "pretty", "table", "csv", "tsv", "yaml"] {
      let outcome = try await query(server.url, "--output", output)
      #expect(outcome.exitCode == 4)
      #expect(outcome.output.contains("two"), "\(output): \(outcome.output)")
      #expect(outcome.errors.contains(#"broke the protocol: a deferred part belongs at "x[0]""#), "\(outcome.errors)")
    }
    let mutation = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", "mutation { a ... @defer { b } }"])
    #expect(mutation.exitCode == 4)
    let printed = try JSONDocument(parsing: mutation.output).root
    #expect(printed["data"]?.description == #"{"a":1,"b":"two"}"#)
    #expect(printed["errors"]?[0]?["path"]?.description == #"["x",0]"#)
  }

  @Test func `a response without hasNext is complete at its end`() async throws {
    let server = try ScriptedServer([
      .multipart([.text(#"{"data":{"a":1}}"#), .text(#"{"incremental":[{"data":{"b":2},"path":[]}]}"#)])
    ])
    for output in ["json", "ndjson"] {
      let outcome = try await query(server.url, "--output", output)
      #expect(outcome.exitCode == 0)
      #expect(outcome.errors.isEmpty)
      #expect(outcome.output.contains(#"{"a":1,"b":2}"#))
    }
    let lacking = try ScriptedServer([.multipart([.text(#"{"data":{"a":1}}"#)])])
    expect(try await query(lacking.url), 1, "the deferred fragment at the root: the response ended without this part")
  }

  @Test func `a missing response within the timeout exits with 3`() async throws {
    let server = try ScriptedServer([.never])
    expect(try await query(server.url, "--timeout", "0.2"), 3, "did not complete within 200 ms")
  }

  @Test func `control characters of a server are not printed`() async throws {
    let poison = "\u{1b}[31mred\u{7}\u{9b}2J\u{7f}\u{202e}"
    let escaped = #"\u001b[31mred\u0007\u009b2J\u007f\u202e"#
    let answers: [ScriptedAnswer] = [
      .json(#"{"data":{"a":"\#(escaped)"},"errors":[{"message":"\#(escaped)"}]}"#),
      .response(status: 500, headers: [("Content-Type", "text/plain")], [.text(poison)]),
      .response(headers: [("Content-Type", "text/\(poison)")], [.text(poison)]),
      .json("{\"data\":{\"a\":\"\u{7f}\u{9b}\"}}"),
      .raw([.text("HTTP/1.1 200 \(poison)\r\nContent-Type: application/json\r\nX: \(poison)\r\n\r\n{"), .close]),
    ]
    for answer in answers {
      for format in ["json", "ndjson", "pretty", "table"] {
        let server = try ScriptedServer([answer])
        let outcome = try await query(server.url, "--output", format)
        let unsafe = (outcome.output + outcome.errors).unicodeScalars.filter {
          $0.properties.generalCategory == .control && $0 != "\n"
        }
        #expect(unsafe.isEmpty, "\(format): \(outcome.output.debugDescription) \(outcome.errors.debugDescription)")
      }
    }
  }
}
