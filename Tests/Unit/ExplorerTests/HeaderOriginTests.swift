import ApusClientCache
import ApusClientCore
import ApusClientRequests
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerText
import ApusSecrets
import ApusTestSupport
import Synchronization
import Testing

/// The servers that may receive the headers of a tab.
@Suite(.timeLimit(.minutes(1))) struct HeaderOriginTests {
  private let here = EndpointChoice(name: "here", url: "https://here.example/graphql")
  private let there = EndpointChoice(name: "there", url: "https://there.example/graphql")

  private func state(_ endpoint: String = "https://here.example/graphql") -> ExplorerState {
    ExplorerState(endpoint: endpoint, query: "{ a }")
  }

  private func write(_ headers: String, _ state: inout ExplorerState) {
    state.tab.editors.headers.setText(headers)
    _ = update(&state, .commandInvoked(.focusQuery))
  }

  private func go(to choice: EndpointChoice, _ state: inout ExplorerState) {
    _ = update(&state, .connected(choice))
  }

  /// Returns the names of the headers sent with a run; `nil` if the user is asked first.
  private func run(_ state: inout ExplorerState) -> [String]? {
    for case .run(_, .start(let request)) in update(&state, .commandInvoked(.runOperation)) {
      return request.headers.map(\.name)
    }
    return nil
  }

  /// Answers a confirmation.
  private func answer(_ command: Command, _ state: inout ExplorerState) {
    _ = update(&state, .commandInvoked(command))
  }

  @Test func `a header is sent only to its own server`() {
    var state = state()
    write("X-A: 1", &state)
    #expect(run(&state) == ["X-A"])
    go(to: there, &state)
    #expect(run(&state) == nil)
    answer(.confirmNo, &state)
    write("X-A: 1\nX-B: 2", &state)
    #expect(state.isHeaderWithheld(line: 0) && !state.isHeaderWithheld(line: 1))
    #expect(run(&state) == ["X-B"])
    // The scheme and the port identify a server; the path and the case of the host do not.
    for url in ["http://here.example/graphql", "https://here.example:444/graphql", "https://www.here.example"] {
      go(to: EndpointChoice(name: url, url: url), &state)
      #expect(state.isHeaderWithheld(line: 0), "\(url)")
    }
    for url in ["https://here.example/other", "https://HERE.example:443/"] {
      go(to: EndpointChoice(name: url, url: url), &state)
      #expect(!state.isHeaderWithheld(line: 0), "\(url)")
    }
  }

  @Test func `headers typed before any endpoint is open belong to the first endpoint`() {
    var state = state("")
    write("X-A: 1", &state)
    go(to: here, &state)
    #expect(run(&state) == ["X-A"])
    go(to: there, &state)
    #expect(run(&state) == nil)
  }

  /// The saved servers of a line, and the servers that receive it. A file that was edited by hand may have too few entries.
  @Test(
    arguments: [
      ("of an older file", nil, ["here", "there"]),
      ("of the next server", [nil], ["here", "there"]),
      ("of one server", [[Origin(url: "https://here.example")].compactMap(\.self)], ["here"]),
      ("of an unknown server", [[]], []),
      ("without an entry", [], []),
    ] as [(String, [[Origin]?]?, [String])])
  func `a saved header line is sent to its saved servers only`(
    line: String, saved: [[Origin]?]?, receivers: [String]
  ) {
    for choice in [here, there] {
      var tab = SavedSession.Tab(id: 1)
      tab.headers = SavedSession.EditorContent("X-A: 1")
      tab.headerOrigins = saved
      var state = state(choice.url)
      state.restore(SavedSession(tabs: [tab]))
      #expect(
        state.isHeaderWithheld(line: 0) == !receivers.contains(choice.name), "\(line) at \(choice.url)")
    }
  }

  @Test func `headers for an unknown server are sent only after confirmation`() {
    var state = state()
    let request = RequestDraft(
      url: "{{base}}/graphql", headers: [.init(name: "X-A", value: SecretText(literal: "1"))], query: "{ a }")
    _ = update(&state, .requestImported(.found([ImportedRequest(name: "", draft: request)], leftOut: [])))
    #expect(run(&state) == nil)
    let question = state.popups.last?.state as? ApusExplorerCore.ConfirmationPopup
    #expect(question?.question == "Send the 1 header to https://here.example?")
    #expect(question?.lines == ["X-A: •••  (for an unknown server)"])
  }

  @Test func `a late confirmation after switching endpoints sends nothing`() throws {
    var state = state()
    write("X-A: 1", &state)
    go(to: there, &state)
    #expect(run(&state) == nil)
    let popup = try #require(state.popups.last?.state as? ApusExplorerCore.ConfirmationPopup)
    guard case .send(.withheldHeadersAnswered(let question, sends: true)) = popup.confirmation else {
      Issue.record("\(popup.confirmation)")
      return
    }
    go(to: EndpointChoice(name: "third", url: "https://third.example"), &state)
    let late = update(&state, .withheldHeadersAnswered(question, sends: true))
    #expect(!late.contains { if case .run(_, .start) = $0 { true } else { false } })
    #expect(state.isHeaderWithheld(line: 0))
  }

  @Test func `a header line keeps its server when it is split, joined or moved`() {
    for edited in ["X-B: 1\nX-A: secret", "X-A: secret-more", "Y: secret", "# X-A: secret", "X-A: sec\nret"] {
      var state = state()
      write("X-A: secret\nX-B: 1", &state)
      go(to: there, &state)
      write(edited, &state)
      write(edited.replacing("# ", with: ""), &state)
      let count = edited.split(separator: "\n").count
      for line in 0..<count where HeaderLine(state.tab.editors.headers.buffer.line(line)) != nil {
        #expect(state.isHeaderWithheld(line: line), "\(edited): \(line)")
      }
    }
  }

  /// The live environment checks the headers again before it sends a request.
  @Test func `the environment refuses headers of another server`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw CancellationError() })
    let reported = Mutex<[Action]>([])
    let headers = TabHeaders([try #require(HeaderLine("X-A: 1"))], for: Origin(url: "https://here.example"))
    await live.environment.runs.start(RunRequest(id: 1, draft: RequestDraft(query: "{ a }"), headers: headers)) {
      action in
      reported.withLock { $0.append(action) }
    }
    await live.environment.endpoint.loadSchema(.server(headers)) { action in reported.withLock { $0.append(action) } }
    #expect(server.requests.isEmpty)
    guard case .run(1, .failed(let failure))? = reported.withLock({ $0.first }) else {
      Issue.record("the request was sent")
      return
    }
    #expect(failure.message.contains("the headers belong to another server"))
  }
}
