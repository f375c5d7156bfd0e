import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("Errors of failed requests, described on one line", .timeLimit(.minutes(1)))
struct FailureTests {
  @Test
  func `a refused connection is reported with its address`() async throws {
    let closed = try ClosedPort()
    let port = closed.number
    let error = await exchange(closed.url).networkError
    #expect(error == .connectionRefused(host: "127.0.0.1:\(port)"))
    #expect(
      error?.description
        == "127.0.0.1:\(port) refused the connection; check that the server runs and listens on that port")
  }

  @Test
  func `a host name that cannot be resolved is an error`() async {
    let error = await exchange("http://nothing-here.invalid/graphql") { $0.connection.proxy = "" }.networkError
    #expect(error == .dnsFailure(host: "nothing-here.invalid"))
  }

  @Test(arguments: [
    "", "localhost:4000/graphql", "ftp://example.com/x", "http://", "http://a b/", "http://[::1/", "https://:80/x",
  ])
  func `an invalid URL is an error`(_ url: String) async {
    let error = await exchange(url).networkError
    guard case .badURL = error else {
      Issue.record("\(url): \(String(describing: error))")
      return
    }
  }

  @Test
  func `an unanswered TLS handshake exceeds the connect timeout`() async throws {
    let server = try ScriptedServer([.never])
    let limit = Duration.milliseconds(40)
    let result = await exchange("https://127.0.0.1:\(server.port)/") { $0.timeouts.connect = limit }
    #expect(
      result.networkError == .timeout(phase: .connect, host: "127.0.0.1:\(server.port)", limit: limit))
  }

  @Test(arguments: [true, false])
  func `a connection lost between two parts keeps received data`(_ byReset: Bool) async throws {
    let gate = Gate()
    let server = try ScriptedServer([.response([.text("one"), .hold(gate), byReset ? .reset : .close])])
    var iterator = HTTPTransport().send(HTTPRequest(url: server.url)).makeAsyncIterator()
    #expect(try await iterator.text(3) == "one")
    gate.open()
    await #expect(throws: NetworkError.interrupted(host: "127.0.0.1:\(server.port)", receivedBytes: 3)) {
      try await iterator.text(1)
    }
  }

  @Test
  func `a body shorter than its Content-Length is an error, as is an empty response`() async throws {
    let (short, _) = try await exchange([.response(framing: .claiming(length: 10), [.text("12345")])])
    #expect(short.text == "12345")
    expect(short) { if case .interrupted(_, 5) = $0 { true } else { false } }
    let (none, _) = try await exchange([.raw([.close])])
    expect(none) { if case .interrupted(_, 0) = $0 { true } else { false } }
  }

  @Test
  func `a response that is not HTTP is an error`() async throws {
    let (result, _) = try await exchange([.raw([.text("SSH-2.0-OpenSSH_9.2p1\r\n"), .close])])
    expect(result) { if case .notHTTP = $0 { true } else { false } }
  }

  @Test
  func `each timeout is an error: first byte, idle and total`() async throws {
    let limit = Duration.milliseconds(40)
    let (silent, _) = try await exchange([.never]) { $0.timeouts.firstByte = limit }
    expect(silent) { if case .timeout(.firstByte, _, limit) = $0 { true } else { false } }
    let pause = Duration.milliseconds(300)
    let (stalled, _) = try await exchange([.response([.text("one"), .hold(Gate())])]) { $0.timeouts.idle = pause }
    #expect(stalled.text == "one")
    expect(stalled) { if case .timeout(.idle, _, pause) = $0 { true } else { false } }
    let (late, _) = try await exchange([.response([.text("one"), .hold(Gate())])]) { $0.timeouts.total = limit }
    // On a busy machine the timeout may pass before the first bytes arrive.
    #expect("one".hasPrefix(late.text))
    expect(late) { if case .timeout(.total, _, limit) = $0 { true } else { false } }
  }

  @Test
  func `a huge timeout means none, and a negative one expires immediately`() async throws {
    let longest = Duration.seconds(Int64.max)
    let (complete, _) = try await exchange([.json("{}")]) {
      $0.timeouts = HTTPTimeouts(connect: longest, firstByte: longest, idle: longest, total: longest)
    }
    #expect(complete.error == nil && complete.text == "{}")
    for limit in [Duration.seconds(-1), .seconds(Int64.min)] {
      let (none, _) = try await exchange([.never]) { $0.timeouts.total = limit }
      expect(none) { if case .timeout(.total, _, limit) = $0 { true } else { false } }
    }
  }

  @Test
  func `a response over the size limit is an error`() async throws {
    let (result, _) = try await exchange([.response([.text("12345"), .text("67890")])]) { $0.maximumResponseSize = 8 }
    expect(result) { if case .responseTooLarge(_, 8) = $0 { true } else { false } }
  }

  @Test
  func `a damaged gzip body is an error`() async throws {
    let (result, _) = try await exchange([.response(headers: [("Content-Encoding", "gzip")], [.text("not gzip")])])
    expect(result) { if case .brokenEncoding = $0 { true } else { false } }
  }

  @Test
  func `a second gzip member, which libcurl does not decode, is an error`() async throws {
    let member = EncodingFixture.gzip.first + EncodingFixture.gzip.second
    for pieces in [[member, member], [member + member]] {
      let (result, _) = try await exchange([
        .response(headers: [("Content-Encoding", "gzip")], pieces.map { .bytes($0) })
      ])
      expect(result) { if case .continuedEncoding = $0 { true } else { false } }
      #expect(result.networkError.map { "\($0)" }?.contains("a second gzip member") == true)
    }
  }

  @Test
  func `a header value with a line break is rejected`() async throws {
    let (result, requests) = try await exchange([.json("{}")]) { $0.headers = ["X-Key": "secret\r\nX-Other: 1"] }
    #expect(result.networkError == .badHeader(name: "X-Key"))
    #expect(requests.isEmpty)
  }

  @Test
  func `a missing certificate file is an error`() async {
    let result = await exchange("https://127.0.0.1:9/") { $0.connection.certificateAuthorityFile = "/nowhere/ca.pem" }
    #expect(
      result.networkError == .unreadableFile(path: "/nowhere/ca.pem", purpose: "the certificate authority"))
  }

  @Test
  func `the advice about a file or a certificate depends on the reason`() {
    let netrc = NetworkError.unreadableFile(path: "/x", purpose: "the netrc file").description
    #expect(netrc == "cannot use /x as the netrc file; check that it exists and is readable")
    #expect(NetworkError.unreadableFile(path: "/x", purpose: "the client key").description.hasSuffix("in PEM form"))
    for (reason, remedy) in [
      ("SSL: no alternative certificate subject name matches target host name 'a'", "use a host name"),
      ("SSL certificate problem: certificate has expired", "check this computer's clock"),
      ("SSL certificate problem: self-signed certificate", "specify the authority to trust (cacert)"),
    ] {
      let text = NetworkError.untrustedCertificate(host: "a", reason: reason).description
      #expect(text.contains(remedy), "\(text)")
      #expect(text.contains("cacert") == remedy.contains("cacert"), "\(text)")
    }
  }

  @Test
  func `an unreachable proxy is reported without its password`() async throws {
    let closed = try ClosedPort()
    let port = closed.number
    let result = await exchange("http://example.com/") { $0.connection.proxy = "http://me:hush@127.0.0.1:\(port)" }
    expect(result) { if case .proxyFailure("http://127.0.0.1:\(port)", _) = $0 { true } else { false } }
  }

  @Test
  func `error messages are one line without passwords, queries or control characters`() async throws {
    let bad = await exchange("ftp://me:hush@example.com/x?token=hush#hush").networkError
    let cut = try await exchange([.raw([.close])]) {
      $0.url = $0.url.replacing("://", with: "://me:hush@") + "?key=hush"
    }
    for error in [bad, cut.exchange.networkError, .dnsFailure(host: "a\u{1B}[31m\nb")] {
      let text = try #require(error).description
      #expect(!text.contains("hush"))
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
    }
  }

  private func expect(
    _ result: Exchange, at location: SourceLocation = #_sourceLocation, _ isExpected: (NetworkError) -> Bool
  ) {
    guard let error = result.networkError, isExpected(error) else {
      Issue.record("\(String(describing: result.error))", sourceLocation: location)
      return
    }
  }

  @Test
  func `an invalid proxy URL is reported without its password`() async throws {
    for proxy in ["http://me:hushhush@host:port", "socks9://me:hushhush@127.0.0.1:1"] {
      let result = await exchange("http://127.0.0.1:1/") { $0.connection.proxy = proxy }
      let error = try #require(result.error.map { "\($0)" })
      #expect(!error.contains("hushhush"), "\(error)")
    }
  }
}
