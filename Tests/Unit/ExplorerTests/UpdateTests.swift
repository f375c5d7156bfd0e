import ApusClientAPI
import ApusClientRequests
import ApusExplorerCore
import ApusExplorerText
import ApusJSON
import Testing

/// A state under test. Each action's effects and all changes of the state are asserted; nothing else may change.
struct StateTest {
  var state: ExplorerState

  mutating func send(
    _ action: Action, effects: [Effect] = [], sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout ExplorerState) -> Void = { _ in }
  ) {
    var expected = state
    let actual = update(&state, action)
    change(&expected)
    #expect(actual == effects, sourceLocation: sourceLocation)
    guard state != expected else { return }
    let parts = zip(Mirror(reflecting: state).children, Mirror(reflecting: expected).children)
    let differing = parts.filter { String(describing: $0.value) != String(describing: $1.value) }
      .map { "\($0.label ?? "?") is \($0.value), expected \($1.value)" }
    Issue.record("\(differing.joined(separator: "\n"))", sourceLocation: sourceLocation)
  }
}

@Suite struct UpdateTests {
  @Test func `completions arriving after a run are not shown`() {
    var state = ExplorerState(endpoint: "birds", query: "{ name")
    state.screen.focus = .query
    state.tab.editors.query.moveCursor(state.tab.editors.query.buffer.end)
    let place = state.tab.editors.query.cursor
    let proposals = ["name", "names"].map { Completion(label: $0, kind: "field", replaces: TextPosition(0, 2)..<place) }
    let late = Action.text(
      .completionsFound(proposals, .query, version: state.tab.editors.query.version, isAsked: false))
    var other = state
    _ = update(&other, late)
    #expect(!other.popups.isEmpty)
    _ = update(&state, .commandInvoked(.runOperation))
    _ = update(&state, late)
    #expect(state.popups.isEmpty)
  }

  @Test func `analysis of one tab is not applied to another`() {
    var state = ExplorerState(endpoint: "birds", query: "{ birds { name } }")
    state.screen.focus = .query
    let version = state.tab.editors.query.version
    _ = update(&state, .commandInvoked(.newTab))
    let editors = state.tab.editors
    let proposal = Completion(
      label: "birds", kind: "field", replaces: TextPosition(0, 2)..<TextPosition(0, 5))
    _ = update(&state, .text(.completionsFound([proposal], .query, version: version, isAsked: true)))
    _ = update(&state, .text(.formatted("{\n  birds {\n    name\n  }\n}\n", version: version)))
    _ = update(&state, .text(.analysed(.query, EditorAnalysis(version: version))))
    #expect(state.tab.editors == editors)
    #expect(state.popups.isEmpty)
  }

  private let request = RunRequest(
    id: 1, draft: RequestDraft(query: BirdStation.query, variables: "{\n  \"first\": 2\n}"))

  private var running: StateTest { StateTest(state: BirdStation.state(after: BirdStation.running)) }

  @Test func `a run goes from its key to its last payload`() {
    var test = StateTest(state: BirdStation.state())
    test.send(.commandInvoked(.runOperation), effects: [.run(1, .start(request)), .run(1, .startClock)]) {
      $0.tabs.lastRun = 1
      $0.tab.response.run = Run(id: 1)
      $0.tab.response.run?.request = request
      $0.tab.response.run?.endpoint = BirdStation.state().connection.endpoint
      $0.typing.versionWithoutProposals = $0.tab.editors.query.version
      $0.screen.recentPanes = [.query, .response, .variables, .headers, .deferred, .cache]
    }
    test.send(.run(1, .started(BirdStation.operation))) { $0.tab.response.run?.operation = BirdStation.operation }
    test.send(.run(1, .clockTicked(.milliseconds(5)))) {
      $0.screen.ticks = 1
      $0.tab.response.run?.elapsed = .milliseconds(5)
      $0.tab.response.run?.waited = .milliseconds(5)
    }
    let initial = BirdStation.initial
    test.send(.run(1, .resultReceived(initial))) {
      $0.tab.response.run?.phase = .receiving
      $0.tab.response.run?.payloadCount = 1
      $0.tab.response.run?.byteCount = 320
      $0.tab.response.run?.elapsed = .milliseconds(12)
      $0.tab.response.run?.fragments = initial.fragments
      $0.tab.response.payloads.add(initial)
      $0.tab.response.run?.lists = initial.lists
      $0.tab.response.tree.begin(BirdStation.operation)
      $0.tab.response.tree.show(
        ResponseTree.Content(data: initial.data, fragments: initial.fragments, changedPaths: []))
    }
    test.send(.run(1, .completed), effects: [.run(1, .stopClock), saved(.complete, test.state)]) {
      $0.tab.response.run?.phase = .complete
    }
  }

  /// Returns the effect that records a run in the history.
  /// The effect that records the run with everything that arrived.
  private func saved(_ status: HistoryEntry.Status, _ state: ExplorerState, failure: RunError? = nil) -> Effect {
    let run = state.tab.response.run
    let hasArrived = run?.payloadCount ?? 0 > 0
    var entry = HistoryEntry(
      operation: run?.operation?.title ?? "operation",
      request: RequestDraft(
        url: state.connection.endpoint, query: request.draft.query, variables: request.draft.variables),
      status: status, errorCount: run?.errors.count ?? 0, elapsed: run?.elapsed ?? .zero,
      byteCount: run?.byteCount ?? 0, response: hasArrived ? state.tab.response.tree.data : nil,
      hidden: hasArrived ? BirdStation.operation.hidden : nil)
    entry.errors = hasArrived ? run?.errors ?? [] : []
    entry.failure = failure
    return .history(.record(entry))
  }

  @Test func `a result of an older run is ignored`() {
    let second = RunRequest(id: 2, draft: request.draft)
    var test = running
    test.send(
      .commandInvoked(.runOperation),
      effects: [
        .run(1, .cancel), .run(1, .stopClock), saved(.cancelled, test.state), .run(1, .forget), .run(2, .start(second)),
        .run(2, .startClock),
      ]
    ) {
      $0.tabs.lastRun = 2
      $0.tab.response.run = Run(id: 2)
      $0.tab.response.payloads = PayloadHistory()
      $0.tab.response.run?.request = second
      $0.tab.response.run?.endpoint = BirdStation.state().connection.endpoint
    }
    test.send(.run(1, .resultReceived(BirdStation.second)))
    test.send(.run(1, .failed(RunError(.network, "late"))))
    test.send(.run(1, .completed))
  }

  @Test func `a failure keeps the received payloads`() {
    var test = running
    let failure = RunError(.network, "cut")
    test.send(.run(1, .failed(failure)), effects: [.run(1, .stopClock), saved(.failed, test.state, failure: failure)]) {
      $0.tab.response.run?.phase = .failed
      $0.tab.response.run?.failure = failure
    }
    #expect(!test.state.tab.response.tree.rows.isEmpty)
  }

  @Test func `running again keeps folds and rows`() {
    var test = running
    test.state.tab.response.tree.toggleFold(0)
    let rows = test.state.tab.response.tree.rows
    _ = update(&test.state, .commandInvoked(.runOperation))
    _ = update(&test.state, .run(2, .started(BirdStation.operation)))
    #expect(test.state.tab.response.tree.rows == rows)
    _ = update(&test.state, .run(2, .resultReceived(BirdStation.initial)))
    #expect(test.state.tab.response.tree.rows == rows)
    _ = update(&test.state, .commandInvoked(.runOperation))
    _ = update(&test.state, .run(3, .started(OperationInfo(name: "Other", kind: "query"))))
    _ = update(&test.state, .run(3, .resultReceived(BirdStation.initial)))
    #expect(test.state.tab.response.tree.rows.first?.isOpen == true)
  }

  @Test func `a cache change is read by every affected tab`() {
    var state = running.state
    _ = update(&state, .run(1, .completed))
    _ = update(&state, .commandInvoked(.newTab))
    state.tab.response.run = Run(id: 2)
    #expect(state.tabs.shownIndex == 1)
    let reads = update(&state, .cacheChanged(runs: [1, 2, 7])).filter {
      if case .run(_, .reread) = $0 { true } else { false }
    }
    #expect(reads == [.run(1, .reread), .run(2, .reread)])
    // A background tab receives its reread data.
    var read = BirdStation.initial
    read.data = .object([("birds", .null)])
    _ = update(&state, .run(1, .cacheRead(read, fetchesLoss: false)))
    #expect(state.tabs.all[0].content.response.tree.data == read.data)
    #expect(state.tabs.all[0].content.response.run?.rereads == 1 && state.tab.response.run?.rereads == 0)
  }

  @Test func `a click opens an event only in the focused pane`() {
    var state = running.state
    _ = update(&state, .run(1, .started(OperationInfo(name: "Seen", kind: "subscription"))))
    _ = update(&state, .run(1, .resultReceived(BirdStation.initial)))
    #expect(state.screen.focus == .query)
    _ = update(&state, .rowClicked(.response, row: 0, onFold: false))
    #expect(state.screen.focus == .response && state.tab.response.view == .events)
    _ = update(&state, .rowClicked(.response, row: 0, onFold: false))
    #expect(state.tab.response.reading.isEventOpen)
  }

  @Test func `matches can be visited in both directions`() {
    var state = running.state
    state.screen.focus = .response
    _ = update(&state, .commandInvoked(.searchResponse))
    let effects = update(&state, .textTyped("id"))
    let version = state.tab.response.reading.search.version
    #expect(effects.contains { if case .reading(.search("id", _, version)) = $0 { true } else { false } })
    let paths: [ResponsePath] = (0..<3).map { ["station", "birds", "edges", .index($0), "node", "id"] }
    _ = update(&state, .reading(.matchesFound(paths, isCut: false, version: version)))
    _ = update(&state, .commandInvoked(.promptAccept))
    let commands: [(Command, Int)] = [(.nextMatch, 1), (.nextMatch, 2), (.previousMatch, 1), (.previousMatch, 0)]
    for (command, index) in commands + [(.previousMatch, 2), (.nextMatch, 0)] {
      _ = update(&state, .commandInvoked(command))
      #expect(state.tab.response.reading.search.index == index)
    }
  }

  @Test func `panes can be visited in both directions`() {
    #expect(PaneID.walk == [.query, .variables, .headers, .response, .deferred, .cache])
    for pane in PaneID.allCases { #expect(pane.next(by: 1).next(by: -1) == pane) }
    #expect(PaneID.query.next(by: -1) == .cache && PaneID.headers.next(by: -1) == .variables)
  }

  @Test func `a subscription starts with the event list`() {
    var state = running.state
    state.screen.focus = .response
    _ = update(&state, .commandInvoked(.toggleRaw))
    #expect(state.tab.response.reading.raw != nil)
    _ = update(&state, .commandInvoked(.runOperation))
    _ = update(&state, .run(2, .started(OperationInfo(name: "Seen", kind: "subscription"))))
    _ = update(&state, .run(2, .resultReceived(BirdStation.initial)))
    #expect(state.tab.response.view == .events)
    // The key opens the selected event as text in any view.
    _ = update(&state, .commandInvoked(.toggleRaw))
    #expect(state.tab.response.reading.raw != nil && state.tab.response.reading.isEventOpen)
    _ = update(&state, .commandInvoked(.clearPresentation))
    #expect(state.tab.response.view == .tree)
    _ = update(&state, .commandInvoked(.clearPresentation))
    #expect(state.tab.response.view == .events)
  }

  @Test func `a query after a subscription is shown as tree`() {
    var state = running.state
    _ = update(&state, .run(1, .started(OperationInfo(name: "Seen", kind: "subscription"))))
    #expect(state.tab.response.view == .events)
    _ = update(&state, .commandInvoked(.runOperation))
    _ = update(&state, .run(2, .started(OperationInfo(name: "Birds", kind: "query"))))
    #expect(state.tab.response.view == .tree && state.tab.response.reading.events == nil)
  }

  @Test func `Ctrl-C copies, cancels or shows how to quit`() {
    var test = running
    test.state.tab.editors.query.selectAll()
    test.send(.commandInvoked(.copyOrCancel), effects: [.exchange(.putOnClipboard(BirdStation.query))]) {
      $0.typing.clipboard = BirdStation.query
    }
    test.send(.textCopied(BirdStation.query, .program("wl-copy"), reason: nil)) {
      $0.screen.notice = Notice("Copied 9 lines (wl-copy)")
    }
    let toTerminal: [Effect] = [.screen(.writeClipboard(BirdStation.query))]
    test.send(.textCopied(BirdStation.query, .terminal, reason: nil), effects: toTerminal) {
      $0.screen.notice = Notice("Copied 9 lines, if the terminal allows clipboard access")
    }
    test.send(.textCopied(BirdStation.query, .none, reason: nil)) {
      $0.screen.notice = Notice(
        "Not copied: the terminal has no clipboard, and tmux, wl-copy and xclip are not available", .warning)
    }
    test.state.tab.editors.query.moveCursor(.start)
    test.send(
      .commandInvoked(.copyOrCancel), effects: [.run(1, .cancel), .run(1, .stopClock), saved(.cancelled, test.state)]
    ) {
      $0.tab.response.run?.phase = .cancelled
      $0.screen.notice = Notice("Canceled")
    }
    test.send(.commandInvoked(.copyOrCancel)) {
      $0.screen.notice = Notice("There is no selection and no running request. Ctrl-Q quits")
    }
  }

  @Test func `escape closes the topmost popup without canceling`() {
    var test = running
    test.send(.commandInvoked(.showPalette)) { $0.popups = [Popup(PalettePopup(in: $0))] }
    test.send(.commandInvoked(.close)) { $0.popups = [] }
    test.send(.commandInvoked(.close)) { $0.screen.notice = Notice("Ctrl-C cancels the request") }
  }

  @Test func `runs of tabs that cannot be reopened are removed`() {
    var state = BirdStation.state()
    for number in 1...12 {
      _ = update(&state, .commandInvoked(.newTab))
      _ = update(&state, .textPasted("{ a\(number) }"))
      _ = update(&state, .commandInvoked(.runOperation))
      _ = update(&state, .run(number, .completed))
    }
    var forgotten: [Effect] = []
    for _ in 1...12 {
      forgotten += update(&state, .commandInvoked(.closeTab)).filter {
        if case .run(_, .forget) = $0 { true } else { false }
      }
    }
    // Ten closed tabs can be reopened; older ones are removed.
    #expect(forgotten == [.run(12, .forget), .run(11, .forget)])
    #expect(state.tabs.closed.count == 10)
  }

  @Test func `an eviction is confirmed applied and reread`() {
    var test = running
    _ = update(&test.state, .run(1, .completed))
    let record = RecordEntry(key: "Bird:12", typename: "Bird", fieldCount: 4, byteSize: 100, referrerCount: 1)
    test.send(.cache(.recordsListed([record], totalCount: 1, totalBytes: 100))) {
      $0.cache.listed = RecordListing()
      $0.cache.records = [record]
      $0.cache.totalCount = 1
      $0.cache.totalBytes = 100
    }
    test.send(.commandInvoked(.focusCache)) {
      $0.screen.focus = .cache
      $0.screen.recentPanes = [.cache, .query, .response, .variables, .headers, .deferred]
    }
    let edit = CacheEdit.evictRecords(["Bird:12"])
    var question = ConfirmationPopup(
      question: "Evict Bird:12?", detail: "Computing the effects", confirmation: .effect(.cache(.edit(edit))))
    let requested = Popup(question)
    test.send(.commandInvoked(.evict), effects: [.cache(.preview(edit))]) { $0.popups = [requested] }
    question.detail = "4 fields."
    let previewed = Popup(question)
    test.send(.editPreviewed(edit, "4 fields.")) { $0.popups = [previewed] }
    test.send(.commandInvoked(.confirmYes), effects: [.cache(.edit(edit))]) { $0.popups = [] }
    // A run without a tab is ignored.
    test.send(.cacheChanged(runs: [1, 7]), effects: [.cache(.listRecords(RecordListing())), .run(1, .reread)])
    test.send(.cache(.edited(edit, "Evicted Bird:12"))) { $0.screen.notice = Notice("Evicted Bird:12") }
    var gap = BirdStation.initial
    gap.missing = [["station", "birds", "edges", 0, "node"]]
    gap.changedPaths = []
    gap.isFromCache = true
    test.send(.run(1, .cacheRead(gap, fetchesLoss: true)), effects: [.run(1, .refetch), .run(1, .startClock)]) {
      $0.tab.response.payloads.readAgain(gap)
      $0.tab.response.run?.byteCount += gap.byteCount
      $0.tab.response.run?.isFromCache = true
      $0.tab.response.run?.rereads = 1
      $0.tab.response.run?.phase = .receiving
      $0.tab.response.run?.hasFetchedAgain = true
      $0.tab.response.tree.show(
        ResponseTree.Content(data: gap.data, fragments: gap.fragments, changedPaths: nil, missing: gap.missing))
    }
    _ = update(&test.state, .run(1, .completed))
    #expect(update(&test.state, .run(1, .cacheRead(gap, fetchesLoss: false))).isEmpty)
  }

  @Test func `an outdated analysis is ignored`() {
    var test = StateTest(state: BirdStation.state(query: "{ a }"))
    _ = update(&test.state, .textTyped("x"))
    let problem = EditorDiagnostic(range: .start..<TextPosition(0, 1), message: "old")
    test.send(.text(.analysed(.query, EditorAnalysis(version: 0, diagnostics: [problem]))))
    let analysis = EditorAnalysis(version: 1, diagnostics: [problem])
    test.send(.text(.analysed(.query, analysis))) { $0.tab.editors.queryAnalysis = analysis }
  }

  @Test func `an example never replaces typed text`() {
    var state = ExplorerState(endpoint: "test")
    _ = update(&state, .textTyped("x"))
    _ = update(&state, .schema(.loaded(typeCount: 1, example: "{ example }")))
    #expect(state.tab.editors.query.text == "x")
  }
}
