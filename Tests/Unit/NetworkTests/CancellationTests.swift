import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("Cancellation that closes the connection", .timeLimit(.minutes(1)))
struct CancellationTests {
  @Test
  func `releasing an unread stream closes the connection`() async throws {
    let server = try ScriptedServer([.never])
    let transport = HTTPTransport()
    var stream: HTTPResponseStream? = transport.send(HTTPRequest(url: server.url))
    _ = try await server.request()
    _ = stream.take()
    try await server.clientClosed()
  }

  @Test
  func `leaving the loop after the first chunk closes the connection`() async throws {
    let server = try ScriptedServer([.response([.text("one"), .hold(Gate())])])
    let transport = HTTPTransport()
    for try await event in transport.send(HTTPRequest(url: server.url)) {
      if case .bytes = event { break }
    }
    try await server.clientClosed()
  }

  @Test
  func `canceling the reading task closes the connection and throws CancellationError`() async throws {
    let server = try ScriptedServer([.response([.text("one"), .hold(Gate())])])
    let transport = HTTPTransport()
    let (parts, part) = AsyncStream.makeStream(of: Void.self)
    let url = server.url
    let task = Task {
      for try await event in transport.send(HTTPRequest(url: url)) {
        if case .bytes = event { part.yield() }
      }
    }
    for await _ in parts { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.joined }
    try await server.clientClosed()
  }

  @Test
  func `canceling a response with a slow reader closes the connection`() async throws {
    let piece = [UInt8](repeating: 0x63, count: 1 << 20)
    let server = try ScriptedServer([.response(Array(repeating: .bytes(piece), count: 64))])
    let transport = HTTPTransport()
    for try await event in transport.send(HTTPRequest(url: server.url)) {
      if case .bytes = event { break }
    }
    try await server.clientClosed()
  }

  @Test
  func `canceling one request leaves the others running`() async throws {
    let gate = Gate()
    let server = try ScriptedServer { request, _ in
      request.target == "/graphql/stay" ? .response([.text("one"), .hold(gate), .text("two")]) : .never
    }
    let transport = HTTPTransport()
    var stays = transport.send(HTTPRequest(url: server.url + "/stay")).makeAsyncIterator()
    #expect(try await stays.text(3) == "one")
    let leaves = transport.send(HTTPRequest(url: server.url + "/leave"))
    _ = try await server.request(1)
    leaves.cancel()
    try await server.clientClosed(1)
    gate.open()
    #expect(try await stays.text(3) == "two")
  }
}
