import ApusClientAPI
import ApusExplorerCore
import ApusExplorerText
import ApusJSON
import Testing

/// A state under test: each action's effects and every change of the state are asserted, nothing else may change.
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
  @Test func proposalsThatComeAfterTheTextWasRunAreNotShown() {
    var state = ExplorerState(endpoint: "birds", query: "{ name")
    state.focus = .query
    state.query.place(state.query.buffer.end)
    let place = state.query.cursor
    let proposals = ["name", "names"].map { Completion(label: $0, kind: "field", replaces: TextPosition(0, 2)..<place) }
    let late = Action.completionsFound(proposals, .query, version: state.query.version, isAsked: false)
    var other = state
    _ = update(&other, late)
    #expect(!other.popups.isEmpty)
    _ = update(&state, .commandInvoked(.runOperation))
    _ = update(&state, late)
    #expect(state.popups.isEmpty)
  }

  private let request = RunRequest(
    id: 1, text: BirdStation.query, offset: 0, variables: "{\n  \"first\": 2\n}")

  private var running: StateTest { StateTest(state: BirdStation.state(after: BirdStation.running)) }

  @Test func aRunFromItsKeyToItsLastPart() {
    var test = StateTest(state: BirdStation.state())
    test.send(.commandInvoked(.runOperation), effects: [.run(request), .startClock(run: 1)]) {
      $0.runCount = 1
      $0.run = Run(id: 1)
      $0.run?.request = request
      $0.versionWithoutProposals = $0.query.version
      $0.recentPanes = [.query, .response, .deferred, .variables, .cache, .headers]
    }
    test.send(.runStarted(1, BirdStation.operation)) { $0.run?.operation = BirdStation.operation }
    test.send(.clockTicked(1, .milliseconds(5))) {
      $0.ticks = 1
      $0.run?.elapsed = .milliseconds(5)
    }
    let initial = BirdStation.initial
    test.send(.resultReceived(1, initial)) {
      $0.run?.phase = .receiving
      $0.run?.parts = 1
      $0.run?.byteCount = 320
      $0.run?.elapsed = .milliseconds(12)
      $0.run?.fragments = initial.fragments
      $0.history.add(initial)
      $0.run?.lists = initial.lists
      $0.response.begin(BirdStation.operation)
      $0.response.show(ResponseTree.Content(data: initial.data, fragments: initial.fragments, changedPaths: []))
    }
    test.send(.runCompleted(1), effects: [.stopClock, kept(.complete, test.state)]) { $0.run?.phase = .complete }
  }

  /// What the history keeps of a run.
  private func kept(_ status: HistoryEntry.Status, _ state: ExplorerState) -> Effect {
    .recordHistory(
      HistoryEntry(
        endpoint: state.endpoint, operation: state.run?.operation?.title ?? "operation", query: BirdStation.query,
        variables: request.variables, status: status, errorCount: state.run?.errors.count ?? 0,
        elapsed: state.run?.elapsed ?? .zero, byteCount: state.run?.byteCount ?? 0,
        response: status == .complete ? state.response.data : nil,
        hidden: status == .complete ? BirdStation.operation.hidden : nil))
  }

  @Test func anAnswerToAnOlderRunIsDropped() {
    let second = RunRequest(id: 2, text: request.text, offset: 0, variables: request.variables)
    var test = running
    test.send(
      .commandInvoked(.runOperation),
      effects: [
        .cancelRun(1), .stopClock, kept(.cancelled, test.state), .forgetRun(1), .run(second), .startClock(run: 2),
      ]
    ) {
      $0.runCount = 2
      $0.run = Run(id: 2)
      $0.history = PartHistory()
      $0.run?.request = second
    }
    test.send(.resultReceived(1, BirdStation.second))
    test.send(.runFailed(1, RunFailure(.network, "late")))
    test.send(.runCompleted(1))
  }

  @Test func aFailureAfterTwoPartsLeavesTwoParts() {
    var test = running
    let failure = RunFailure(.network, "cut")
    test.send(.runFailed(1, failure), effects: [.stopClock, kept(.failed, test.state)]) {
      $0.run?.phase = .failed
      $0.run?.failure = failure
    }
    #expect(!test.state.response.rows.isEmpty)
  }

  @Test func aRunAgainKeepsTheFoldsAndFlickersNot() {
    var test = running
    test.state.response.toggleFold(0)
    let rows = test.state.response.rows
    _ = update(&test.state, .commandInvoked(.runOperation))
    _ = update(&test.state, .runStarted(2, BirdStation.operation))
    #expect(test.state.response.rows == rows)
    _ = update(&test.state, .resultReceived(2, BirdStation.initial))
    #expect(test.state.response.rows == rows)
    _ = update(&test.state, .commandInvoked(.runOperation))
    _ = update(&test.state, .runStarted(3, RunningOperation(name: "Other", kind: "query")))
    _ = update(&test.state, .resultReceived(3, BirdStation.initial))
    #expect(test.state.response.rows.first?.isOpen == true)
  }

  @Test func controlCCopiesElseCancelsElseRecallsHowToQuit() {
    var test = running
    test.state.query.selectAll()
    test.send(.commandInvoked(.copyOrCancel), effects: [.writeClipboard(BirdStation.query)]) {
      $0.clipboard = BirdStation.query
      $0.notice = Notice("Copied 9 lines")
    }
    test.state.query.place(.start)
    test.send(.commandInvoked(.copyOrCancel), effects: [.cancelRun(1), .stopClock, kept(.cancelled, test.state)]) {
      $0.run?.phase = .cancelled
      $0.notice = Notice("Cancelled")
    }
    test.send(.commandInvoked(.copyOrCancel)) {
      $0.notice = Notice("Nothing is selected and nothing runs. Ctrl-Q quits")
    }
  }

  @Test func escapeClosesTheInnermostPopupAndThenCancels() {
    var test = running
    test.send(.commandInvoked(.showPalette)) { $0.popups = [.palette(PaletteState())] }
    test.send(.commandInvoked(.closeOrCancel)) { $0.popups = [] }
    test.send(.commandInvoked(.closeOrCancel), effects: [.cancelRun(1), .stopClock, kept(.cancelled, test.state)]) {
      $0.run?.phase = .cancelled
      $0.notice = Notice("Cancelled")
    }
  }

  @Test func theRunsOfTabsThatCannotBeOpenedAgainAreForgotten() {
    var state = BirdStation.state()
    for number in 1...12 {
      _ = update(&state, .commandInvoked(.newTab))
      _ = update(&state, .textPasted("{ a\(number) }"))
      _ = update(&state, .commandInvoked(.runOperation))
      _ = update(&state, .runCompleted(number))
    }
    var forgotten: [Effect] = []
    for _ in 1...12 {
      forgotten += update(&state, .commandInvoked(.closeTab)).filter { if case .forgetRun = $0 { true } else { false } }
    }
    // Ten stay to be opened again; those that were closed first are gone.
    #expect(forgotten == [.forgetRun(12), .forgetRun(11)])
    #expect(state.closedTabs.count == 10)
  }

  @Test func anEvictionIsAskedForMadeAndReadAgain() {
    var test = running
    _ = update(&test.state, .runCompleted(1))
    let record = RecordEntry(key: "Bird:12", typename: "Bird", fieldCount: 4, byteSize: 100, referrerCount: 1)
    test.send(.recordsListed([record], totalCount: 1, totalBytes: 100)) {
      $0.cache.listed = RecordListing()
      $0.cache.records = [record]
      $0.cache.totalCount = 1
      $0.cache.totalBytes = 100
    }
    test.send(.commandInvoked(.focusCache)) {
      $0.focus = .cache
      $0.recentPanes = [.cache, .query, .response, .deferred, .variables, .headers]
    }
    let edit = CacheEdit.evictRecords(["Bird:12"])
    var question = Confirmation(
      question: "Evict Bird:12?", detail: "Looking at what it touches", effect: .editCache(edit))
    let asked = Popup.confirmation(question)
    test.send(.commandInvoked(.evict), effects: [.previewEdit(edit)]) { $0.popups = [asked] }
    question.detail = "4 fields."
    let previewed = Popup.confirmation(question)
    test.send(.editPreviewed(edit, "4 fields.")) { $0.popups = [previewed] }
    test.send(.commandInvoked(.confirmYes), effects: [.editCache(edit)]) { $0.popups = [] }
    // A run that no tab shows is nobody's.
    test.send(.cacheChanged(runs: [1, 7]), effects: [.listRecords(RecordListing()), .readAgain(run: 1)])
    test.send(.cacheEdited(edit, "Evicted Bird:12")) { $0.notice = Notice("Evicted Bird:12") }
    var gap = BirdStation.initial
    gap.missing = [["station", "birds", "edges", 0, "node"]]
    gap.changedPaths = []
    gap.isFromCache = true
    test.send(.cacheRead(1, gap, fetchesLoss: true), effects: [.fetchAgain(run: 1), .startClock(run: 1)]) {
      $0.history.readAgain(gap)
      $0.run?.isFromCache = true
      $0.run?.rereads = 1
      $0.run?.phase = .receiving
      $0.run?.hasFetchedAgain = true
      $0.response.show(
        ResponseTree.Content(data: gap.data, fragments: gap.fragments, changedPaths: nil, missing: gap.missing))
    }
    _ = update(&test.state, .runCompleted(1))
    #expect(update(&test.state, .cacheRead(1, gap, fetchesLoss: false)).isEmpty)
  }

  @Test func anOldAnalysisIsDropped() {
    var test = StateTest(state: BirdStation.state(query: "{ a }"))
    _ = update(&test.state, .textTyped("x"))
    let problem = Diagnostic(range: .start..<TextPosition(0, 1), message: "old")
    test.send(.textAnalysed(.query, TextAnalysis(version: 0, diagnostics: [problem])))
    let analysis = TextAnalysis(version: 1, diagnostics: [problem])
    test.send(.textAnalysed(.query, analysis)) { $0.queryAnalysis = analysis }
  }

  @Test func anExampleNeverReplacesWhatWasTyped() {
    var state = ExplorerState(endpoint: "test")
    _ = update(&state, .textTyped("x"))
    _ = update(&state, .schemaLoaded(typeCount: 1, example: "{ example }"))
    #expect(state.query.text == "x")
  }
}
