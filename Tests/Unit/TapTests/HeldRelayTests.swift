import ApusClientTraffic
import ApusTestSupport
import Testing

@testable import ApusTap

/// A relay that holds payloads until they are released.
@Suite(.timeLimit(.minutes(4)))
struct HeldRelayTests {
  private static let query = #"{"query":"query Q { a }"}"#
  private static let first = #"{"data":{"a":1},"hasNext":true}"#
  private static let second = #"{"incremental":[{"label":"l","path":[],"data":{"b":2}}],"hasNext":false}"#
  /// The bytes after the first payload: the delimiter, and the end of the chunk.
  private static let afterFirst = "\"hasNext\":true}\r\n---\r\n"
  private static let end = "\r\n0\r\n\r\n"

  private struct Held {
    let control: DeliveryControl
    let fixture: RelayFixture
    let client: WireClient

    /// - Parameter release: Called when payloads wait, on the thread of the connection.
    init(
      to server: ScriptedServer, _ change: (inout DeliveryRules) -> Void = { _ in },
      release: (@Sendable (DeliveryControl, TrafficOperationID) -> Void)? = nil
    ) throws {
      var rules = DeliveryRules()
      rules.holds = true
      change(&rules)
      let control = DeliveryControl(rules)
      self.control = control
      fixture = try RelayFixture(to: server.port, control: control) { event in
        guard case .held(1..., let message) = event.fact else { return }
        release?(control, TrafficOperationID(exchange: event.exchange, message: message))
      }
      client = try fixture.client()
    }

    func release(_ exchange: Int) { control.release(TrafficOperationID(exchange: exchange)) }
  }

  @Test func `each payload is sent when it is released`() async throws {
    let gate = Gate()
    let server = try ScriptedServer([.multipart([.text(Self.first), .hold(gate), .text(Self.second)])])
    let held = try Held(to: server)
    held.client.post(Self.query)
    _ = try await held.client.read(through: "\r\n\r\n")
    let beginning = try await held.fixture.log.held()
    #expect(beginning == (1, ""))
    held.release(1)
    _ = try await held.client.read(through: Self.afterFirst)
    gate.open()
    #expect(try await held.fixture.log.held().sent.contains(Self.first))
    held.release(1)
    #expect(try await held.client.read(through: Self.end).contains(Self.second))
    #expect(try await held.fixture.log.exchange().end == .complete)
    // The connection stays in use.
    held.control.releaseAll()
    held.client.post(Self.query)
    _ = try await held.client.read(through: Self.afterFirst)
    #expect(server.connectionCount == 1)
  }

  @Test func `payloads that wait together are released one by one`() async throws {
    let server = try ScriptedServer([.multipart([.text(Self.first), .text(Self.second)])])
    let held = try Held(to: server)
    held.client.post(Self.query)
    _ = try await held.fixture.log.held(2)
    held.control.releaseNext()
    _ = try await held.client.read(through: Self.afterFirst)
    #expect(try await held.fixture.log.held(1).sent.contains(Self.first))
    held.control.releaseNext()
    _ = try await held.client.read(through: Self.end)
    #expect(try await held.fixture.log.exchange().end == .complete)
  }

  enum Release: CaseIterable {
    case one, next, all, allOfOperation, rulesWithoutHold
  }

  @Test(arguments: Release.allCases, [Duration.zero, .milliseconds(20)])
  func `payloads that are released as soon as they are reported are all sent`(
    _ release: Release, _ delay: Duration
  ) async throws {
    let middle = #"{"incremental":[{"label":"k","path":[],"data":{"c":3}}],"hasNext":true}"#
    let gate = Gate()
    // Two payloads arrive together, and the last one later.
    let server = try ScriptedServer([
      .multipart([.text(Self.first), .text(middle), .hold(gate), .text(Self.second)])
    ])
    let held = try Held(to: server) {
      if delay > .zero { $0.rules = [.init(.everyPayload, .delay(delay), text: "--delay")] }
    } release: { control, operation in
      switch release {
      case .one: control.release(operation)
      case .next: control.releaseNext()
      case .all: control.releaseAll()
      case .allOfOperation: control.releaseAll(of: operation)
      case .rulesWithoutHold: control.use(DeliveryRules())
      }
    }
    held.client.post(Self.query)
    _ = try await held.client.read(through: #""data":{"c":3}"#)
    gate.open()
    _ = try await held.client.read(through: Self.end)
    let exchange = try await held.fixture.log.exchange()
    #expect(exchange.end == .complete)
    for payload in [Self.first, middle, Self.second] { #expect(exchange.responseBody.contains(payload)) }
  }

  @Test func `payloads wait on when rules that hold replace the rules`() async throws {
    let server = try ScriptedServer([.multipart([.text(Self.first), .text(Self.second)])])
    let held = try Held(to: server)
    held.client.post(Self.query)
    _ = try await held.fixture.log.held(2)
    var rules = held.control.rules
    rules.operations = ["Other"]
    held.control.use(rules)
    held.release(1)
    #expect(try await held.fixture.log.held(1).sent.contains(Self.first))
    held.release(1)
    #expect(try await held.client.read(through: Self.end).contains(Self.second))
  }

  @Test func `a response without parts is one payload`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#), .json(#"[{"data":{"a":1}},{"data":{"b":1}}]"#)])
    let held = try Held(to: server)
    for (body, answer) in [
      (Self.query, #"{"data":{"a":1}}"#),
      (#"[{"query":"{ a }"},{"query":"{ b }"}]"#, #"[{"data":{"a":1}},{"data":{"b":1}}]"#),
    ] {
      held.client.post(body)
      let exchange = try await held.fixture.log.held().exchange
      held.release(exchange)
      #expect(try await held.client.read(through: Self.end).contains(answer))
      #expect(try await held.fixture.log.exchange().end == .complete)
    }
  }

  @Test func `events and heartbeats of a stream are sent in order`() async throws {
    let events = ["data: {\"data\":{\"n\":1}}\n\n", "data: {}\n\n", ":\n\n", "event: complete\ndata:\n\n"]
    let server = try ScriptedServer([
      .response(headers: [("Content-Type", "text/event-stream")], [.text(events.joined())])
    ])
    let held = try Held(to: server)
    held.client.post(#"{"query":"subscription S { n }"}"#)
    #expect(try await held.fixture.log.held().sent == "")
    held.release(1)
    _ = try await held.client.read(through: Self.end)
    #expect(try await held.fixture.log.exchange().responseBody == events.joined())
  }

  @Test func `bodies that are not payloads do not wait`() async throws {
    let server = try ScriptedServer([
      .response(status: 502, headers: [("Content-Type", "text/html")], [.text("<html>")]),
      .response(
        headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], framing: .contentLength,
        [.bytes([0x1F, 0x8B, 0x08])]),
      .json(#"{"data":{"other":1}}"#),
    ])
    let held = try Held(to: server) { $0.operations = ["Q"] }
    held.client.post(Self.query)
    #expect(try await held.client.read(through: Self.end).hasSuffix("<html>\r\n0\r\n\r\n"))
    held.client.post(Self.query)
    _ = try await held.client.read(through: Self.end)
    held.client.post(#"{"query":"query Other { other }"}"#)
    #expect(try await held.client.response().body == #"{"data":{"other":1}}"#)
  }

  @Test(arguments: [true, false])
  func `an application that leaves cancels its operation at the server`(_ closes: Bool) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let held = try Held(to: server)
    held.client.post(Self.query)
    _ = try await held.fixture.log.held()
    if closes { held.client.leave() } else { held.client.endSending() }
    #expect(try await held.fixture.log.exchange().end == .cancelled)
    try await server.clientClosed()
  }

  @Test func `the end of the server's connection waits after the payload`() async throws {
    let server = try ScriptedServer([
      .response(
        headers: [("Content-Type", "application/json")], framing: .untilClose, [.text(#"{"data":{"a":1}}"#)])
    ])
    let held = try Held(to: server)
    held.client.post(Self.query)
    _ = try await held.fixture.log.held()
    held.release(1)
    #expect(try await held.client.readToEnd().hasSuffix("{\"data\":{\"a\":1}}\r\n0\r\n\r\n"))
    #expect(try await held.fixture.log.exchange().end == .complete)
  }

  @Test(arguments: [true, false])
  func `a connection that the server breaks is broken after the payload`(_ isReset: Bool) async throws {
    let gate = Gate()
    let server = try ScriptedServer([.multipart([.text(Self.first), .hold(gate), isReset ? .reset : .close])])
    let held = try Held(to: server)
    held.client.post(Self.query)
    _ = try await held.fixture.log.held()
    gate.open()
    held.release(1)
    let error = await #expect(throws: WireClient.Failure.self) { try await held.client.readToEnd() }
    guard case .reset(let received)? = error else {
      Issue.record("the connection was not reset")
      return
    }
    #expect(received.hasSuffix(Self.afterFirst))
    guard case .failed = try await held.fixture.log.exchange().end else {
      Issue.record("the exchange counts as complete")
      return
    }
  }

  @Test func `operations are released separately`() async throws {
    let server = try ScriptedServer { request, _ in .json(#"{"data":"\#(request.target)"}"#) }
    let held = try Held(to: server)
    let other = try held.fixture.client()
    held.client.post(Self.query, path: "/1")
    _ = try await held.fixture.log.held()
    other.post(Self.query, path: "/2")
    let second = try await held.fixture.log.held().exchange
    held.release(second)
    _ = try await other.read(through: Self.end)
    let ended = try await held.fixture.log.exchange()
    #expect(ended.end == .complete && ended.responseBody == #"{"data":"/2"}"#)
    held.release(1)
    #expect(try await held.client.read(through: Self.end).contains("/1"))
  }

  @Test func `a server that sends more than waits is slowed down`() async throws {
    let payload = "{\"data\":\"\(String(repeating: "a", count: 1 << 20))\",\"hasNext\":true}"
    let parts = Array(repeating: ScriptedAnswer.Piece.text(payload), count: 20)
    let server = try ScriptedServer([.multipart(parts + [.text(#"{"hasNext":false}"#)])])
    let held = try Held(to: server)
    held.client.post(Self.query)
    // The system's buffers take about 10 MB.
    #expect(try await server.heldBack() < 16 << 20)
    held.control.releaseAll()
    _ = try await held.client.read(through: "\r\n\r\n")
    _ = try await held.client.read(count: 20 << 20)
    _ = try await held.client.read(through: Self.end)
    #expect(try await held.fixture.log.exchange().end == .complete)
  }

  @Test func `stopping breaks the connection`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let held = try Held(to: server)
    held.client.post(Self.query)
    _ = try await held.client.read(through: "\r\n\r\n")
    _ = try await held.fixture.log.held()
    held.fixture.relay.stop()
    let error = await #expect(throws: WireClient.Failure.self) { try await held.client.readToEnd() }
    guard case .reset("")? = error else {
      Issue.record("the application takes the end for that of the response: \(String(describing: error))")
      return
    }
    #expect(try await held.fixture.log.exchange().end == .failed("apus tap was stopped"))
  }

  @Test func `a payload that is released waits for its delay`() {
    var outbox = Outbox()
    let now = ContinuousClock.now
    outbox.add([.init(delay: .seconds(2), bytes: [1], isHeld: true), .init(delay: .zero, bytes: [2])], at: now)
    #expect(outbox.heldCounts == [nil: 1] && outbox.untilNext == nil)
    #expect(outbox.takeReady(at: now + .seconds(3)).isEmpty)
    outbox.release(nil)
    #expect(outbox.heldCounts.isEmpty && outbox.untilNext != nil)
    #expect(outbox.takeReady(at: now + .seconds(1)).isEmpty)
    #expect(outbox.takeReady(at: now + .seconds(2)) == [[1], [2]])
    outbox.release(nil)
    #expect(outbox.isEmpty)
  }

  @Test func `a payload is released while the one before it is delayed`() {
    var outbox = Outbox()
    let now = ContinuousClock.now
    outbox.add((1...3).map { .init(delay: .seconds(1), bytes: [$0], isHeld: true) }, at: now)
    for count in [2, 1] {
      outbox.release(nil)
      #expect(outbox.heldOperations == [nil] && outbox.heldCounts == [nil: count])
    }
    #expect(outbox.takeReady(at: now).isEmpty)
    #expect(outbox.takeReady(at: now + .seconds(1)) == [[1], [2]])
    #expect(outbox.isHeld(nil) && outbox.untilNext == nil)
  }
}
