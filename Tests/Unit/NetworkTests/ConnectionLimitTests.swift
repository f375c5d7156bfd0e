import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("Connection limits", .timeLimit(.minutes(1)))
struct ConnectionLimitTests {
  private func readAll(_ urls: [String], _ transport: HTTPTransport) async -> [Exchange] {
    await withTaskGroup(of: Exchange.self) { group in
      for url in urls { group.addTask { await read(transport.send(HTTPRequest(url: url))) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test
  func `fifty concurrent requests share six connections`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json("{}").held(by: gate)])
    async let results = readAll(Array(repeating: server.url, count: 50), HTTPTransport())
    _ = try await server.request(5)
    gate.open()
    #expect(await results.allSatisfy { $0.text == "{}" })
    #expect(server.requests.count == 50)
    #expect(server.connectionCount == 6)
  }

  @Test
  func `the total limit counts the connections of all hosts`() async throws {
    let gate = Gate()
    let busy = try (0..<2).map { _ in try ScriptedServer([.json("{}").held(by: gate)]) }
    let other = try ScriptedServer([.json("{}")])
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 2, total: 3))
    async let results = readAll([busy[0].url, busy[0].url, busy[1].url], transport)
    _ = try await busy[0].request(1)
    _ = try await busy[1].request()
    let hasty = await exchange(other.url, transport) { $0.timeouts.total = .milliseconds(200) }
    guard case .timeout(.total, _, .milliseconds(200)) = hasty.networkError else {
      Issue.record("\(String(describing: hasty.error))")
      return
    }
    #expect(other.requests.isEmpty)
    gate.open()
    #expect(await results.allSatisfy { $0.text == "{}" })
    #expect(await exchange(other.url, transport).text == "{}")
  }

  @Test
  func `a limit below one means one`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let limits = HTTPConnectionLimits(perHost: 0, total: -1)
    let results = await readAll(Array(repeating: server.url, count: 3), HTTPTransport(limits: limits))
    #expect(results.allSatisfy { $0.text == "{}" })
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: ["multipart/mixed; boundary=-", "Text/Event-Stream"])
  func `multipart and event streams do not count`(type: String) async throws {
    let gate = Gate()
    let server = try ScriptedServer { request, _ in
      request.target == "/long"
        ? .response(headers: [("Content-Type", type)], [.text("begun"), .hold(gate)]) : .json("{}")
    }
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1, total: 1))
    let long = server.url.replacing("/graphql", with: "/long")
    var streams: [HTTPResponseStream.AsyncIterator] = []
    for _ in 0..<4 {
      var stream = transport.send(HTTPRequest(url: long)).makeAsyncIterator()
      #expect(try await stream.text(5) == "begun")
      streams.append(stream)
    }
    #expect(await read(transport.send(HTTPRequest(url: server.url))).text == "{}")
    gate.open()
  }

  @Test
  func `a subscription does not count even before its response starts`() async throws {
    let server = try ScriptedServer { request, _ in request.target == "/long" ? .never : .json("{}") }
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1, total: 1))
    var request = HTTPRequest(url: server.url.replacing("/graphql", with: "/long"))
    request.isLongLived = true
    let streams = (0..<3).map { _ in transport.send(request) }
    _ = try await server.request(2)
    #expect(await read(transport.send(HTTPRequest(url: server.url))).text == "{}")
    streams.forEach { $0.cancel() }
  }

  @Test
  func `a response with a slow reader does not count`() async throws {
    let big = [UInt8](repeating: 7, count: 32 << 20)
    let server = try ScriptedServer { request, _ in
      request.target == "/big" ? .response(framing: .contentLength, [.bytes(big)]) : .json("{}")
    }
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1))
    var slow = transport.send(HTTPRequest(url: server.url.replacing("/graphql", with: "/big"))).makeAsyncIterator()
    _ = try await slow.next()
    #expect(await read(transport.send(HTTPRequest(url: server.url))).text == "{}")
    var count = 0
    while let event = try await slow.next() { if case .bytes(let chunk) = event { count += chunk.bytes.count } }
    #expect(count <= big.count && count > big.count / 2)
  }

  @Test
  func `a request canceled while it waits is not sent, and later ones continue`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json("{}").held(by: gate), .json("{}")])
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1))
    func request(_ path: String) -> HTTPRequest { HTTPRequest(url: server.url.replacing("/graphql", with: path)) }
    async let first = read(transport.send(request("/first")))
    _ = try await server.request()
    let second = transport.send(request("/second"))
    async let third = read(transport.send(request("/third")))
    second.cancel()
    gate.open()
    #expect(await first.text == "{}")
    #expect(await third.text == "{}")
    #expect(server.requests.map(\.target) == ["/first", "/third"])
  }

  @Test
  func `waiting counts toward the total timeout but not the connect timeout`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json("{}").held(by: gate), .json("{}")])
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1))
    async let first = read(transport.send(HTTPRequest(url: server.url)))
    _ = try await server.request()
    let patient = transport.send(
      HTTPRequest(url: server.url, timeouts: HTTPTimeouts(connect: .milliseconds(20), firstByte: .seconds(50))))
    let hasty = await exchange(server.url, transport) { $0.timeouts.total = .milliseconds(200) }
    guard case .timeout(.total, _, .milliseconds(200)) = hasty.networkError else {
      Issue.record("\(String(describing: hasty.error))")
      return
    }
    gate.open()
    let result = await read(patient)
    #expect(result.text == "{}", "\(String(describing: result.error))")
    let timings = try #require(result.timings)
    #expect(timings.queue >= .milliseconds(200) && timings.redirects == .zero && timings.lastByte > timings.queue)
    #expect(await first.timings?.queue == .zero)
    #expect(server.requests.count == 2)
  }

  @Test
  func `waiting requests end with the transport's last stream, and failed ones do not block others`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json("{}").held(by: gate), .json("{}")])
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1))
    async let first = read(transport.send(HTTPRequest(url: server.url)))
    _ = try await server.request()
    async let bad = exchange(server.url, transport) { $0.headers = ["X": "a\r\nb"] }
    async let last = read(transport.send(HTTPRequest(url: server.url)))
    let elsewhere = await exchange("ftp://127.0.0.1/", transport)
    guard case .badURL = elsewhere.networkError else {
      Issue.record("\(String(describing: elsewhere.error))")
      return
    }
    gate.open()
    #expect(await first.text == "{}")
    #expect(await bad.networkError == .badHeader(name: "X"))
    #expect(await last.text == "{}")
  }

  #if os(Linux)
    /// Runs the load in its own process, which has its own limit on open descriptors.
    private func load(descriptors: Int, _ words: String...) async throws -> ChildProcess.Outcome {
      let script = "ulimit -n \(descriptors) && exec \"$0\" \"$@\""
      return try await ChildProcess("/bin/sh", ["-c", script, Checkout.products + "/ApusClientLoad"] + words).outcome()
    }

    @Test
    func `three hundred concurrent fetches need few descriptors`() async throws {
      let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
      let outcome = try await load(descriptors: 64, "fetch", "300", server.url)
      #expect(outcome.output == "300 of 300\n", "\(outcome)")
      #expect(server.connectionCount <= 6)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `the error of a process without descriptors names them, and not the address`(host: String) async throws {
      let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
      let outcome = try await load(
        descriptors: 64, "exhaust", server.url.replacing("127.0.0.1", with: host))
      #expect(outcome.output.contains("EMFILE") && outcome.output.contains("ulimit -n"), "\(outcome)")
      #expect(!outcome.output.contains("check the address"), "\(outcome)")
    }
  #endif
}
