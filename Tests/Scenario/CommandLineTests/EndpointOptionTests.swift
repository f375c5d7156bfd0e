import ApusJSON
import ApusTestSupport
import Testing

/// Options for reaching an endpoint: headers, certificates, proxies and profiles.
@Suite(.timeLimit(.minutes(3))) struct EndpointOptionTests {
  private static let good = ScriptedAnswer.json(#"{"data":{"a":1}}"#)
  private static let line = "{\"data\":{\"a\":1}}\n"

  private func apus(
    _ words: [String], environment: [String: String] = [:]
  ) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(Checkout.apus, words, environment: environment)
  }

  @Test func `headers of options and files are sent in order`() async throws {
    let server = try ScriptedServer([Self.good])
    let folder = try TemporaryFolder()
    try folder.write("headers", "X-One: 1\n\nX-Two:  two words \r\nAuthorization: Bearer hush\n")
    let outcome = try await apus([
      "query", server.url, "-q", "{ a }", "-H", "@" + folder.path("headers"), "-H", "X-One: b",
    ])
    #expect(outcome.output == Self.line)
    let request = try await server.request()
    #expect(request.headers.filter { $0.name == "X-One" }.map(\.value) == ["1", "b"])
    #expect(request.header("X-Two") == "two words")
    #expect(request.header("Authorization") == "Bearer hush")
    try folder.write("wrong", "X-One: 1\nhush\n")
    let wrong = try await apus(["query", server.url, "-q", "{ a }", "-H", "@" + folder.path("wrong")])
    #expect(wrong.exitCode == 2)
    #expect(wrong.errors.contains("\(folder.path("wrong")):2: not a header: write 'Name: value'"))
    #expect(!wrong.errors.contains("hush"))
  }

  /// Shells expand `~` only at the start of a word.
  @Test func `the home folder is found in a word with an option or @`() async throws {
    let server = try ScriptedServer([Self.good])
    let home = try TemporaryFolder()
    try home.write("headers", "X-One: 1\n")
    try home.write("query.graphql", "query ($v: Int) { a(v: $v) }")
    try home.write("variables.json", #"{"v":7}"#)
    let outcome = try await apus(
      ["query", server.url, "--file=~/query.graphql", "-H@~/headers", "--variables=@~/variables.json"],
      environment: ["HOME": home.path("")])
    #expect(outcome.output == Self.line, "\(outcome.errors)")
    let request = try await server.request()
    #expect(request.header("X-One") == "1" && request.bodyText.contains(#""v":7"#))
    let missing = try await apus(["query", server.url, "--file", "./~/query.graphql"])
    #expect(missing.errors.contains("cannot read ./~/query.graphql"))
  }

  @Test func `a proxy receives the full URL, and errors omit its password`() async throws {
    let proxy = try ScriptedServer([Self.good])
    let words = ["query", "http://api.invalid/graphql", "-q", "{ a }", "--proxy"]
    let outcome = try await apus(words + ["http://me:hush@127.0.0.1:\(proxy.port)"])
    #expect(outcome.output == Self.line)
    #expect(proxy.requests.first?.target == "http://api.invalid/graphql")
    #expect(proxy.requests.first?.header("Proxy-Authorization") == "Basic bWU6aHVzaA==")
    let closed = try ClosedPort()
    let refused = try await apus(words + ["http://me:hush@127.0.0.1:\(closed.number)"])
    #expect(refused.exitCode == 3)
    #expect(refused.errors.contains("the proxy http://127.0.0.1:\(closed.number) failed"))
    #expect(!refused.errors.contains("hush"))
  }

  @Test func `a WebSocket also uses the proxy`() async throws {
    let server = try await PythonServer.start(.ariadne)
    let proxy = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/connect_proxy.py"])
    let port = try #require(await proxy.nextLine())
    let outcome = try await apus([
      "query", server.url, "-q", "subscription { count(to: 2) }", "--proxy", "http://127.0.0.1:\(port)",
    ])
    #expect(outcome.output == "{\"data\":{\"count\":1}}\n{\"data\":{\"count\":2}}\n", "\(outcome.errors)")
    #expect(await proxy.nextLine()?.hasPrefix("CONNECT 127.0.0.1:") == true)
  }

  /// Starts a TLS server and returns the files that it created.
  private func secure(_ words: String...) async throws -> (process: ChildProcess, facts: JSONValue, url: String) {
    let server = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/tls_server.py"] + words)
    let facts = try JSONDocument(parsing: try #require(await server.nextLine())).root
    return (server, facts, "https://localhost:\(try #require(facts["port"]?.string))/")
  }

  @Test func `certificates are trusted according to the options`() async throws {
    let (server, facts, url) = try await secure()
    let folder = try TemporaryFolder()
    try folder.write("junk.pem", "no certificate")
    let query = ["query", url, "-q", "{ a }"]
    #expect(try await apus(query).errors.contains("is not trusted"))
    // The server answers GraphQL requests with 501. These options only affect whether it answers.
    for words in [["--insecure"], ["--cacert", try #require(facts["authority"]?.string)]] {
      #expect(try await apus(query + words).errors.contains("answered 501"), "\(words)")
    }
    let junk = try await apus(query + ["--cacert", folder.path("junk.pem")])
    #expect(junk.exitCode == 5)
    #expect(junk.errors.contains("cannot use \(folder.path("junk.pem")) as the certificate authority"))
    withExtendedLifetime(server) {}
  }

  @Test func `the client certificate is presented`() async throws {
    let (server, facts, url) = try await secure("--client-certificate")
    let (certificate, key) = (try #require(facts["certificate"]?.string), try #require(facts["key"]?.string))
    let query = ["query", url, "-q", "{ a }", "--insecure"]
    #expect(try await apus(query).exitCode == 3)
    #expect(try await apus(query + ["--cert", certificate, "--key", key]).errors.contains("answered 501"))
    let wrong = try await apus(query + ["--cert", certificate, "--key", "/nowhere/key.pem"])
    #expect(wrong.exitCode == 5)
    #expect(wrong.errors.contains("/nowhere/key.pem"))
    withExtendedLifetime(server) {}
  }

  @Test func `a rejected token of a profile is renewed once by its command`() async throws {
    let server = try ScriptedServer { request, _ in
      request.header("Authorization") == "Bearer new" ? Self.good : .json("{}", status: 401)
    }
    let home = try TemporaryFolder()
    let token = home.path("token")
    try home.write("token", "old\n")
    try home.write(
      "config/config.yml",
      """
      profiles:
        birds:
          url: \(server.url)
          environment: {TOKEN: "$(cat \(token); echo new > \(token))"}
          headers: {Authorization: Bearer $TOKEN}
      """)
    let outcome = try await apus(["query", "birds", "-q", "{ a }"], environment: home.asHome)
    #expect(outcome.output == Self.line, "\(outcome.errors)")
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer old", "Bearer new"])
  }

  /// Each command that loads the schema of a profile, with its words before and after the name.
  @Test(arguments: [
    (["schema"], []), (["schema"], ["Query"]), (["schema", "lint"], []), (["audit"], ["--only", "paging"]),
  ])
  func `a rejected token is renewed once for the schema`(before: [String], after: [String]) async throws {
    let home = try TemporaryFolder()
    try home.write("schema.graphql", "type Query { a: Int }")
    let schema = try await apus(["schema", home.path("schema.graphql"), "--output", "json"]).output
    let document = schema.contains("\"data\"") ? schema : #"{"data":\#(schema)}"#
    let server = try ScriptedServer { request, _ in
      guard request.header("Authorization") == "Bearer new" else { return .json("{}", status: 401) }
      return request.bodyText.contains("__schema") ? .json(document) : Self.good
    }
    let token = home.path("token")
    try home.write("token", "old\n")
    try home.write(
      "config/config.yml",
      """
      profiles:
        birds:
          url: \(server.url)
          environment: {TOKEN: "$(cat \(token); echo new > \(token))"}
          headers: {Authorization: Bearer $TOKEN}
      """)
    let outcome = try await apus(before + ["birds"] + after, environment: home.asHome)
    #expect(!outcome.errors.contains("401") && outcome.exitCode < 3, "\(outcome.errors)")
    #expect(server.requests.prefix(2).map { $0.header("Authorization") } == ["Bearer old", "Bearer new"])
  }

  /// A profile's name is accepted wherever a URL is.
  @Test func `a profile is accepted in place of a URL`() async throws {
    let demo = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    let url = try #require(await demo.nextLine())
    let home = try TemporaryFolder()
    try home.write("config/config.yml", "profiles:\n  birds:\n    url: \(url)\n")
    try home.write("q.graphql", "{ bird(id: \"b1\") { nam } }")
    let file = home.path("q.graphql")
    func run(_ words: String...) async throws -> ChildProcess.Outcome {
      try await apus(words, environment: home.asHome)
    }
    #expect(try await run("query", "birds", "-q", "{ __typename }").output == "{\"data\":{\"__typename\":\"Query\"}}\n")
    #expect(try await run("schema", "birds").output.contains("type Bird "))
    #expect(try await run("schema", url, "--output", "json").output.contains("\"__schema\""))
    #expect(try await run("validate", "--schema", "birds", file).output.contains("Cannot query field \"nam\""))
    #expect(try await run("complete", "--schema", "birds", "--at", "1:23", file).output.contains("\"label\":\"name\""))
    #expect(try await run("hover", "--schema", "birds", "--at", "1:4", file).output.contains("Bird"))
    let unknown = try await run("query", "fish", "-q", "{ a }")
    #expect(unknown.exitCode == 2)
    #expect(unknown.errors == "apus: 'fish' is neither a URL (http://…) nor a profile; the profiles are birds\n")
  }

  @Test func `variables of a profile take precedence over the environment`() async throws {
    let server = try ScriptedServer([Self.good])
    let home = try TemporaryFolder()
    try home.write(
      "config/config.yml",
      """
      profiles:
        birds:
          url: \(server.url)
          environment: {TENANT: north, TOKEN: $(echo seven)}
          headers: {X-Tenant: $TENANT, Authorization: "Bearer $TOKEN", X-User: $APUS_USER}
      """)
    let outcome = try await apus(
      ["query", "birds", "-q", "{ a }"],
      environment: home.asHome.merging(["TENANT": "south", "APUS_USER": "ada"]) { $1 })
    #expect(outcome.output == Self.line, "\(outcome.errors)")
    let headers = try #require(server.requests.first).headers
    for (name, value) in [("x-tenant", "north"), ("authorization", "Bearer seven"), ("x-user", "ada")] {
      #expect(headers.filter { $0.name.lowercased() == name }.map(\.value) == [value])
    }
  }

  /// The command sends only the requested operation, and introspects only if `--schema` names an endpoint.
  @Test func `an endpoint receives only the operation`() async throws {
    let server = try ScriptedServer([Self.good])
    let folder = try TemporaryFolder()
    _ = try await apus(["query", server.url, "-q", "{ a }", "--db", folder.path("cache")])
    #expect(server.requests.count == 1)
    let described = try ScriptedServer { request, _ in
      request.bodyText.contains("__schema")
        ? .json(
          #"{"data":{"__schema":{"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","fields":"#
            + #"[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}],"interfaces":[]},"#
            + #"{"kind":"SCALAR","name":"Int"}],"directives":[]}}}"#) : Self.good
    }
    let right = try await apus(["query", server.url, "-q", "{ a }", "--schema", described.url])
    #expect(right.output == Self.line, "\(right.errors)")
    let wrong = try await apus(["query", server.url, "-q", "{ b }", "--schema", described.url])
    #expect(wrong.exitCode == 1)
    #expect(server.requests.count == 2)
    #expect(described.requests.allSatisfy { $0.bodyText.contains("__schema") })
  }

  /// The subprotocols of third-party servers.
  @Test(
    arguments: [
      (PythonServer.Kind.ariadne, ["auto", "ws"]), (.ariadneLegacy, ["auto", "legacy-ws"]),
    ])
  func `a subscription uses the selected subprotocol`(kind: PythonServer.Kind, transports: [String]) async throws {
    let server = try await PythonServer.start(kind)
    let folder = try TemporaryFolder()
    try folder.write("payload.json", #"{"name":"Ada"}"#)
    for transport in transports {
      let words = ["query", server.url, "--subscription-transport", transport]
      let counted = try await apus(words + ["-q", "subscription { count(to: 3) }"])
      #expect(counted.output == (1...3).map { "{\"data\":{\"count\":\($0)}}\n" }.joined(), "\(counted.errors)")
      #expect(counted.exitCode == 0)
      for payload in [#"{"name":"Ada"}"#, "@" + folder.path("payload.json")] {
        let greeted = try await apus(words + ["-q", "subscription { greeting }", "--connection-payload", payload])
        #expect(greeted.output == "{\"data\":{\"greeting\":\"hello Ada\"}}\n", "\(greeted.errors)")
      }
      let refused = try await apus(words + ["-q", "subscription { nothing }"])
      #expect(refused.exitCode == 1)
      #expect(refused.output.contains("Cannot query field"))
    }
    let other = kind == .ariadne ? "legacy-ws" : "ws"
    let wrong = try await apus([
      "query", server.url, "--subscription-transport", other, "-q", "subscription { greeting }",
    ])
    #expect([3, 4].contains(wrong.exitCode))
    #expect(wrong.errors.split(separator: "\n").count == 1, "\(wrong.errors)")
  }
}
