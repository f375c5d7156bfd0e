import ApusClientCache
import ApusClientCore
import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTestSupport
import ApusTestSupport
import Synchronization
import Testing

/// Tabs with different endpoints.
@Suite(.timeLimit(.minutes(1))) struct EndpointTabsTests {
  private static let live = EndpointChoice(name: "live", url: "https://live.example/graphql", isProduction: true)

  /// Returns the identity in the first effect that opens an endpoint.
  private static func opened(in effects: [Effect]) -> EndpointID? {
    for case .at(let id, .endpoint(.connect)) in effects { return id }
    return nil
  }

  /// Goes to an endpoint in the shown tab, as the picker does.
  private static func go(to word: String, _ state: inout ExplorerState) -> (id: EndpointID?, effects: [Effect]) {
    let effects = update(&state, .endpointConfirmed(word, tab: state.tabs.shown.id))
    return (opened(in: effects), effects)
  }

  /// A state with two tabs: the first at the station, the second, which is shown, at `live`.
  private static func twoEndpoints(after actions: [Action] = BirdStation.running) throws -> (ExplorerState, EndpointID)
  {
    var state = BirdStation.state(after: actions + [.commandInvoked(.newTab)])
    let id = try #require(go(to: "live", &state).id)
    _ = update(&state, .from(id, .connected(live)))
    _ = update(&state, .from(id, .schema(.loaded(typeCount: 5, example: nil))))
    return (state, id)
  }

  // MARK: State

  @Test func `going to an endpoint moves the shown tab only`() throws {
    var (state, id) = try Self.twoEndpoints()
    #expect(state.connection.endpoint == "https://live.example/graphql" && state.connection.isProduction)
    #expect(state.tabs.all[0].content.response.isBusy, "the run of the other tab continues")
    let first = state.tabs.all[0].endpoint
    #expect(first != id && state.tabs.all[1].endpoint == id)
    _ = update(&state, .commandInvoked(.newTab))
    #expect(state.tabs.shown.endpoint == id, "a new tab has the endpoint of the shown one")
    _ = update(&state, .tabClicked(0))
    #expect(state.connection.endpoint == state.endpoints[first].connection.endpoint && !state.connection.isProduction)
  }

  @Test func `a tab that goes to another endpoint cancels its run`() throws {
    var state = BirdStation.state(after: BirdStation.running)
    let id = try #require(Self.go(to: "live", &state).id)
    #expect(state.tab.response.isBusy, "nothing ends before the endpoint is open")
    let effects = update(&state, .from(id, .connected(Self.live)))
    #expect(effects.contains(.run(1, .cancel)) && effects.contains(.run(1, .forget)))
    #expect(effects.contains(.at(.first, .endpoint(.close))), "no tab uses the first endpoint any more")
    #expect(state.tab.response.run?.phase == .cancelled)
  }

  @Test func `results of an endpoint in the background do not change the shown one`() throws {
    var (state, id) = try Self.twoEndpoints()
    let records = [RecordEntry(key: "Bird:1", typename: "Bird", fieldCount: 1, byteSize: 10, referrerCount: 0)]
    let listed = CacheAction.recordsListed(records, totalCount: 1, totalBytes: 10, RecordListing())
    _ = update(&state, .from(.first, .cache(listed)))
    _ = update(&state, .from(.first, .schema(.failed("the station answers nothing"))))
    #expect(state.cache.records.isEmpty && state.connection.schema == .loaded(typeCount: 5))
    #expect(state.screen.notice?.text.contains("the station") != true)
    #expect(state.endpoints[.first].cache.records == records)
    let effects = update(&state, .tabClicked(0))
    #expect(state.cache.records == records)
    #expect(effects.contains(.cache(.listRecords(RecordListing()))), "the cache may have changed meanwhile")
    // A result of an endpoint that is closed by now changes nothing.
    _ = update(&state, .from(id, .schema(.changed(2))))
    #expect(state.connection.schemaNote == nil)
  }

  @Test func `an endpoint that is open in another tab is shared`() throws {
    var (state, id) = try Self.twoEndpoints()
    _ = update(&state, .tabClicked(0))
    let effects = Self.go(to: "live", &state).effects
    #expect(Self.opened(in: effects) == nil)
    #expect(state.tabs.all.map(\.endpoint) == [id, id])
    #expect(effects.contains(.run(1, .cancel)))
  }

  @Test func `an endpoint is closed when no tab can show it any more`() throws {
    var (state, id) = try Self.twoEndpoints()
    state.tab.editors.query.setText("{ a }")
    var effects = update(&state, .commandInvoked(.closeTab))
    #expect(!effects.contains(.at(id, .endpoint(.close))), "the tab can be opened again")
    _ = update(&state, .commandInvoked(.reopenTab))
    #expect(state.tabs.shown.endpoint == id)
    state.tab.editors.query.setText("")
    effects = update(&state, .commandInvoked(.closeTab))
    #expect(effects.contains(.at(id, .endpoint(.close))))
  }

  @Test func `an endpoint that cannot be opened leaves the tab at its endpoint`() throws {
    var state = BirdStation.state(after: BirdStation.running)
    let id = try #require(Self.go(to: "nowhere", &state).id)
    _ = update(&state, .from(id, .operationFailed("there is no endpoint nowhere")))
    #expect(state.tabs.shown.endpoint == .first && state.tab.response.isBusy)
    #expect(state.screen.notice?.text == "there is no endpoint nowhere")
    let effects = update(&state, .from(id, .connected(Self.live)))
    #expect(effects.contains(.at(id, .endpoint(.close))), "no tab waits for it any more")
    #expect(state.tabs.shown.endpoint == .first)
  }

  @Test func `a question about an endpoint is shown in its tab only`() throws {
    var state = BirdStation.state(after: [.commandInvoked(.newTab)])
    let id = try #require(Self.go(to: "dev", &state).id)
    let question = ConfirmationPopup(
      question: "Trust it?", detail: "", confirmation: .effect(.endpoint(.trustProject("1", endpoint: "dev"))))
    var otherEndpointRun = state
    _ = update(&otherEndpointRun, .tabClicked(0))
    _ = update(&otherEndpointRun, .from(id, .confirmationRequested(question)))
    #expect(otherEndpointRun.popups.isEmpty)
    _ = update(&state, .from(id, .confirmationRequested(question)))
    #expect(
      update(&state, .commandInvoked(.confirmYes)).contains(.at(id, .endpoint(.trustProject("1", endpoint: "dev")))))
  }

  @Test func `an imported request keeps its URL`() throws {
    var state = BirdStation.state(after: [])
    let requests = ["https://a.example/graphql", "https://b.example/graphql", "https://a.example/graphql"].map { url in
      ImportedRequest(name: url, draft: RequestDraft(url: url, query: "{ a }"))
    }
    _ = update(&state, .requestImported(.found(requests, leftOut: [])))
    _ = update(&state, .commandInvoked(.popupAccept))
    #expect(
      state.tabs.all.dropFirst().map { state.endpoints[$0.endpoint].connection.endpoint } == requests.map(\.draft.url)
    )
    // Nothing runs before the endpoint is open.
    _ = update(&state, .commandInvoked(.confirmNo))
    _ = update(&state, .tabClicked(2))
    let requested = state.popups.last?.state as? ApusExplorerCore.ConfirmationPopup
    #expect(requested?.question == "Open https://b.example/graphql?")
    _ = update(&state, .tabClicked(2))
    #expect(
      !update(&state, .commandInvoked(.runOperation)).contains { if case .run(_, .start) = $0 { true } else { false } })
  }

  @Test func `an entry of the history offers its endpoint`() throws {
    let entry = HistoryEntry(
      operation: "query", request: RequestDraft(url: "https://live.example/graphql", query: "{ rings }"),
      status: .complete)
    var (state, id) = try Self.twoEndpoints()
    _ = update(&state, .tabClicked(0))
    _ = update(&state, .history(.opened(entry, .open)))
    #expect(state.tabs.shown.endpoint == id && state.tabs.count == 3, "an open endpoint is used")
    var alone = BirdStation.state(after: [])
    _ = update(&alone, .history(.opened(entry, .open)))
    let question = try #require(alone.popups.last?.state as? ApusExplorerCore.ConfirmationPopup)
    #expect(question.confirmation == .send(.endpointConfirmed(entry.endpoint, tab: alone.tabs.shown.id)))
  }

  @Test func `endpoints at one host are labeled by their paths`() throws {
    var state = BirdStation.state(after: [.commandInvoked(.newTab)])
    let url = state.connection.endpoint + "/v2"
    let id = try #require(Self.go(to: url, &state).id)
    _ = update(&state, .from(id, .connected(EndpointChoice(name: url, url: url))))
    let first = state.endpoints[.first].connection.endpoint
    #expect([0, 1].map { "http://\(state.endpointLabel(ofTab: $0)?.name ?? "")" } == [first, url])
  }

  @Test func `an open endpoint that sends the same requests is shared`() throws {
    var state = BirdStation.state(after: [])
    state.connection.identity = 1
    let url = state.connection.endpoint
    _ = update(&state, .commandInvoked(.newTab))
    var named = EndpointChoice(name: "station", url: url, isProduction: true, theme: "Apus light")
    named.identity = 1
    var id = try #require(Self.go(to: "station", &state).id)
    var effects = update(&state, .from(id, .connected(named)))
    #expect(effects.contains(.at(id, .endpoint(.close))) && state.tabs.all.allSatisfy { $0.endpoint == .first })
    #expect(state.connection.profile == "station" && state.connection.isProduction, "the profile's warning counts")
    #expect(state.screen.theme == 1)
    // Another name is another endpoint, and so are other requests.
    for (name, identity) in [("copy", 1), ("signed", 2)] {
      _ = update(&state, .commandInvoked(.newTab))
      var other = EndpointChoice(name: name, url: url)
      other.identity = identity
      id = try #require(Self.go(to: name, &state).id)
      effects = update(&state, .from(id, .connected(other)))
      #expect(state.tabs.shown.endpoint == id && !effects.contains(.at(id, .endpoint(.close))))
    }
    // A profile that is chosen again is opened again, because its settings may have changed.
    id = try #require(Self.go(to: "signed", &state).id)
    var again = EndpointChoice(name: "signed", url: url)
    again.identity = 2
    _ = update(&state, .from(id, .connected(again)))
    #expect(state.tabs.shown.endpoint == id)
  }

  @Test func `a note about a run in another tab names the tab and its endpoint`() throws {
    var (state, _) = try Self.twoEndpoints()
    _ = update(&state, .run(1, .noted("The server rejects the credentials")))
    let notice = try #require(state.screen.notice)
    #expect(notice.kind == .warning && notice.text.hasPrefix("Tab 1 ("), "\(notice.text)")
    #expect(notice.text.hasSuffix("\(state.endpointLabel(ofTab: 0)?.name ?? "?")): The server rejects the credentials"))
    _ = update(&state, .tabClicked(0))
    _ = update(&state, .run(1, .noted("The server rejects the credentials")))
    #expect(state.screen.notice?.text == "The server rejects the credentials")
  }

  // MARK: Effects

  /// An environment that records its runs under a name.
  private static func environment(_ name: String, _ ran: @escaping @Sendable (String) -> Void) -> ExplorerEnvironment {
    var environment = ExplorerEnvironment()
    environment.runs.start = { request, _ in ran("\(name) runs \(request.id)") }
    environment.runs.reread = { run, _ in ran("\(name) reads \(run)") }
    environment.endpoint.loadSchema = { _, send in send(.schema(.loaded(typeCount: 1, example: nil))) }
    return environment
  }

  @Test func `effects are performed at the endpoint of their tab or run`() async throws {
    let ran = Mutex<[String]>([])
    let sent = Mutex<[Action]>([])
    let record: @Sendable (String) -> Void = { text in ran.withLock { $0.append(text) } }
    var first = Self.environment("first", record)
    first.endpoint.connect = { name, _ in
      .connected(EndpointChoice(name: name, url: name), nil, Self.environment(name, record))
    }
    let (settled, settle) = AsyncStream<Void>.makeStream()
    var unopened = Self.environment("unopened", record)
    unopened.endpoint.connect = first.endpoint.connect
    let runner = EffectRunner(
      environment: first, unopened: unopened, send: { action in sent.withLock { $0.append(action) } },
      onSettled: { settle.yield() })
    var states = settled.makeAsyncIterator()
    func run(_ effect: Effect, at id: EndpointID) async {
      runner.run(effect, at: id)
      await states.next()
    }
    var state = ExplorerState(endpoint: "https://here.example")
    let other = try #require(Self.go(to: "other", &state).id)
    func request(_ id: Int) -> Effect {
      .run(id, .start(RunRequest(id: id, draft: RequestDraft(query: "{ a }"))))
    }
    await run(request(1), at: .first)
    await run(request(2), at: other)
    await run(.at(other, .endpoint(.connect("other"))), at: .first)
    await run(request(3), at: other)
    await run(.run(3, .reread), at: .first)
    await run(.run(1, .reread), at: other)
    await run(.at(other, .endpoint(.loadSchema(.server([])))), at: .first)
    runner.run(.at(other, .endpoint(.close)), at: .first)
    await run(request(4), at: other)
    #expect(
      ran.withLock { $0 } == [
        "first runs 1", "unopened runs 2", "other runs 3", "other reads 3", "first reads 1", "unopened runs 4",
      ])
    #expect(
      sent.withLock { $0 } == [
        .from(other, .connected(EndpointChoice(name: "other", url: "other"))),
        .from(other, .schema(.loaded(typeCount: 1, example: nil))),
      ])
  }

  @Test func `closing an endpoint cancels its effects`() async throws {
    let (began, begun) = AsyncStream<Void>.makeStream()
    var environment = ExplorerEnvironment()
    environment.runs.start = { _, _ in
      begun.yield()
      await withTaskCancellationHandler {
        while !Task.isCancelled { await Task.yield() }
      } onCancel: {
      }
    }
    let (settled, settle) = AsyncStream<Void>.makeStream()
    let runner = EffectRunner(environment: environment, send: { _ in }, onSettled: { settle.yield() })
    runner.run(.run(1, .start(RunRequest(id: 1, draft: RequestDraft(query: "{ a }")))))
    for await _ in began { break }
    runner.run(.at(.first, .endpoint(.close)))
    for await _ in settled { break }
    #expect(runner.isSettled)
  }

  @Test func `a canceled schema request sends nothing`() async {
    let (requested, ask) = AsyncStream<Void>.makeStream()
    let live = LiveEnvironment(
      client: GraphQLClient(url: "http://127.0.0.1:1/graphql", store: CacheStore()),
      schema: {
        ask.yield()
        while !Task.isCancelled { await Task.yield() }
        throw CancellationError()
      })
    let environment = live.environment
    let reported = Mutex<[Action]>([])
    let loading = Task {
      await environment.endpoint.loadSchema(.server([]), { action in reported.withLock { $0.append(action) } })
    }
    for await _ in requested { break }
    loading.cancel()
    await loading.joined
    #expect(reported.withLock { $0 } == [])
  }

  // MARK: Sessions

  /// Saves and restores a session in a new explorer at the station.
  private func restored(_ state: ExplorerState, profiles: [EndpointChoice] = []) throws -> ExplorerState {
    let home = try TemporaryFolder()
    let folders = UserFolders(environment: home.asHome)
    let store = try SessionStore.open("station", in: folders, delay: .zero)
    store.scheduleSave(SavedSession(state))
    store.finish()
    let saved = try home.files(in: "state/workspaces").filter { $0.hasSuffix("workspace.json") }
    for file in saved { #expect(try !home.read("state/workspaces/\(file)").contains("planted")) }
    let again = try SessionStore.open("station", in: folders, delay: .zero)
    var new = ExplorerState(endpoint: BirdStation.state().connection.endpoint)
    new.endpoints.profiles = profiles
    new.open(try #require(again.restore()), query: "")
    again.finish()
    return new
  }

  @Test func `a saved session has the endpoint of each tab`() throws {
    var (state, _) = try Self.twoEndpoints(after: [])
    _ = update(&state, .commandInvoked(.newTab))
    state.tab.editors.query.setText("{ a }")
    let typed = try #require(Self.go(to: "https://other.example/graphql", &state).id)
    let url = "https://other.example/graphql"
    _ = update(&state, .from(typed, .connected(EndpointChoice(name: url, url: url))))
    var new = try restored(state, profiles: [Self.live])
    let station = state.endpoints[.first].connection.endpoint
    #expect(
      new.tabs.all.map { new.endpoints[$0.endpoint].connection.endpoint } == [
        station, "https://live.example/graphql", url,
      ])
    #expect(new.tabs.shownIndex == 0, "a tab of the endpoint that the user opened is shown")
    // An endpoint is opened when its tab is shown.
    #expect(Self.opened(in: update(&new, .started)) == nil)
    let effects = update(&new, .tabClicked(1))
    let id = new.tabs.shown.endpoint
    #expect(effects.contains(.at(id, .endpoint(.connect("live", restoring: "https://live.example/graphql")))))
    #expect(new.connection.isProduction, "production is known before the endpoint is open")
    #expect(
      !update(&new, .commandInvoked(.runOperation)).contains { if case .run(_, .start) = $0 { true } else { false } })
    _ = update(&new, .from(id, .connected(Self.live)))
    #expect(new.connection.phase == .open)
    _ = update(&new, .from(new.tabs.all[2].endpoint, .operationFailed("late")))
    // One that cannot be opened is tried again when an operation is to run.
    _ = update(&new, .tabClicked(2))
    let other = new.tabs.shown.endpoint
    _ = update(&new, .from(other, .operationFailed("the host is unknown")))
    #expect(new.connection.schema == .unavailable("the host is unknown"))
    #expect(Self.opened(in: update(&new, .commandInvoked(.runOperation))) == other)
  }

  @Test func `a tab that opened the endpoint of the session again is restored with it`() throws {
    var state = BirdStation.state(after: [])
    let url = state.connection.endpoint
    let id = try #require(Self.go(to: url, &state).id)
    _ = update(&state, .from(id, .connected(EndpointChoice(name: url, url: url))))
    let new = try restored(state)
    #expect(new.tabs.all.map(\.endpoint) == [.first])
  }

  @Test func `secrets in the URL of a tab are not saved`() throws {
    var state = BirdStation.state(after: [.commandInvoked(.newTab)])
    state.tab.editors.query.setText("{ a }")
    let url = "https://other.example/graphql"
    let id = try #require(Self.go(to: "\(url)?key=planted", &state).id)
    var choice = EndpointChoice(name: url, url: url)
    choice.wholeURL = "\(url)?key=planted"
    _ = update(&state, .from(id, .connected(choice)))
    var new = try restored(state)
    #expect(Self.opened(in: update(&new, .tabClicked(1))) == nil)
    #expect(Self.opened(in: update(&new, .commandInvoked(.runOperation))) == nil)
    #expect(new.screen.notice?.text.contains("open \(url) with them") == true)
  }

  // MARK: The screen

  @Test func `the title, the tab bar and the status line show the endpoint`() async throws {
    var state = ExplorerState(endpoint: "https://here.example/graphql", query: "query Birds { a }")
    state.endpoints.profiles = [Self.live]
    var environment = ExplorerEnvironment()
    environment.endpoint.connect = { _, _ in .connected(Self.live) }
    let driver = await ExplorerDriver(state: state, environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    #expect(await driver.terminal.title == "apus https://here.example/graphql")
    #expect(await !driver.lines[0].contains("here.example"), "one endpoint needs no label")
    await driver.press("Ctrl-T Alt-s")
    await driver.type("live")
    await driver.press("Enter")
    #expect(await driver.lines[0].hasPrefix("  1 Tab 1 │ here.example  2 Tab 2 ▲ live"))
    await driver.press("Alt-1")
    #expect(await driver.lines[28].hasPrefix(" ▲ live  https://live.example/graphql"))
    #expect(await driver.terminal.title == "apus live https://live.example/graphql")
    await driver.press("Ctrl-PageUp")
    #expect(await driver.lines[28].hasPrefix(" https://here.example/graphql"))
    #expect(await driver.terminal.title == "apus https://here.example/graphql")
    await driver.quit()
  }
}
