import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("HTTP/2 and Unix sockets")
struct VersionTests {
  private func start() async throws -> (process: ChildProcess, url: String, socket: String) {
    let python = "\(Checkout.root)/.test-servers/current/bin/python"
    let process = try ChildProcess(python, ["-u", "\(Checkout.servers)/http2_server.py"])
    let words = try #require(await process.nextLine()).split(separator: " ").map(String.init)
    return (process, "http://127.0.0.1:\(words[0])", words[1])
  }

  @Test("Over HTTP/2 each part of a stream arrives as it was sent, and the connection serves the next request")
  func version2() async throws {
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

  @Test("Over HTTP/2 requests share a connection, and the limit on connections does not hold them up")
  func sharedConnection() async throws {
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

  @Test("Both versions are offered where TLS is not there to agree on one, and 1.1 is spoken")
  func plain() async throws {
    let (process, url, _) = try await start()
    let result = await exchange(url + "/release")
    #expect(result.head?.version == "1.1" && result.head?.headers["x-version"] == "1.1")
    _ = process
  }

  @Test("A Unix socket is spoken to in place of the URL's host")
  func unixSocket() async throws {
    let (process, _, socket) = try await start()
    let result = await exchange("http://anything.invalid/release") { $0.connection.unixSocket = socket }
    #expect(result.text == "done")
    let absent = await exchange("http://anything.invalid/") { $0.connection.unixSocket = socket + "x" }
    #expect(absent.networkError.map { "\($0)" }?.contains("socket \(socket)x") == true)
    _ = process
  }
}
