import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("Limits on connections", .timeLimit(.minutes(1)))
struct ConnectionLimitTests {
  private func readAll(_ urls: [String], _ transport: HTTPTransport) async -> [Exchange] {
    await withTaskGroup(of: Exchange.self) { group in
      for url in urls { group.addTask { await read(transport.send(HTTPRequest(url: url))) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test("Fifty requests at the same time go over six connections, and all of them are answered")
  func perHost() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.json("{}").held(by: gate)])
    async let results = readAll(Array(repeating: server.url, count: 50), HTTPTransport())
    _ = try await server.request(5)
    gate.open()
    #expect(await results.allSatisfy { $0.text == "{}" })
    #expect(server.requests.count == 50)
    #expect(server.connectionCount == 6)
  }

  @Test("The limits can be set, and the one for all hosts counts each of them")
  func total() async throws {
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

  @Test("A limit below one counts as one")
  func none() async throws {
    let server = try ScriptedServer([.json("{}")])
    let limits = HTTPConnectionLimits(perHost: 0, total: -1)
    let results = await readAll(Array(repeating: server.url, count: 3), HTTPTransport(limits: limits))
    #expect(results.allSatisfy { $0.text == "{}" })
    #expect(server.connectionCount == 1)
  }

  @Test("Responses in parts and events do not count", arguments: ["multipart/mixed; boundary=-", "Text/Event-Stream"])
  func longLived(type: String) async throws {
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

  @Test("A subscription does not count before its response has begun either")
  func subscription() async throws {
    let server = try ScriptedServer { request, _ in request.target == "/long" ? .never : .json("{}") }
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1, total: 1))
    var request = HTTPRequest(url: server.url.replacing("/graphql", with: "/long"))
    request.isLongLived = true
    let streams = (0..<3).map { _ in transport.send(request) }
    _ = try await server.request(2)
    #expect(await read(transport.send(HTTPRequest(url: server.url))).text == "{}")
    streams.forEach { $0.cancel() }
  }

  @Test("A response that its reader holds back makes room for others")
  func heldBack() async throws {
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

  @Test("A request that is canceled while it waits is never sent, and those behind it go on")
  func canceled() async throws {
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

  @Test("The limit on the whole time counts while a request waits, and that on the connection does not")
  func timeouts() async throws {
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

  @Test("What waits ends with its transport's last stream, and one that cannot be sent is no obstacle")
  func failures() async throws {
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
    /// A process of its own: what it may have open is its own.
    private func load(descriptors: Int, _ words: String...) async throws -> ChildProcess.Outcome {
      let script = "ulimit -n \(descriptors) && exec \"$0\" \"$@\""
      return try await ChildProcess("/bin/sh", ["-c", script, Checkout.products + "/ApusClientLoad"] + words).outcome()
    }

    @Test("Three hundred fetches at the same time need few descriptors")
    func fewDescriptors() async throws {
      let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
      let outcome = try await load(descriptors: 64, "fetch", "300", server.url)
      #expect(outcome.output == "300 of 300\n", "\(outcome)")
      #expect(server.connectionCount <= 6)
    }

    @Test(
      "A process without descriptors is told so, and not to check the address", arguments: ["127.0.0.1", "localhost"])
    func noDescriptors(host: String) async throws {
      let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
      let outcome = try await load(
        descriptors: 64, "exhaust", server.url.replacing("127.0.0.1", with: host))
      #expect(outcome.output.contains("EMFILE") && outcome.output.contains("ulimit -n"), "\(outcome)")
      #expect(!outcome.output.contains("check the address"), "\(outcome)")
    }
  #endif
}
