import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("Streaming of responses", .timeLimit(.minutes(1)))
struct StreamingTests {
  @Test
  func `each part is delivered before the server sends the next one`() async throws {
    let (first, second) = (Gate(), Gate())
    let server = try ScriptedServer([
      .response([.text("one"), .hold(first), .text("two"), .hold(second), .text("three")])
    ])
    var iterator = HTTPTransport().send(HTTPRequest(url: server.url)).makeAsyncIterator()
    #expect(try await iterator.text(3) == "one")
    first.open()
    #expect(try await iterator.text(3) == "two")
    second.open()
    #expect(try await iterator.text(5) == "three")
  }

  @Test
  func `a response has a status, header fields, a body and timings`() async throws {
    let start = ContinuousClock.now
    let (result, requests) = try await exchange([.json("{\"data\":1}", headers: [("X-Seen", " yes ")])]) {
      $0.method = "POST"
      $0.headers = ["Content-Type": "application/json", "X-Empty": ""]
      $0.body = Array("{}".utf8)
    }
    #expect(result.error == nil)
    #expect(result.head?.status == 200)
    #expect(result.head?.headers["x-seen"] == "yes")
    let arrival = try #require(result.head?.arrival)
    #expect(start < arrival && arrival < .now)
    #expect(result.text == "{\"data\":1}")
    let timings = try #require(result.timings)
    #expect(timings.firstByte > .zero && timings.firstByte <= timings.lastByte)
    #expect(timings.remoteAddress == "127.0.0.1")
    #expect(timings.wireByteCount == 10)
    let request = try #require(requests.first)
    #expect(request.method == "POST" && request.bodyText == "{}")
    #expect(request.header("content-type") == "application/json")
    #expect(request.header("x-empty")?.isEmpty == true)
    #expect(request.header("expect") == nil)
  }

  @Test
  func `a keep-alive connection is reused`() async throws {
    let server = try ScriptedServer([.json("1"), .json("2")])
    let transport = HTTPTransport()
    _ = await exchange(server.url, transport)
    let second = await exchange(server.url, transport)
    #expect(second.text == "2")
    #expect(second.timings?.isConnectionReused == true)
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: EncodingFixture.allCases)
  func `a compressed stream is decompressed while it arrives`(_ encoding: EncodingFixture) async throws {
    let gate = Gate()
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Encoding", encoding.rawValue)],
        [.bytes(encoding.first), .hold(gate), .bytes(encoding.second)])
    ])
    var iterator = HTTPTransport().send(HTTPRequest(url: server.url)).makeAsyncIterator()
    #expect(try await iterator.text(11) == "first part\n")
    gate.open()
    #expect(try await iterator.text(12) == "second part\n")
    #expect(try await server.request().header("accept-encoding")?.contains(encoding.rawValue) == true)
  }

  @Test
  func `a slow reader receives a body of 64 MB completely`() async throws {
    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
    let server = try ScriptedServer([.response(framing: .contentLength, Array(repeating: .bytes(piece), count: 64))])
    var count = 0
    for try await event in HTTPTransport().send(HTTPRequest(url: server.url)) {
      guard case .bytes(let chunk) = event else { continue }
      count += chunk.bytes.count
      await Task.yield()
    }
    #expect(count == 64 << 20)
  }

  @Test
  func `a paused reader delays only its own response`() async throws {
    let piece = [UInt8](repeating: 0x62, count: 1 << 20)
    let server = try ScriptedServer { request, _ in
      request.target == "/big"
        ? .response(framing: .contentLength, Array(repeating: .bytes(piece), count: 32)) : .json("{}")
    }
    let transport = HTTPTransport()
    let base = "http://127.0.0.1:\(server.port)"
    let big = transport.send(HTTPRequest(url: base + "/big"))
    for _ in 0..<20 { #expect(await exchange(base + "/small", transport).text == "{}") }
    #expect(await read(big).body.count == 32 << 20)
  }

  @Test
  func `a proxy receives the URL and its own credentials but not those of others`() async throws {
    let proxy = try ScriptedServer([.json("{}")])
    let result = await exchange("http://api.invalid/graphql?x=1") {
      $0.connection.proxy = "http://me:hush@127.0.0.1:\(proxy.port)"
    }
    #expect(result.text == "{}")
    let request = try #require(proxy.requests.first)
    #expect(request.target == "http://api.invalid/graphql?x=1")
    #expect(request.header("Proxy-Authorization") == "Basic bWU6aHVzaA==")
    #expect(request.header("Authorization") == nil)
  }

  @Test
  func `a rejected proxy tunnel is not reported as a server error`() async throws {
    let proxy = try ScriptedServer([.response(status: 407, framing: .contentLength, [.text("who are you")])])
    let result = await exchange("https://api.invalid/graphql") {
      $0.connection.proxy = "http://127.0.0.1:\(proxy.port)"
    }
    #expect(result.networkError == .proxyFailure(proxy: "http://127.0.0.1:\(proxy.port)", reason: "it answered 407"))
  }

  @Test
  func `200 concurrent requests on one transport complete`() async throws {
    let server = try ScriptedServer { request, _ in .json("{\"path\":\"\(request.target)\"}") }
    let transport = HTTPTransport()
    let base = server.url
    let answers = await withTaskGroup(of: (Int, String).self) { group in
      for index in 0..<200 {
        group.addTask { (index, await exchange("\(base)/\(index)", transport).text) }
      }
      return await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect(answers.count == 200)
    for (index, text) in answers { #expect(text == "{\"path\":\"/graphql/\(index)\"}") }
  }

  @Test
  func `the thread ends when the transport and its streams are released`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    do {
      let transport = HTTPTransport { end.finish() }
      #expect(await exchange(server.url, transport).text == "{}")
    }
    for await _ in ends {}
  }
}
