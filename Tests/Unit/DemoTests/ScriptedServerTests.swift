import ApusTestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ScriptedServerTests {
  @Test func `A piece after a gate is sent when the gate opens`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.response([.text("one"), .hold(gate), .text("two")])])
    let client = try WireClient(port: server.port)
    client.post("{}")
    #expect(try await client.read(through: "one\r\n").hasSuffix("3\r\none\r\n"))
    gate.open()
    #expect(try await client.read(through: "0\r\n\r\n") == "3\r\ntwo\r\n0\r\n\r\n")
  }

  @Test func `Requests on one connection are recorded with headers and bodies`() async throws {
    let server = try ScriptedServer([.json("{}"), .json("[]")])
    let client = try WireClient(port: server.port)
    client.post(#"{"query":"{a}"}"#, headers: ["X-Bird: 鳥"])
    #expect(try await client.response().body == "{}")
    client.get("/graphql?query=%7Ba%7D")
    #expect(try await client.response().body == "[]")
    let first = try await server.request(0)
    #expect(first.method == "POST")
    #expect(first.bodyText == #"{"query":"{a}"}"#)
    #expect(first.header("x-bird") == "鳥")
    #expect(try await server.request(1).target == "/graphql?query=%7Ba%7D")
    #expect(server.connectionCount == 1)
  }

  @Test func `A chunked request body is joined`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let client = try WireClient(port: server.port)
    client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
    #expect(try await server.request().bodyText == "abcde")
  }

  @Test func `A test can wait for the client to leave`() async throws {
    let server = try ScriptedServer([.never])
    let client = try WireClient(port: server.port)
    client.post("{}")
    _ = try await server.request()
    client.leave()
    try await server.clientClosed()
  }

  @Test func `A connection is closed with a FIN or a RST`() async throws {
    let server = try ScriptedServer([
      .response(framing: .claiming(length: 100), [.text("short")]), .response([.text("x"), .reset]),
    ])
    let first = try WireClient(port: server.port)
    first.post("{}")
    #expect(try await first.readToEnd().hasSuffix("short"))
    let second = try WireClient(port: server.port)
    second.post("{}")
    await #expect(throws: WireClient.Failure.self) { try await second.readToEnd() }
  }

  @Test func `Each multipart part is sent with the following delimiter`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.multipart(framing: .untilClose, [.text("{}"), .hold(gate), .text("[]")])])
    let client = try WireClient(port: server.port)
    client.post("{}")
    _ = try await client.read(through: "\r\n\r\n")
    let head = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
    #expect(try await client.read(through: "{}\r\n---") == "---" + head + "{}\r\n---")
    gate.open()
    #expect(try await client.readToEnd() == head + "[]\r\n-----\r\n")
  }
}
