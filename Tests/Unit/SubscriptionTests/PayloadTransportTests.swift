import ApusClientAPI
import ApusClientCore
import ApusClientSubscriptions
import ApusJSON
import ApusTestSupport
import ApusWebSocket
import Testing

/// The tables of `Docs/Explanation/PayloadsOfOneResponse.md` for the events of a subscription: over each transport, an event
/// has the results that a query over HTTP has with the same payloads.
@Suite(.timeLimit(.minutes(4))) struct PayloadTransportTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let selection: String
    let payloads: [String]
    /// The data of the last result.
    let data: String
    var testDescription: String { name }

    init(_ name: String, _ selection: String, _ payloads: [String], _ data: String) {
      (self.name, self.selection, self.payloads, self.data) = (name, selection, payloads, data)
    }
  }

  private static func two(_ older: String, _ newer: String) -> [String] {
    [
      #"{"data":{"now":1},"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"a","data":\#(older)}],"hasNext":true}"#,
      #"{"incremental":[{"path":[],"label":"b","data":\#(newer)}],"hasNext":false}"#,
    ]
  }

  private static func shared(_ first: String, _ second: String) -> String {
    #"now ... @defer(label: "a") { \#(first) } ... @defer(label: "b") { \#(second) }"#
  }

  private static let users = shared("users { id n }", "users { id }")
  private static let nick = #"me { id ... @defer(label: "n") { nick } ... @defer(label: "o") { other } }"#

  static let cases: [Case] = [
    Case("leaf", shared("x", "x"), two(#"{"x":[1,2,3]}"#, #"{"x":[9]}"#), #"{"now":1,"x":[9]}"#),
    Case("value and null", shared("x", "x"), two(#"{"x":1}"#, #"{"x":null}"#), #"{"now":1,"x":1}"#),
    Case("null and value", shared("x", "x"), two(#"{"x":null}"#, #"{"x":1}"#), #"{"now":1,"x":1}"#),
    Case(
      "object", shared("me { id n }", "me { id m }"), two(#"{"me":{"id":1,"n":1}}"#, #"{"me":{"id":1,"m":2}}"#),
      #"{"now":1,"me":{"id":1,"n":1,"m":2}}"#),
    Case(
      "another object", shared("me { id n }", "me { id }"), two(#"{"me":{"id":1,"n":1}}"#, #"{"me":{"id":2}}"#),
      #"{"now":1,"me":{"id":2}}"#),
    Case(
      "list in another order", users,
      two(#"{"users":[{"id":1,"n":"a"},{"id":2,"n":"b"}]}"#, #"{"users":[{"id":2},{"id":1}]}"#),
      #"{"now":1,"users":[{"id":2,"n":"b"},{"id":1,"n":"a"}]}"#),
    Case(
      "edges", shared("l { edges { c node { id } } }", "l { edges { node { id } } }"),
      two(
        #"{"l":{"edges":[{"c":"a","node":{"id":1}},{"c":"b","node":{"id":2}}]}}"#,
        #"{"l":{"edges":[{"node":{"id":2}},{"node":{"id":1}}]}}"#),
      #"{"now":1,"l":{"edges":[{"c":"b","node":{"id":2}},{"c":"a","node":{"id":1}}]}}"#),
    Case(
      "pair by index with another leaf", shared("l { a b }", "l { a }"),
      two(#"{"l":[{"a":1,"b":2}]}"#, #"{"l":[{"a":9}]}"#),
      #"{"now":1,"l":[{"a":9}]}"#),
    Case(
      "streamed list", #"l @stream(initialCount: 1) { id n } ... @defer(label: "a") { l { id x } }"#,
      [
        #"{"data":{"l":[{"id":1,"n":1}]},"hasNext":true}"#,
        #"{"incremental":[{"path":["l",1],"items":[{"id":2,"n":2}]}],"hasNext":true}"#,
        #"{"incremental":[{"path":[],"label":"a","data":{"l":[{"id":1,"x":1}]}}],"hasNext":false}"#,
      ], #"{"l":[{"id":1,"n":1,"x":1},{"id":2,"n":2}]}"#),
    Case(
      "moved elements", #"users { id ... @defer(label: "n") { n } } ... @defer(label: "a") { users { id } }"#,
      [
        #"{"data":{"users":[{"id":1},{"id":2}]},"hasNext":true}"#,
        #"{"incremental":[{"path":[],"label":"a","data":{"users":[{"id":2},{"id":1}]}}],"hasNext":true}"#,
        #"{"incremental":[{"path":["users",0],"label":"n","data":{"n":1}},{"path":["users",1],"label":"n","data":{"n":2}}],"hasNext":false}"#,
      ], #"{"users":[{"id":2,"n":2},{"id":1,"n":1}]}"#),
    Case(
      "extensions", shared("x", "y"),
      [
        #"{"data":{"now":1},"extensions":{"a":{"b":1},"l":[1]},"hasNext":true}"#,
        #"{"incremental":[{"path":[],"label":"a","data":{"x":1},"extensions":{"a":{"c":2},"l":[2]}}],"hasNext":true}"#,
        #"{"incremental":[{"path":[],"label":"b","data":{"y":1}}],"extensions":{"a":{"b":3}},"hasNext":false}"#,
      ], #"{"now":1,"x":1,"y":1}"#),
    Case(
      "inline null", nick,
      [
        #"{"data":{"me":{"id":1,"nick":null}},"hasNext":true}"#,
        #"{"incremental":[{"path":["me"],"label":"o","data":{"other":2}}],"hasNext":true}"#, #"{"hasNext":false}"#,
      ], #"{"me":{"id":1,"other":2,"nick":null}}"#),
    Case(
      "no field of a fragment", nick,
      [#"{"data":{"me":{"id":1}},"hasNext":true}"#, #"{"hasNext":false}"#], #"{"me":{"id":1}}"#),
    Case(
      "error below a fragment", nick,
      [
        #"{"data":{"me":{"id":1,"other":1}},"hasNext":true}"#,
        #"{"incremental":[{"path":["me"],"label":"n","data":{"nick":null},"errors":[{"message":"no","path":["me","nick"]}]}],"hasNext":false}"#,
      ], #"{"me":{"id":1,"other":1,"nick":null}}"#),
    Case(
      "null for a fragment", nick,
      [
        #"{"data":{"me":{"id":1,"other":1}},"hasNext":true}"#,
        #"{"incremental":[{"path":["me"],"label":"n","data":null,"errors":[{"message":"no","path":["me"]}]}],"hasNext":false}"#,
      ], #"{"me":{"id":1,"other":1}}"#),
    Case(
      "v0.2, not completed", nick,
      [
        #"{"data":{"me":{"id":1,"other":1}},"pending":[{"id":"0","path":["me"],"label":"n"}],"hasNext":true}"#,
        #"{"hasNext":false}"#,
      ], #"{"me":{"id":1,"other":1}}"#),
    Case(
      "v0.2, completed", nick,
      [
        #"{"data":{"me":{"id":1}},"pending":[{"id":"0","path":["me"],"label":"n"},{"id":"1","path":["me"],"label":"o"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"1","data":{"other":1}}],"completed":[{"id":"1"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","data":{"nick":"x"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ], #"{"me":{"id":1,"other":1,"nick":"x"}}"#),
    Case(
      "nested fragments without labels", "now ... @defer { n ... @defer { q1 } }",
      [
        #"{"data":{"now":1},"hasNext":true}"#,
        #"{"incremental":[{"data":{"n":48,"q1":null},"path":[]}],"hasNext":false}"#,
      ], #"{"now":1,"n":48,"q1":null}"#),
    Case(
      "deferred field", "me { id slow @defer }",
      [#"{"data":{"me":{"id":1}},"hasNext":true}"#, #"{"path":["me","slow"],"data":false,"hasNext":false}"#],
      #"{"me":{"id":1,"slow":false}}"#),
    Case("data of the wrong kind", "me { id }", [#"{"data":[],"errors":[{"message":"no"}]}"#], "no data"),
  ]

  private static let transports: [SubscriptionOptions.Transport] = [
    .webSocket, .legacyWebSocket, .serverSentEvents, .multipart,
  ]

  /// Returns each result as a line.
  private func lines(_ run: SubscriptionRun) -> [String] {
    run.results.map { result in
      let fragments = result.fragments.map { "\($0.label ?? "-")@\($0.path) \($0.state.name)" }
      let streams = result.streams.map { "\($0.path) \($0.state.name)" }
      let errors = result.errors.map { "\($0.message) at \($0.path.map { "\($0)" } ?? "-")" }
      return "\(result.completeness) \(result.data.map { "\($0)" } ?? "no data") \(fragments) \(streams) \(errors) "
        + "\(JSONWriter.compact(result.extensions ?? .null))"
    }
  }

  private func answer(
    _ request: ScriptedServer.Request, _ transport: SubscriptionOptions.Transport, _ payloads: [String], isCut: Bool
  ) -> ScriptedAnswer {
    switch transport {
    case .webSocket, .legacyWebSocket:
      let isLegacy = transport == .legacyWebSocket
      var messages = [#"{"type":"connection_ack"}"#]
      messages += payloads.map { #"{"type":"\#(isLegacy ? "data" : "next")","id":"1","payload":\#($0)}"# }
      if !isCut { messages.append(#"{"type":"complete","id":"1"}"#) }
      let accept = WebSocketHandshake.answer(to: request.header("Sec-WebSocket-Key") ?? "")
      let head =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Protocol: \(isLegacy ? "graphql-ws" : "graphql-transport-ws")\r\nSec-WebSocket-Accept: \(accept)\r\n\r\n"
      return .raw([.text(head), .bytes(messages.flatMap(frame)), isCut ? .close : .hold(Gate())])
    case .multipart where isCut:
      let parts = payloads.map { "---\r\nContent-Type: application/json\r\n\r\n{\"payload\":\($0)}\r\n" }.joined()
      return .response(
        headers: [("Content-Type", "multipart/mixed; boundary=-; subscriptionSpec=1.0")],
        framing: .claiming(length: 100_000), [.text(parts + "---\r\n")])
    case .multipart:
      let parts = payloads.map { ScriptedAnswer.Piece.text(#"{"payload":\#($0)}"#) }
      return .multipart(specification: "subscriptionSpec=1.0", parts)
    case .serverSentEvents, .automatic:
      let events = payloads.map { "event: next\ndata: \($0)\n\n" }.joined()
      return .response(
        headers: [("Content-Type", "text/event-stream")],
        [.text(events + (isCut ? "" : "event: complete\ndata:\n\n"))] + (isCut ? [.reset] : []))
    }
  }

  /// A text frame of a server (RFC 6455, section 5.2).
  private func frame(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    let length = count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xFF)]
    return [0x81] + length + Array(text.utf8)
  }

  private func subscribe(
    _ example: Case, _ payloads: [String], _ transport: SubscriptionOptions.Transport, isCut: Bool = false
  ) async throws -> SubscriptionRun {
    let server = try ScriptedServer { request, _ in answer(request, transport, payloads, isCut: isCut) }
    let client = client(server.url, transport) { $0.reconnection.maximumAttempts = 0 }
    return try await SubscriptionRun.read(client, "subscription { \(example.selection) }")
  }

  @Test(arguments: cases) func `an event has the results of a query with the same payloads`(example: Case) async throws
  {
    let server = try ScriptedServer([.multipart(example.payloads.map { .text($0) })])
    var query = SubscriptionRun()
    for try await result in GraphQLClient(url: server.url).fetch(query: try operation("{ \(example.selection) }")) {
      query.results.append(result)
    }
    let expected = lines(query)
    let data = query.results.last?.data
    #expect(data.map { $0.isNull ? "no data" : "\($0)" } ?? "no data" == example.data)
    for transport in Self.transports {
      let run = try await subscribe(example, example.payloads, transport)
      #expect(run.error == nil, "\(transport)")
      #expect(lines(run) == expected, "\(transport)")
      // Another event begins a new result.
      let twice = try await subscribe(example, example.payloads + example.payloads, transport)
      #expect(lines(twice) == expected + expected, "\(transport), two events")
    }
  }

  @Test func `a fragment whose event is cut has failed, and its held null stays removed`() async throws {
    let example = Case("cut", Self.nick, [], "")
    let payloads = [
      #"{"data":{"me":{"id":1,"nick":null}},"hasNext":true}"#,
      #"{"incremental":[{"path":["me"],"label":"o","data":{"other":2}}],"hasNext":true}"#,
    ]
    for transport in Self.transports {
      let run = try await subscribe(example, payloads, transport, isCut: true)
      #expect(run.exitCode == 3, "\(transport)")
      #expect(run.data.last == #"{"me":{"id":1,"other":2}}"#, "\(transport)")
      #expect(
        run.results.last?.fragments.map { "\($0.label ?? "") \($0.state.name)" } == ["n failed", "o fulfilled"],
        "\(transport)")
    }
  }

  @Test func `an event before a reconnection is cut, and the next event is another one`() async throws {
    let cut = [
      #"{"data":{"me":{"id":1,"nick":null}},"hasNext":true}"#,
      #"{"incremental":[{"path":["me"],"label":"o","data":{"other":2}}],"hasNext":true}"#,
    ]
    let whole = [#"{"data":{"me":{"id":2,"nick":null,"other":3}},"hasNext":true}"#, #"{"hasNext":false}"#]
    for transport in Self.transports {
      let server = try ScriptedServer { request, number in
        answer(request, transport, number == 0 ? cut : whole, isCut: number == 0)
      }
      let client = client(server.url, transport) { $0.sleep = { _ in } }
      let run = try await SubscriptionRun.read(client, "subscription { \(Self.nick) }")
      let states = run.results.map { $0.fragments.map { "\($0.label ?? "") \($0.state.name)" } }
      #expect(states.contains(["n failed", "o fulfilled"]), "\(transport) \(states)")
      #expect(states.last == ["n fulfilled", "o fulfilled"], "\(transport) \(states)")
      #expect(run.data.last == #"{"me":{"id":2,"nick":null,"other":3}}"#, "\(transport)")
      #expect(!run.data.contains(#"{"me":{"id":1,"other":2,"nick":null}}"#), "\(transport)")
      #expect(run.error == nil, "\(transport)")
    }
  }
}
