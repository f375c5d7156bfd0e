import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("A failed request says in one line what failed, where, and what to do")
struct FailureTests {
  @Test("Refused")
  func refused() async throws {
    let closed = try ClosedPort()
    let port = closed.number
    let error = await exchange(closed.url).networkError
    #expect(error == .connectionRefused(host: "127.0.0.1:\(port)"))
    #expect(
      error?.description
        == "127.0.0.1:\(port) refused the connection; check that the server runs and listens on that port")
  }

  @Test("A name without an address")
  func dns() async {
    let error = await exchange("http://nothing-here.invalid/graphql") { $0.connection.proxy = "" }.networkError
    #expect(error == .dnsFailure(host: "nothing-here.invalid"))
  }

  @Test(
    "A URL that cannot be sent to",
    arguments: [
      "", "localhost:4000/graphql", "ftp://example.com/x", "http://", "http://a b/", "http://[::1/", "https://:80/x",
    ])
  func badURL(_ url: String) async {
    let error = await exchange(url).networkError
    guard case .badURL = error else {
      Issue.record("\(url): \(String(describing: error))")
      return
    }
  }

  @Test("A TLS handshake that nobody answers runs into the time limit of connecting")
  func stalledHandshake() async throws {
    let server = try ScriptedServer([.never])
    let limit = Duration.milliseconds(40)
    let result = await exchange("https://127.0.0.1:\(server.port)/") { $0.timeouts.connect = limit }
    #expect(
      result.networkError == .timeout(phase: .connect, host: "127.0.0.1:\(server.port)", limit: limit))
  }

  @Test("Cut between two parts: what arrived is kept, the error counts the bytes", arguments: [true, false])
  func cut(_ byReset: Bool) async throws {
    let gate = Gate()
    let server = try ScriptedServer([.response([.text("one"), .hold(gate), byReset ? .reset : .close])])
    var iterator = HTTPTransport().send(HTTPRequest(url: server.url)).makeAsyncIterator()
    #expect(try await iterator.text(3) == "one")
    gate.open()
    await #expect(throws: NetworkError.cut(host: "127.0.0.1:\(server.port)", receivedBytes: 3)) {
      try await iterator.text(1)
    }
  }

  @Test("A body shorter than its Content-Length is cut, and one cut at once has no answer")
  func shortBody() async throws {
    let (short, _) = try await exchange([.response(framing: .claiming(length: 10), [.text("12345")])])
    #expect(short.text == "12345")
    expect(short) { if case .cut(_, 5) = $0 { true } else { false } }
    let (none, _) = try await exchange([.raw([.close])])
    expect(none) { if case .cut(_, 0) = $0 { true } else { false } }
  }

  @Test("A server that is not speaking HTTP")
  func notHTTP() async throws {
    let (result, _) = try await exchange([.raw([.text("SSH-2.0-OpenSSH_9.2p1\r\n"), .close])])
    expect(result) { if case .notHTTP = $0 { true } else { false } }
  }

  @Test("Silence before the first byte, in the middle of a body, and past the whole request's time")
  func timeouts() async throws {
    let limit = Duration.milliseconds(40)
    let (silent, _) = try await exchange([.never]) { $0.timeouts.firstByte = limit }
    expect(silent) { if case .timeout(.firstByte, _, limit) = $0 { true } else { false } }
    let pause = Duration.milliseconds(300)
    let (stalled, _) = try await exchange([.response([.text("one"), .hold(Gate())])]) { $0.timeouts.idle = pause }
    #expect(stalled.text == "one")
    expect(stalled) { if case .timeout(.idle, _, pause) = $0 { true } else { false } }
    let (late, _) = try await exchange([.response([.text("one"), .hold(Gate())])]) { $0.timeouts.total = limit }
    // On a busy machine the time may be over before the first bytes come.
    #expect("one".hasPrefix(late.text))
    expect(late) { if case .timeout(.total, _, limit) = $0 { true } else { false } }
  }

  @Test("A time limit beyond all clocks is none, and one below zero is over at once")
  func endlessTimeouts() async throws {
    let longest = Duration.seconds(Int64.max)
    let (whole, _) = try await exchange([.json("{}")]) {
      $0.timeouts = HTTPTimeouts(connect: longest, firstByte: longest, idle: longest, total: longest)
    }
    #expect(whole.error == nil && whole.text == "{}")
    for limit in [Duration.seconds(-1), .seconds(Int64.min)] {
      let (none, _) = try await exchange([.never]) { $0.timeouts.total = limit }
      expect(none) { if case .timeout(.total, _, limit) = $0 { true } else { false } }
    }
  }

  @Test("A response larger than allowed")
  func tooLarge() async throws {
    let (result, _) = try await exchange([.response([.text("12345"), .text("67890")])]) { $0.maximumResponseSize = 8 }
    expect(result) { if case .responseTooLarge(_, 8) = $0 { true } else { false } }
  }

  @Test("A damaged gzip body")
  func damagedGzip() async throws {
    let (result, _) = try await exchange([.response(headers: [("Content-Encoding", "gzip")], [.text("not gzip")])])
    expect(result) { if case .brokenEncoding = $0 { true } else { false } }
  }

  @Test("A second gzip member is named: libcurl reads the first alone")
  func secondGzipMember() async throws {
    let member = EncodingFixture.gzip.first + EncodingFixture.gzip.second
    for pieces in [[member, member], [member + member]] {
      let (result, _) = try await exchange([
        .response(headers: [("Content-Encoding", "gzip")], pieces.map { .bytes($0) })
      ])
      expect(result) { if case .continuedEncoding = $0 { true } else { false } }
      #expect(result.networkError.map { "\($0)" }?.contains("a second gzip member") == true)
    }
  }

  @Test("A header that would smuggle another one in is not sent")
  func badHeader() async throws {
    let (result, requests) = try await exchange([.json("{}")]) { $0.headers = ["X-Key": "secret\r\nX-Other: 1"] }
    #expect(result.networkError == .badHeader(name: "X-Key"))
    #expect(requests.isEmpty)
  }

  @Test("A certificate file that is not there")
  func missingFile() async {
    let result = await exchange("https://127.0.0.1:9/") { $0.connection.certificateAuthorityFile = "/nowhere/ca.pem" }
    #expect(
      result.networkError == .unreadableFile(path: "/nowhere/ca.pem", purpose: "the certificate authority"))
  }

  @Test("A proxy that is not there is named, without its password")
  func proxy() async throws {
    let closed = try ClosedPort()
    let port = closed.number
    let result = await exchange("http://example.com/") { $0.connection.proxy = "http://me:hush@127.0.0.1:\(port)" }
    expect(result) { if case .proxyFailure("http://127.0.0.1:\(port)", _) = $0 { true } else { false } }
  }

  @Test("No error text holds a password, a query or a control character, and each is one line")
  func errorTexts() async throws {
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

  @Test("A proxy that cannot be read is named without its password")
  func brokenProxy() async throws {
    for proxy in ["http://me:hushhush@host:port", "socks9://me:hushhush@127.0.0.1:1"] {
      let result = await exchange("http://127.0.0.1:1/") { $0.connection.proxy = proxy }
      let error = try #require(result.error.map { "\($0)" })
      #expect(!error.contains("hushhush"), "\(error)")
    }
  }
}
