import ApusClientRequests
import ApusExplorerCore
import ApusExplorerTestSupport
import ApusSecrets
import Testing

/// The state of the Requests view in each situation.
@Suite struct RequestsViewTests {
  private static let url = "http://127.0.0.1:4001/graphql"

  /// Returns the state of an explorer that shows the requests of an application.
  static func state() -> ExplorerState {
    var state = BirdStation.state(query: "", variables: "")
    state.requests = RequestsFeature(url: url)
    _ = update(&state, .started)
    return state
  }

  static func request(
    _ number: Int, _ state: ObservedRequest.State = .complete, name: String = "Birds", minute: Int = 30,
    client: String = "ios 1.4"
  ) -> ObservedRequest {
    var request = ObservedRequest(
      number: number, time: ClockTime(hour: 10, minute: minute, second: number % 60, millisecond: 0), operation: name)
    (request.client, request.type, request.target, request.state) = (client, "query", "POST /graphql", state)
    return request
  }

  private static func receive(_ state: inout ExplorerState, _ requests: [ObservedRequest], other: Int = 0) {
    _ = update(&state, .requests(.changed(requests, skippedCount: 0, otherCount: other)))
  }

  private static func press(_ state: inout ExplorerState, _ commands: Command...) {
    for command in commands { _ = update(&state, .commandInvoked(command)) }
  }

  private static func type(_ state: inout ExplorerState, _ text: String) { _ = update(&state, .textTyped(text)) }

  private func numbers(_ state: ExplorerState) -> [Int]? { state.requests?.shown.map(\.number) }
  private func selected(_ state: ExplorerState) -> Int? { state.requests?.selected?.number }

  // MARK: Rows

  @Test func `the view opens with the explorer and watches the requests`() {
    var state = BirdStation.state(query: "", variables: "")
    state.requests = RequestsFeature(url: Self.url)
    let effects = update(&state, .started)
    #expect(state.popups.last?.state is RequestsPopup)
    #expect(effects.contains(.requests(.watch)))
    let lines = screen(state, 80, 24).joined(separator: "\n")
    #expect(lines.contains("No request has arrived.") && lines.contains(Self.url))
  }

  @Test func `without a tap the view has a reason`() {
    var state = BirdStation.state()
    Self.press(&state, .showRequests)
    #expect(state.popups.isEmpty)
    #expect(state.screen.notice?.text == "'apus tap URL' shows the requests of an application")
  }

  @Test func `a request changes its row from its start to its end`() {
    var state = Self.state()
    var request = Self.request(1, .running)
    Self.receive(&state, [request])
    #expect(state.requests?.runningCount == 1)
    request.payloadCount = 1
    request.firstPayload = .milliseconds(36)
    Self.receive(&state, [request])
    for end in [ObservedRequest.State.complete, .failed("the connection broke"), .cancelled] {
      request.state = end
      Self.receive(&state, [request], other: 2)
      #expect(state.requests?.rows == [request])
      #expect(state.requests?.runningCount == 0 && state.requests?.otherCount == 2)
      #expect(screen(state, 80, 24).joined().contains(end.name))
    }
    let lines = screen(state, 80, 24).joined()
    #expect(lines.contains("1 request, 2 not GraphQL"))
  }

  @Test func `a failure shows its reason and a conflict both names`() {
    var state = Self.state()
    Self.receive(&state, [Self.request(1, .failed("the connection broke"))])
    #expect(screen(state, 80, 24).joined().contains("the connection broke"))
    let words = "query Header and query Profile take each other's fields, such as QUERY_ROOT.menu: select 'id'"
    _ = update(&state, .requests(.conflictFound(words)))
    #expect(state.screen.notice?.text == "Conflict: \(words)")
    #expect(screen(state, 80, 24).joined().contains("1 request, 1 conflict"))
    Self.press(&state, .listConflicts)
    #expect(screen(state, 120, 24).joined().contains("query Header and query Profile"))
  }

  @Test func `requests beyond the limit are dropped, oldest ended first`() {
    var state = Self.state()
    let limit = RequestsFeature.limit
    Self.receive(&state, [Self.request(1, .running)] + (2...limit + 3).map { Self.request($0) })
    #expect(state.requests?.rows.count == limit && state.requests?.droppedCount == 3)
    #expect(numbers(state)?.prefix(2) == [1, 5])
    // A change of a dropped request does not bring it back.
    Self.receive(&state, [Self.request(2)])
    #expect(numbers(state)?.prefix(2) == [1, 5])
    // If all are running, the oldest are dropped.
    Self.receive(&state, (limit + 4...2 * limit + 10).map { Self.request($0, .running) })
    #expect(state.requests?.rows.count == limit)
    #expect(numbers(state)?.first == limit + 11)
    _ = update(&state, .requests(.changed([], skippedCount: 5, otherCount: 0)))
    #expect(state.requests?.droppedCount == limit + 15)
  }

  // MARK: Selection

  @Test func `the selection follows the newest request until it is moved`() {
    var state = Self.state()
    Self.receive(&state, (1...3).map { Self.request($0) })
    #expect(selected(state) == 3)
    Self.receive(&state, [Self.request(4)])
    #expect(selected(state) == 4)
    Self.press(&state, .popupUp)
    Self.receive(&state, [Self.request(5)])
    #expect(selected(state) == 3)
    Self.press(&state, .popupFirst)
    #expect(selected(state) == 1)
    Self.press(&state, .popupUp)
    #expect(selected(state) == 1)
    Self.press(&state, .popupDown)
    Self.receive(&state, [Self.request(6)])
    #expect(selected(state) == 2)
    Self.press(&state, .popupLast)
    Self.receive(&state, [Self.request(7)])
    #expect(selected(state) == 7)
  }

  @Test func `the selection goes to the next request if the filter hides it`() {
    var state = Self.state()
    Self.receive(&state, [Self.request(1), Self.request(2, name: "Menu"), Self.request(3)])
    Self.press(&state, .popupUp, .filterRequests)
    Self.type(&state, "birds")
    #expect(numbers(state) == [1, 3] && selected(state) == 3)
    Self.press(&state, .popupClose)
    #expect(numbers(state) == [1, 2, 3] && selected(state) == 2)
  }

  @Test func `the view keeps its filter and selection while it is closed`() {
    var state = Self.state()
    Self.receive(&state, [Self.request(1), Self.request(2, name: "Menu"), Self.request(3)])
    Self.press(&state, .filterRequests)
    Self.type(&state, "birds")
    Self.press(&state, .popupAccept, .popupFirst, .showRequests)
    #expect(state.popups.isEmpty)
    Self.receive(&state, [Self.request(4), Self.request(5, name: "Menu")])
    Self.press(&state, .showRequests)
    #expect(numbers(state) == [1, 3, 4] && selected(state) == 1)
    // Esc clears the filter before it closes the view.
    Self.press(&state, .popupClose)
    #expect(numbers(state) == [1, 2, 3, 4, 5])
    Self.press(&state, .popupClose)
    #expect(state.popups.isEmpty)
  }

  @Test(arguments: [
    ("", [1, 2, 3, 4]), ("birds", [1, 4]), ("BIR", [1, 4]), ("query menu", [2]), ("broke", [3]),
    ("/graphql", [1, 2, 3, 4]),
    ("operation:menu", [2]), ("client:android", [3]), ("ios", [1, 2, 4]), ("state:failed", [3]), ("state:run", [4]),
    ("state:complete birds", [1]), ("from:10:31", [3, 4]), ("to:10:31", [1, 2]), ("from:10:30:02 to:10:31:04", [2, 3]),
    ("from:10", [1, 2, 3, 4]), ("from:25:00", [1, 2, 3, 4]), ("from:later", [1, 2, 3, 4]), ("nothing", []),
    ("unknown:word", []),
  ])
  func `a filter shows the requests that match each word`(_ text: String, _ expected: [Int]) {
    var state = Self.state()
    Self.receive(
      &state,
      [
        Self.request(1), Self.request(2, name: "Menu"),
        Self.request(3, .failed("the connection broke"), name: "Owls", minute: 31, client: "android"),
        Self.request(4, .running, minute: 31),
      ])
    Self.press(&state, .filterRequests)
    Self.type(&state, text)
    #expect(numbers(state) == expected)
    if expected.isEmpty { #expect(screen(state, 80, 24).joined().contains("No request matches the filter.")) }
    let lines = screen(state, 80, 24).joined()
    #expect(lines.contains("\(expected.count) of 4"))
  }

  @Test(arguments: [(200, 60), (120, 40), (80, 24), (60, 15), (40, 10)])
  func `the selected request is visible at each size`(_ width: Int, _ height: Int) {
    var state = Self.state()
    Self.receive(&state, (1...90).map { Self.request($0, name: "Operation\($0)") })
    for command in [Command.popupLast, .popupPageUp, .popupPageUp, .popupFirst, .popupPageDown] {
      Self.press(&state, command)
      let name = "Operation\(selected(state) ?? 0)"
      #expect(screen(state, width, height).contains { $0.contains(name) }, "\(command)")
    }
  }

  // MARK: Opening

  private static let draft = RequestDraft(
    headers: [.init(name: "Authorization", untrusted: "Bearer secret-of-the-app")], query: "query Birds {\n  birds\n}")

  /// Returns the state with the request of number 7 in a tab.
  private static func opened() -> ExplorerState {
    var state = state()
    receive(&state, [request(7, .running)])
    #expect(update(&state, .commandInvoked(.popupAccept)).contains(.requests(.open(7))))
    _ = update(&state, .requests(.opened(7, draft)))
    return state
  }

  @Test func `an opened request is a tab that shows the response and sends nothing`() throws {
    var state = Self.state()
    Self.receive(&state, [Self.request(7, .running)])
    let effects = update(&state, .requests(.opened(7, Self.draft)))
    #expect(state.popups.isEmpty)
    let run = try #require(state.tab.response.run)
    #expect(run.request?.observed == 7)
    #expect(
      effects.contains { if case .run(run.id, .start(let request)) = $0 { request.observed == 7 } else { false } })
    #expect(!effects.contains(.run(run.id, .startClock)))
    #expect(state.tabs.title(of: state.tabs.shownIndex) == "#7")
    let results: [Action] = [
      .run(run.id, .started(BirdStation.operation)), .run(run.id, .resultReceived(BirdStation.initial)),
      .run(run.id, .completed),
    ]
    let ended = results.flatMap { update(&state, $0) }
    #expect(!ended.contains { if case .history = $0 { true } else { false } })
    let lines = screen(state, 120, 40).joined()
    #expect(lines.contains("application's request 7") && lines.contains("Falsterbo"))
    #expect(!lines.contains("secret-of-the-app"))
  }

  @Test func `a request that a tab shows is opened again there`() {
    var state = Self.opened()
    let tab = state.tabs.shownIndex
    Self.press(&state, .newTab, .showRequests)
    #expect(!update(&state, .commandInvoked(.popupAccept)).contains(.requests(.open(7))))
    #expect(state.tabs.shownIndex == tab && state.popups.isEmpty)
    // An answer that comes late does not open it twice.
    let count = state.tabs.count
    _ = update(&state, .requests(.opened(7, Self.draft)))
    #expect(state.tabs.count == count)
  }

  @Test func `running the request asks before it sends the application's headers`() throws {
    var state = Self.opened()
    let effects = update(&state, .commandInvoked(.runOperation))
    #expect(!effects.contains { if case .run(_, .start) = $0 { true } else { false } })
    let question = try #require(state.popups.last?.state as? ConfirmationPopup)
    #expect(question.question == "Send the 1 header to http://localhost:4000?")
    #expect(question.lines == ["Authorization: •••  (sent by the application to http://localhost:4000)"])
    #expect(question.detail.hasPrefix("You did not enter these headers; the application sent them."))
    guard case .send(let refusal)? = question.refusal else {
      Issue.record("there is no refusal")
      return
    }
    let sent = update(&state, refusal)
    let request = sent.compactMap { effect -> RunRequest? in
      if case .run(_, .start(let request)) = effect { request } else { nil }
    }.first
    #expect(request?.observed == nil && request?.headers.isEmpty == true)
    #expect(state.tab.response.observedRequest == nil)
  }

  @Test func `canceling stops to follow the response, without an entry in the history`() throws {
    var state = Self.opened()
    let id = try #require(state.tab.response.run?.id)
    let effects = update(&state, .commandInvoked(.cancel))
    #expect(effects.contains(.run(id, .cancel)))
    #expect(!effects.contains { if case .history = $0 { true } else { false } })
    #expect(state.screen.notice?.text == "The response is not followed any more; the application's request continues")
  }

  // MARK: Held payloads

  @Test func `keys release the payloads of the selected request and of the tab's request`() {
    var state = Self.opened()
    var held = Self.request(7, .running)
    #expect(state.reason(against: .releasePayload) == "Payloads do not wait: h in the list of requests holds them")
    Self.press(&state, .showRequests)
    #expect(update(&state, .commandInvoked(.holdPayloads)).contains(.requests(.hold(true))))
    #expect(state.requests?.holds == true)
    #expect(state.reason(against: .releasePayload) == "No payload of request 7 waits")
    held.heldCount = 2
    Self.receive(&state, [held, Self.request(8)])
    #expect(screen(state, 120, 24).joined().contains("held 2"))
    // The newest one is selected, which has ended.
    #expect(state.reason(against: .releasePayload) == "No payload of request 8 waits")
    Self.press(&state, .popupUp)
    #expect(update(&state, .commandInvoked(.releasePayload)).contains(.requests(.release(7, all: false))))
    #expect(update(&state, .commandInvoked(.releaseResponse)).contains(.requests(.release(7, all: true))))
    Self.press(&state, .popupClose)
    #expect(update(&state, .commandInvoked(.releasePayload)).contains(.requests(.release(7, all: false))))
    Self.press(&state, .newTab)
    #expect(state.reason(against: .releasePayload) == "The tab shows no request of the application")
    #expect(update(&state, .commandInvoked(.holdPayloads)).contains(.requests(.hold(false))))
  }

  // MARK: Rules

  private static func rules(_ state: ExplorerState) -> RulesPopup? { state.popups.last?.state as? RulesPopup }
  private static func texts(_ state: ExplorerState) -> [String]? { rules(state)?.rows.map(\.text) }

  @Test func `rules are typed one in each row, and used together`() {
    var state = Self.state()
    Self.press(&state, .editRules)
    #expect(Self.texts(state) == [""])
    Self.type(&state, "delay 2s")
    #expect(Self.texts(state) == ["delay 2s", ""])
    Self.press(&state, .popupDown, .popupDown)
    Self.type(&state, "drop label=a")
    let effects = update(&state, .commandInvoked(.popupAccept))
    #expect(effects == [.requests(.use(["delay 2s", "drop label=a", ""]))])
    #expect(state.requests?.rules == [])
    _ = update(&state, .requests(.rulesUsed(["delay 2s", "drop label=a"])))
    #expect(state.popups.last?.state is RequestsPopup)
    #expect(state.screen.notice?.text == "Rules of new requests: delay 2s; drop label=a")
    #expect(screen(state, 120, 24).joined().contains("0 requests, rules: delay 2s; drop label=a"))
    // The rules in use are in the rows.
    Self.press(&state, .editRules)
    #expect(Self.texts(state) == ["delay 2s", "drop label=a", ""])
    // Without any, no rule is left.
    Self.press(&state, .popupUp, .deleteToLineStart, .popupUp, .deleteToLineStart)
    #expect(update(&state, .commandInvoked(.popupAccept)) == [.requests(.use(["", "", ""]))])
    _ = update(&state, .requests(.rulesUsed([])))
    #expect(state.requests?.rules == [] && state.screen.notice?.text == "No rule changes new requests")
    #expect(!screen(state, 120, 24).joined().contains("rules:"))
  }

  @Test func `a row that is not a rule is selected with its reason, and the rules in use stay`() {
    var state = Self.state()
    _ = update(&state, .requests(.rulesUsed(["hold"])))
    Self.press(&state, .editRules, .popupUp)
    Self.type(&state, "ing")
    Self.press(&state, .popupDown)
    Self.type(&state, "delay 2s")
    _ = update(&state, .requests(.rulesRefused(line: 0, "a rule begins with delay")))
    #expect(Self.rules(state)?.list.selected == 0 && Self.rules(state)?.problem == "a rule begins with delay")
    let lines = screen(state, 80, 24).joined()
    #expect(lines.contains("holding") && lines.contains("a rule begins with delay"))
    #expect(state.requests?.rules == ["hold"])
    // A change removes the reason.
    Self.press(&state, .deleteBackward)
    #expect(Self.rules(state)?.problem == nil)
    Self.press(&state, .popupClose)
    #expect(state.requests?.rules == ["hold"] && state.popups.last?.state is RequestsPopup)
    // A reason that comes after the popup was closed changes nothing.
    _ = update(&state, .requests(.rulesRefused(line: 0, "late")))
    #expect(state.popups.last?.state is RequestsPopup)
  }

  @Test func `rows are removed, clicked and pasted`() {
    var state = Self.state()
    Self.press(&state, .editRules)
    _ = update(&state, .textPasted("delay 1s\nstatus 503\n"))
    #expect(Self.texts(state) == ["delay 1s", "status 503", ""] && Self.rules(state)?.list.selected == 2)
    // Backspace in the last row goes up, and removes no row.
    Self.press(&state, .deleteBackward)
    #expect(Self.texts(state)?.count == 3 && Self.rules(state)?.list.selected == 1)
    Self.press(&state, .popupUp, .deleteToLineStart, .deleteBackward)
    #expect(Self.texts(state) == ["status 503", ""] && Self.rules(state)?.list.selected == 0)
    Self.press(&state, .deleteToLineStart, .deleteBackward, .deleteBackward)
    #expect(Self.texts(state) == [""])
  }

  @Test(arguments: [(200, 60), (80, 24), (60, 15), (40, 10)])
  func `the selected rule is visible at each size`(_ width: Int, _ height: Int) {
    var state = Self.state()
    _ = update(&state, .requests(.rulesUsed((1...40).map { "delay label=a\($0):2s" })))
    Self.press(&state, .editRules, .popupUp)
    #expect(screen(state, width, height).contains { $0.contains("a40:2s") })
    for _ in 1..<40 { Self.press(&state, .popupUp) }
    #expect(screen(state, width, height).contains { $0.contains("a1:2s") })
  }

  @Test func `h adds and removes the rule that holds, and leaves the others`() {
    var state = Self.state()
    _ = update(&state, .requests(.rulesUsed(["delay 2s", "for Birds"])))
    #expect(update(&state, .commandInvoked(.holdPayloads)).contains(.requests(.hold(true))))
    #expect(state.requests?.rules == ["delay 2s", "for Birds", "hold"] && state.requests?.holds == true)
    #expect(
      state.screen.notice?.text
        == "Payloads of new requests for Birds wait: Space releases the next one, a the whole response")
    #expect(screen(state, 120, 24).joined().contains("payloads wait, rules: delay 2s; for Birds"))
    // Rules without hold release what waits.
    _ = update(&state, .requests(.rulesUsed(["delay 2s"])))
    #expect(state.requests?.holds == false)
    #expect(state.screen.notice?.text == "Rules of new requests: delay 2s; released everything")
    _ = update(&state, .requests(.rulesUsed(["hold", "for Birds"])))
    #expect(update(&state, .commandInvoked(.holdPayloads)).contains(.requests(.hold(false))))
    // The restriction has no effect without a rule, and returns with the next one.
    #expect(state.requests?.rules == ["for Birds"] && state.requests?.rulesSummary == nil)
    Self.press(&state, .holdPayloads)
    #expect(state.requests?.rulesSummary == "for Birds")
  }

  @Test func `the endpoint of the application stays open without a tab`() {
    var state = Self.state()
    let opening = update(&state, .endpointConfirmed("live", tab: state.tabs.shown.id))
    guard case .at(let id, _)? = opening.first else {
      Issue.record("no endpoint is opened")
      return
    }
    let effects = update(
      &state, .from(id, .connected(EndpointChoice(name: "live", url: "https://live.example/graphql"))))
    #expect(!effects.contains(.at(.first, .endpoint(.close))))
  }
}
