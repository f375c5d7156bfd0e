import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("HTTP/2 and Unix sockets", .timeLimit(.minutes(2)))
struct VersionTests {
  private func start() async throws -> (process: ChildProcess, url: String, socket: String) {
    let python = "\(Checkout.root)/.test-servers/current/bin/python"
    let process = try ChildProcess(python, ["-u", "\(Checkout.servers)/http2_server.py"])
    let words = try #require(await process.nextLine()).split(separator: " ").map(String.init)
    return (process, "http://127.0.0.1:\(words[0])", words[1])
  }

  @Test
  func `HTTP/2 delivers each part as it was sent and reuses the connection`() async throws {
    let (process, url, _) = try await start()
    let transport = HTTPTransport()
    func request(_ path: String) -> HTTPRequest {
      var request = HTTPRequest(url: url + path)
      request.connection.version = .http2PriorKnowledge
      return request
    }
    var stream = transport.send(request("/stream")).makeAsyncIterator()
    #expect(try await stream.text(3) == "one")
    #expect(await exchange(url + "/release").text == "done")
    #expect(try await stream.text(3) == "two")
    #expect(try await stream.next() != nil)
    let next = await read(transport.send(request("/release")))
    #expect(next.text == "done" && next.head?.version == "2")
    #expect(next.timings?.isConnectionReused == true)
    _ = process
  }

  @Test
  func `HTTP/2 requests share a connection despite a limit of one`() async throws {
    let (process, url, _) = try await start()
    let transport = HTTPTransport(limits: HTTPConnectionLimits(perHost: 1, total: 1))
    func request(_ path: String) -> HTTPRequest {
      var request = HTTPRequest(url: url + path)
      request.connection.version = .http2PriorKnowledge
      return request
    }
    var stream = transport.send(request("/stream")).makeAsyncIterator()
    #expect(try await stream.text(3) == "one")
    let release = await read(transport.send(request("/release")))
    #expect(release.text == "done" && release.timings?.isConnectionReused == true)
    #expect(try await stream.text(3) == "two")
    _ = process
  }

  @Test
  func `without TLS, HTTP/2 is offered and HTTP/1.1 is used`() async throws {
    let (process, url, _) = try await start()
    let result = await exchange(url + "/release")
    #expect(result.head?.version == "1.1" && result.head?.headers["x-version"] == "1.1")
    _ = process
  }

  @Test
  func `a Unix socket replaces the URL's host`() async throws {
    let (process, _, socket) = try await start()
    let result = await exchange("http://anything.invalid/release") { $0.connection.unixSocket = socket }
    #expect(result.text == "done")
    let absent = await exchange("http://anything.invalid/") { $0.connection.unixSocket = socket + "x" }
    #expect(absent.networkError.map { "\($0)" }?.contains("socket \(socket)x") == true)
    _ = process
  }
}
