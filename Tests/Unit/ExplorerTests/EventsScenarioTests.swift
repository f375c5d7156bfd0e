import ApusClientCache
import ApusClientCore
import ApusClientSubscriptions
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusTestSupport
import Testing

/// The event list of a subscription: following, pausing, filtering, opening and clearing.
@Suite(.timeLimit(.minutes(1))) struct EventsScenarioTests {
  /// A station that sends three events, two more when the first gate opens, and completes when the second gate opens.
  private struct Station {
    let more = Gate()
    let end = Gate()
    var opening = Self.event("Dag", 1) + Self.event("Eli", 2) + Self.event("Dagny", 3)

    var answer: ScriptedAnswer {
      .response(
        headers: [("Content-Type", "text/event-stream")],
        [.text(opening), .hold(more)]
          + [.text(Self.event("Finn", 4) + Self.failed), .hold(end), .text("event: complete\n\n")])
    }

    static func event(_ name: String, _ id: Int) -> String {
      "event: next\ndata: {\"data\":{\"seen\":{\"__typename\":\"Bird\",\"id\":\"\(id)\",\"name\":\"\(name)\"}}}\n\n"
    }

    static let failed = "event: next\ndata: {\"data\":{\"seen\":null},\"errors\":[{\"message\":\"fog\"}]}\n\n"
  }

  private func listen(
    _ station: Station = Station(), _ drive: (ExplorerDriver, Station) async throws -> Void
  ) async throws {
    try await listen(to: [station.answer]) { driver in
      await driver.waitForScreen("3 events")
      try await drive(driver, station)
    }
  }

  private func listen(to answers: [ScriptedAnswer], _ drive: (ExplorerDriver) async throws -> Void) async throws {
    let server = try ScriptedServer(answers)
    var options = SubscriptionOptions()
    options.transport = .serverSentEvents
    options.sleep = { _ in }
    try await listen(to: server.url, options, drive)
    server.stop()
  }

  private func listen(
    to url: String, _ options: SubscriptionOptions, _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    struct NoSchema: Error {}
    let client = GraphQLClient(url: url, store: CacheStore(), subscriptions: options)
    let live = LiveEnvironment(client: client, schema: { throw NoSchema() })
    let environment = live.environment
    let state = ExplorerState(endpoint: url, query: "subscription Seen { seen { id name } }")
    let driver = await ExplorerDriver(state: state, environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    await driver.pressWithoutWaiting("F5 Alt-3")
    try await drive(driver)
    await driver.quit()
  }

  /// Returns the texts of the listed events.
  private func rows(_ driver: ExplorerDriver) async -> [String] {
    await driver.state.tab.response.reading.events?.shown.map(\.text) ?? []
  }

  @Test func `events are listed as they arrive, and the newest stays selected`() async throws {
    try await listen { driver, station in
      #expect(await rows(driver).first == #"seen: {id: "1", name: "Dag"}"#)
      #expect(await driver.state.tab.response.reading.events?.selected?.text == #"seen: {id: "3", name: "Dagny"}"#)
      station.more.open()
      await driver.waitForScreen("5 events")
      #expect(await driver.screen.contains("✗ seen: null"))
      #expect(await driver.state.tab.response.reading.events?.selected?.payloadIndex == 4)
      await driver.pressWithoutWaiting("Home")
      station.end.open()
      await driver.waitForIdle()
      #expect(await driver.screen.contains("● complete"))
      #expect(await driver.state.tab.response.reading.events?.selected?.payloadIndex == 0)
    }
  }

  @Test func `an event with errors beside data of the wrong kind is one event with an error`() async throws {
    let events = "event: next\ndata: {\"data\":[],\"errors\":[{\"message\":\"fog\"}]}\n\n" + Station.event("Dag", 1)
    let answer = ScriptedAnswer.response(
      headers: [("Content-Type", "text/event-stream")], [.text(events + "event: complete\ndata:\n\n")])
    try await listen(to: [answer]) { driver in
      await driver.waitForScreen("2 events")
      await driver.waitForIdle()
      let texts = await rows(driver)
      #expect(texts.count == 2 && texts[0].contains("fog") && texts[1].contains("Dag"))
    }
  }

  @Test func `an open event stays visible while new events arrive`() async throws {
    try await listen { driver, station in
      await driver.pressWithoutWaiting("Up Enter")
      await driver.waitForScreen("event 2 of 3")
      #expect(await driver.screen.contains(#"name: "Eli""#))
      station.more.open()
      await driver.waitForScreen("event 2 of 5")
      #expect(await driver.screen.contains(#"name: "Eli""#))
      await driver.pressWithoutWaiting("]")
      await driver.waitForScreen(#"name: "Dagny""#)
      // Esc closes the event; the subscription continues.
      await driver.pressWithoutWaiting("Esc")
      await driver.waitForScreen("5 events")
      #expect(await driver.state.tab.response.run?.isActive == true)
      await driver.pressWithoutWaiting("Home r")
      await driver.waitForScreen(#""name": "Dag""#)
      #expect(await !driver.screen.contains("__typename"))
    }
  }

  @Test func `the newest event is shown while others arrive, and the status says so`() async throws {
    try await listen { driver, station in
      await driver.pressWithoutWaiting("Up Enter }")
      await driver.waitForScreen("event 3, live")
      station.more.open()
      await driver.waitForScreen("event 5, live")
    }
  }

  @Test func `a paused list is unchanged, and continues with the waiting events`() async throws {
    try await listen { driver, station in
      await driver.pressWithoutWaiting("Space")
      await driver.waitForScreen("3 events, paused")
      station.more.open()
      await driver.waitForScreen("2 wait")
      #expect(await !driver.screen.contains("Finn"))
      await driver.pressWithoutWaiting("Space")
      await driver.waitForScreen("5 events")
      #expect(await driver.screen.contains("Finn"))
    }
  }

  @Test func `events are filtered while typing and as they arrive`() async throws {
    try await listen { driver, station in
      await driver.pressWithoutWaiting("/ d a g")
      await driver.waitForScreen("2 of 3")
      #expect(await rows(driver).count == 2)
      station.more.open()
      await driver.waitForScreen("2 of 5")
      await driver.pressWithoutWaiting("Enter Esc")
      await driver.waitForScreen("Finn")
      #expect(await driver.state.tab.response.run?.isActive == true)
    }
  }

  @Test func `the filter searches the complete event`() async throws {
    func long(_ id: Int, _ last: String) -> String {
      let kin = (1...400).map { #"{"id":"k\#($0)","name":"one of many"}"# }.joined(separator: ",")
      let bird = #"{"__typename":"Bird","id":"\#(id)","name":"Dag","kin":[\#(kin)],"ring":"\#(last)"}"#
      return "event: next\ndata: {\"data\":{\"seen\":\(bird)}}\n\n"
    }
    var station = Station()
    station.opening = long(1, "needle") + long(2, "hay") + long(3, "Needle")
    try await listen(station) { driver, station in
      await driver.pressWithoutWaiting("/ n e e d l e")
      await driver.wait { $0.tab.response.reading.events?.shown.map(\.payloadIndex) == [0, 2] }
      await driver.pressWithoutWaiting("Home x")
      await driver.waitForScreen("No event matches")
      await driver.pressWithoutWaiting("Ctrl-K Ctrl-U N e e")
      await driver.wait { $0.tab.response.reading.events?.shown.map(\.payloadIndex) == [2] }
      // The filter also searches error messages.
      await driver.pressWithoutWaiting("Ctrl-U f o g")
      station.more.open()
      await driver.wait { $0.tab.response.reading.events?.shown.map(\.payloadIndex) == [4] }
      #expect(await driver.screen.contains("1 of 5"))
      // Fields that were added for the cache are not searched.
      await driver.pressWithoutWaiting("Ctrl-U _ _ t y")
      await driver.waitForScreen("No event matches")
    }
  }

  @Test func `clearing removes the listed events, and new ones are listed`() async throws {
    try await listen { driver, station in
      await driver.pressWithoutWaiting("X")
      await driver.waitForScreen("waiting for an event")
      station.more.open()
      await driver.waitForScreen("2 events")
      #expect(await rows(driver).first == #"seen: {id: "4", name: "Finn"}"#)
      await driver.pressWithoutWaiting("Home c")
      await driver.wait { $0.typing.clipboard.contains("Finn") }
      #expect(
        await driver.state.typing.clipboard == "{\n  \"seen\": {\n    \"id\": \"4\",\n    \"name\": \"Finn\"\n  }\n}")
    }
  }

  @Test func `a WebSocket closed before complete is lost, with its code and reason`() async throws {
    let server = try await PythonServer.start(.websockets)
    var options = SubscriptionOptions()
    options.transport = .webSocket
    options.sleep = { _ in }
    options.reconnection.maximumAttempts = 1
    try await listen(to: server.url + "/close/1000", options) { driver in
      await driver.waitForScreen("⊣ connection lost (1000: as asked)")
      #expect(await !driver.screen.contains("complete"))
      #expect(await driver.screen.contains("2 events"))
      await driver.waitForScreen("given up after 1 attempt to connect again")
      #expect(await driver.state.tab.response.runState == .cut)
    }
  }

  @Test func `a stream that ends before complete is a lost connection`() async throws {
    let answer = ScriptedAnswer.response(
      headers: [("Content-Type", "text/event-stream")], [.text(Station.event("Dag", 1))])
    try await listen(to: [answer]) { driver in
      await driver.waitForScreen("⊣ connection lost")
      #expect(await !driver.screen.contains("● complete"))
    }
  }

  @Test func `the payloads of one event are one event`() async throws {
    let payloads = [
      #"{"data":{"seen":{"__typename":"Bird","id":"1"}},"hasNext":true}"#,
      #"{"incremental":[{"path":["seen"],"data":{"name":"Dag"},"errors":[{"message":"fog"}]}],"hasNext":true}"#,
      #"{"hasNext":false}"#, #"{"data":{"seen":{"__typename":"Bird","id":"2","name":"Finn"}}}"#,
    ]
    let answer = ScriptedAnswer.response(
      headers: [("Content-Type", "text/event-stream")],
      payloads.map { .text("event: next\ndata: \($0)\n\n") } + [.text("event: complete\n\n")])
    try await listen(to: [answer]) { driver in
      await driver.waitForScreen("2 events")
      #expect(await rows(driver) == [#"seen: {id: "1", name: "Dag"}"#, #"seen: {id: "2", name: "Finn"}"#])
      let run = await driver.state.tab.response.run
      #expect(run?.eventCount == 2)
      #expect(run?.failedEvents == 1)
    }
  }

  @Test func `the reason for a refused subscription is shown`() async throws {
    let refusal = ScriptedAnswer.response(
      headers: [("Content-Type", "text/event-stream")], [.text("data: {\"errors\":[{\"message\":\"no entry\"}]}\n\n")])
    try await listen(to: [refusal]) { driver in
      await driver.waitForIdle()
      #expect(await driver.screen.contains("no entry"))
      #expect(await !driver.screen.contains("connection lost"))
    }
  }

  /// The connection ends after two events; events before the next connection are missed.
  @Test func `a lost connection is marked between its events and in the traffic`() async throws {
    let end = Gate()
    let head = [("Content-Type", "text/event-stream")]
    let answers: [ScriptedAnswer] = [
      .response(headers: head, [.text(Station.event("Dag", 1) + Station.event("Eli", 2))]),
      .response(
        headers: head,
        [.text(Station.event("Finn", 4) + Station.event("Gro", 5)), .hold(end), .text("event: complete\n\n")]),
    ]
    try await listen(to: answers) { driver in
      await driver.waitForScreen("4 events")
      await driver.waitForScreen("reconnected  seen")
      let marked = await driver.lines.filter { $0.contains("reconnected") }
      #expect(marked.count == 1)
      #expect(marked.first?.contains(#"seen: {id: "4""#) == true)
      end.open()
      await driver.waitForIdle()
      await driver.press("F9")
      #expect(await driver.screen.contains("connection lost    1 time"))
      var lines = await driver.lines
      for _ in 0..<8 {
        await driver.press("PageDown")
        lines += await driver.lines
      }
      let lost = try #require(lines.firstIndex { $0.contains("── connection lost") && $0.contains("reconnected") })
      let part = { (number: Int) in lines.firstIndex { $0.contains("── payload \(number) ") } ?? 0 }
      #expect(part(2) < lost && lost < part(3))
    }
  }

  @Test func `a refused subscription is not complete`() async throws {
    let refusals: [(body: String, status: ResultStatus)] = [
      (#"{"errors":[{"message":"no stations"}]}"#, .failed),
      (#"{"errors":[{"message":"no stations"}],"data":null}"#, .null),
    ]
    for refusal in refusals {
      try await listen(to: [.json(refusal.body)]) { driver in
        await driver.waitForScreen("no stations")
        #expect(await driver.screen.contains("no stations"))
        await driver.waitForIdle()
        let state = await driver.state.tab.response.runState
        #expect(state == refusal.status, "\(String(describing: state))")
      }
    }
  }
}
