import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Responses that are held, recorded and replayed, and servers with TLS.
@Suite(.timeLimit(.minutes(2)))
struct TapDeliveryTests {
  @Test func `held payloads are released by lines of standard input, and all by its end`() async throws {
    let (demo, url) = try await Tap.demo()
    let tap = try await Tap([url, "--hold", "--for", "Late"])
    let query = "query Late { bird(id: \"b1\") { id ... @defer(label: \"late\") { species { id } } } }"
    func start() throws -> ChildProcess {
      try ChildProcess(Checkout.apus, ["query", tap.url, "-q", query, "--output", "ndjson"])
    }
    let stepped = try start()
    _ = try await tap.line("held")
    tap.process.write("9\nx\n\n")
    #expect(await stepped.nextLine()?.contains("\"pending\"") == true)
    _ = try await tap.line("payload")
    while try await tap.line("held")["payloads"]?.int == 0 {}
    tap.process.write("1\n")
    #expect(await stepped.nextLine()?.contains("\"fulfilled\"") == true)
    #expect(await stepped.outcome().exitCode == 0)
    #expect(try await tap.line("end")["changed"]?.elements.compactMap(\.string) == ["--hold"])
    let rest = try start()
    let held = try await tap.line("held")
    #expect(held["request"]?.int == 2 && held["payloads"]?.int ?? 0 > 0)
    tap.process.closeInput()
    #expect(await rest.outcome().exitCode == 0)
    let free = try await ChildProcess.apus("query", tap.url, "-q", query)
    #expect(free.exitCode == 0)
    let errors = await tap.stop().errors
    #expect(errors.contains("operation 9 has no payload that waits") && errors.contains("press Enter"), "\(errors)")
    withExtendedLifetime(demo) {}
  }

  @Test func `recordings are served to the same application, without its server`() async throws {
    let files = try TemporaryFolder()
    let queries = [
      "query Late { bird(id: \"b1\") { id name ... @defer(label: \"late\") { species { id } } } }",
      "query Plain { bird(id: \"b2\") { id name } }", "subscription Counting { countdown(from: 2, milliseconds: 20) }",
    ]
    func outputs(_ url: String, _ transport: String) async throws -> [String] {
      var outputs: [String] = []
      for query in queries {
        let outcome = try await ChildProcess.apus(
          "query", url, "-q", query, "--subscription-transport", transport, "--output", "json")
        outputs.append("\(outcome.output)\(outcome.exitCode)")
      }
      return outputs
    }
    let recorded: [String]
    do {
      let (demo, url) = try await Tap.demo()
      let tap = try await Tap([url, "--record", files.path("session")])
      recorded = try await outputs(tap.url, "ws")
      _ = await tap.stop()
      withExtendedLifetime(demo) {}
    }
    let server = try ChildProcess(
      Checkout.apus, ["serve", "--recordings", files.path("session"), "--delay-scale", "0.1"])
    let url = try #require(await server.nextLine())
    for transport in ["ws", "legacy-ws", "sse", "multipart"] {
      #expect(try await outputs(url, transport) == recorded, "\(transport)")
    }
    let other = try await ChildProcess.apus("query", url, "-q", "query Other { a }")
    #expect(other.output.contains("there is no recording of the operation Other"), "\(other)")
    let refused = try await ChildProcess.apus("serve", "--recordings", files.path("session"), "--schema", "s.graphql")
    #expect(refused.exitCode == 2)
    let empty = try await ChildProcess.apus("serve", "--recordings", files.path(""))
    #expect(empty.exitCode == 5, "\(empty)")
    withExtendedLifetime(server) {}
  }

  @Test func `a server over TLS is reached with its certificates, also through a proxy`() async throws {
    let server = try ChildProcess(
      "/usr/bin/env", ["python3", "\(Checkout.servers)/tls_server.py", "--client-certificate"])
    let proxy = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/connect_proxy.py"])
    let facts = try JSONDocument(parsing: try #require(await server.nextLine())).root
    func fact(_ name: String) throws -> String { try #require(facts[name]?.string) }
    let url = "https://localhost:\(try fact("port"))/"
    let files = try TemporaryFolder()
    let pair = try [fact("certificate"), fact("key")].map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
    try files.write("client.pem", pair)
    let trusted = ["--cacert", try fact("authority"), "--cert", files.path("client.pem")]
    func answer(_ options: [String]) async throws -> ChildProcess.Outcome {
      let tap = try await Tap([url] + options)
      return try await ChildProcess.run("/usr/bin/curl", ["-s", "-w", " %{http_code}", tap.url])
    }
    #expect(try await answer(trusted).output == "{\"client\": \"traveller\"} 200")
    let port = try #require(await proxy.nextLine())
    let proxied = try await answer(trusted + ["--proxy", "http://127.0.0.1:\(port)"])
    #expect(proxied.output == "{\"client\": \"traveller\"} 200")
    #expect(await proxy.nextLine()?.hasPrefix("CONNECT localhost:") == true)
    // The certificate of the server is not trusted without its authority.
    let refused = try await answer(["--cert", files.path("client.pem")])
    #expect(refused.output.hasSuffix(" 502") && refused.output.contains("is not trusted"), "\(refused.output)")
    withExtendedLifetime(server) {}
  }
}
