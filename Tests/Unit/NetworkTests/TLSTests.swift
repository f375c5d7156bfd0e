import ApusClientNetwork
import ApusJSON
import ApusTestSupport
import Testing

@Suite("TLS", .timeLimit(.minutes(2)))
struct TLSTests {
  /// A server with self-made certificates.
  private struct Server {
    let process: ChildProcess
    let facts: JSONValue

    init(_ arguments: String...) async throws {
      process = try ChildProcess(
        "/usr/bin/env", ["python3", "\(Checkout.servers)/tls_server.py"] + arguments)
      guard let line = await process.nextLine() else {
        Issue.record("the server did not start: \(await process.outcome().errors)")
        throw CancellationError()
      }
      facts = try JSONDocument(parsing: line).root
    }

    func url(_ host: String = "localhost") -> String { "https://\(host):\(self["port"] ?? "")/" }
    subscript(_ name: String) -> String? { facts[name]?.string }
  }

  @Test
  func `an unknown authority is rejected unless its file is given or the check is disabled`() async throws {
    let server = try await Server()
    let refused = await exchange(server.url())
    guard case .untrustedCertificate(let host, _) = refused.networkError else {
      Issue.record("\(String(describing: refused.error))")
      return
    }
    #expect(host == "localhost:\(server["port"] ?? "")")
    let trusted = await exchange(server.url()) { $0.connection.certificateAuthorityFile = server["authority"] }
    #expect(trusted.text == "{\"client\": null}")
    #expect(trusted.timings?.tls != nil)
    let certificate = try #require(trusted.timings?.certificate)
    #expect(certificate.names.contains("localhost"))
    #expect(!certificate.subject.isEmpty && !certificate.issuer.isEmpty && certificate.validUntil.contains("GMT"))
    // The TLS version and the cipher, as named by OpenSSL. A libcurl with another TLS library reports none.
    #expect(try /TLSv1\.[23] [A-Z0-9_-]+/.wholeMatch(in: certificate.session) != nil, "\(certificate.session)")
    let unchecked = await exchange(server.url()) { $0.connection.isInsecure = true }
    #expect(unchecked.text == "{\"client\": null}")
  }

  @Test
  func `a certificate for another host name is rejected`() async throws {
    let server = try await Server()
    let result = await exchange(server.url("127.0.0.1")) {
      $0.connection.certificateAuthorityFile = server["authority"]
    }
    guard case .untrustedCertificate = result.networkError else {
      Issue.record("\(String(describing: result.error))")
      return
    }
  }

  @Test
  func `a client certificate is sent to a server that requests it`() async throws {
    let server = try await Server("--client-certificate")
    let answer = await exchange(server.url()) {
      $0.connection.certificateAuthorityFile = server["authority"]
      $0.connection.certificateFile = server["certificate"]
      $0.connection.keyFile = server["key"]
    }
    #expect(answer.text == "{\"client\": \"traveller\"}")
    let unknown = await exchange(server.url()) { $0.connection.certificateAuthorityFile = server["authority"] }
    #expect(unknown.error is NetworkError)
    // The server's alert is lost if the request is still being sent.
    let rejected = NetworkError.tlsFailure(host: "a", reason: "tlsv13 alert certificate required")
    #expect(rejected.description.contains("specify a client certificate that the server accepts"))
    let mismatched = await exchange(server.url()) {
      $0.connection.certificateAuthorityFile = server["authority"]
      $0.connection.certificateFile = server["certificate"]
      $0.connection.keyFile = server["authority"]
    }
    #expect(mismatched.networkError?.description.contains("as the client key;") == true)
  }

  @Test
  func `a redirect from https to http does not repeat the body unless allowed`() async throws {
    let plain = try ScriptedServer([.json("{}")])
    let location = "http://localhost:\(plain.port)/x"
    let server = try await Server("--redirect", location)
    func result(isRepeatable: Bool, mayLeave: Bool) async -> Exchange {
      await exchange(server.url()) {
        $0.connection.certificateAuthorityFile = server["authority"]
        $0.method = "POST"
        $0.body = Array("body".utf8)
        $0.isRepeatable = isRepeatable
        $0.allowsCrossOriginBody = mayLeave
      }
    }
    for isRepeatable in [true, false] {
      let refused = await result(isRepeatable: isRepeatable, mayLeave: false)
      #expect(
        refused.networkError == .redirectRefused(host: "localhost:\(server["port"] ?? "")", location: location))
    }
    #expect(plain.requests.isEmpty)
    #expect(await result(isRepeatable: false, mayLeave: true).text == "{}")
    #expect(plain.requests.map(\.bodyText) == ["body"])
  }

  @Test
  func `plain HTTP to a TLS server is an error`() async throws {
    let server = try await Server()
    let plain = await exchange("http://localhost:\(server["port"] ?? "")/")
    #expect(plain.error is NetworkError)
  }

  @Test
  func `a proxy tunnel receives the proxy's credentials but not the server's`() async throws {
    let server = try await Server()
    let proxy = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/connect_proxy.py"])
    let port = try #require(await proxy.nextLine())
    let result = await exchange(server.url()) {
      $0.connection.certificateAuthorityFile = server["authority"]
      $0.connection.proxy = "http://me:hush@127.0.0.1:\(port)"
      $0.headers = ["Authorization": "Bearer own"]
    }
    #expect(result.text == "{\"client\": null}", "\(String(describing: result.error))")
    #expect(await proxy.nextLine() == "CONNECT localhost:\(server["port"] ?? "") Basic bWU6aHVzaA== None")
  }

  @Test
  func `a client key with a passphrase is rejected without a prompt`() async throws {
    let server = try await Server("--client-certificate")
    let folder = try TemporaryFolder()
    let locked = folder.path("locked.pem")
    let made = try await ChildProcess.run(
      "/usr/bin/env",
      ["openssl", "pkey", "-aes256", "-passout", "pass:hush", "-in", try #require(server["key"]), "-out", locked])
    #expect(made.exitCode == 0, "\(made.errors)")
    let result = await exchange(server.url()) {
      $0.connection.certificateAuthorityFile = server["authority"]
      $0.connection.certificateFile = server["certificate"]
      $0.connection.keyFile = locked
      $0.timeouts.total = .seconds(20)
    }
    guard case .unreadableFile? = result.networkError else {
      Issue.record("\(String(describing: result.error))")
      return
    }
  }
}
