import ApusClientNetwork
import ApusClientTraffic
import ApusTestSupport
import Testing

@testable import ApusTap

/// A relay whose rules change responses.
@Suite(.timeLimit(.minutes(1)))
struct EditedRelayTests {
  private static func fixture(to port: Int, _ change: (inout DeliveryRules) -> Void) throws -> RelayFixture {
    var rules = DeliveryRules()
    change(&rules)
    return try RelayFixture(to: port, control: DeliveryControl(rules))
  }

  private static let query = #"{"query":"query Q { a }"}"#
  private static let multipart = ScriptedAnswer.multipart([
    .text(#"{"data":{"a":1},"hasNext":true}"#),
    .text(#"{"incremental":[{"label":"l","path":[],"data":{"b":2}}],"hasNext":false}"#),
  ])

  @Test func `a response is sent in chunks, without a coding that the relay cannot read`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let fixture = try Self.fixture(to: server.port) {
      $0.rules = [.init(.everyPayload, .delay(.milliseconds(20)), text: "--delay 20ms")]
    }
    let client = try fixture.client()
    client.post(Self.query, headers: ["Content-Type: application/json", "Accept-Encoding: gzip"])
    let text = try await client.read(through: "\r\n0\r\n\r\n")
    #expect(text.hasSuffix("Transfer-Encoding: chunked\r\n\r\n10\r\n{\"data\":{\"a\":1}}\r\n0\r\n\r\n"))
    #expect(try await server.request().header("Accept-Encoding") == nil)
    #expect(try await fixture.log.exchange().end == .complete)
    // The connection stays in use.
    client.post(Self.query)
    _ = try await client.read(through: "\r\n0\r\n\r\n")
    #expect(server.connectionCount == 1)
  }

  @Test func `a status is answered without the server`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let fixture = try Self.fixture(to: server.port) {
      $0.status = 503
      $0.operations = ["Q"]
    }
    let client = try fixture.client()
    client.post(Self.query)
    let answer = try await client.response()
    #expect(answer.head.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(answer.body == #"{"errors":[{"message":"apus tap: --status 503"}]}"#)
    client.post(#"{"query":"{ b }"}"#)
    #expect(try await client.response().body == "{}")
    #expect(server.requests.map(\.bodyText) == [#"{"query":"{ b }"}"#])
  }

  @Test func `a fragment that is dropped does not arrive`() async throws {
    let server = try ScriptedServer([Self.multipart])
    let fixture = try Self.fixture(to: server.port) { $0.rules = [.init(.label("l"), .drop, text: "--drop label=l")] }
    let client = try fixture.client()
    client.post(Self.query)
    let text = try await client.read(through: "\r\n0\r\n\r\n")
    #expect(
      text.contains(#"{"data":{"a":1},"hasNext":true}"#) && text.contains(#"{"hasNext":false}"#)
        && !text.contains("incremental"))
  }

  @Test func `a connection breaks after a payload`() async throws {
    let server = try ScriptedServer([Self.multipart])
    let fixture = try Self.fixture(to: server.port) { $0.cutAfter = 1 }
    let client = try fixture.client()
    client.post(Self.query)
    let error = await #expect(throws: WireClient.Failure.self) { try await client.readToEnd() }
    guard case .reset(let received)? = error else {
      Issue.record("the connection was not reset")
      return
    }
    #expect(received.contains(#""hasNext":true"#) && !received.contains("incremental"))
    #expect(try await fixture.log.exchange().end == .failed("apus tap broke the connection (--cut-after)"))
  }

  @Test func `a body that is expected to wait is requested by the relay`() async throws {
    let server = try ScriptedServer([.json("{}")])
    let fixture = try Self.fixture(to: server.port) { $0.cutAfter = 9 }
    let client = try fixture.client()
    client.send(
      "POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: \(Self.query.utf8.count)\r\n\r\n")
    #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    client.send(Self.query)
    _ = try await client.read(through: "\r\n0\r\n\r\n")
    #expect(try await server.request().header("Expect") == nil)
  }

  @Test func `other responses keep every byte`() async throws {
    let server = try ScriptedServer([.json(#"{"a": 1}"#), .raw([.text("HTTP/1.1 304 Not Modified\r\n\r\n")])])
    let client = try Self.fixture(to: server.port) { $0.rules = [.init(.everyPayload, .delay(.seconds(60)), text: "")] }
    let wire = try client.client()
    wire.post("{}")
    #expect(try await wire.response().body == #"{"a": 1}"#)
    wire.get("/?query=%7Ba%7D")
    #expect(try await wire.read(through: "\r\n\r\n") == "HTTP/1.1 304 Not Modified\r\n\r\n")
  }
}
