import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientTraffic
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusSecrets
import ApusTestSupport
import Testing

/// The traffic of an application, from the events of a relay to the actions of the explorer.
private struct ObservedApplication {
  let control = DeliveryControl()
  let observed: ObservedTraffic
  let store = CacheStore()
  let environment: ExplorerEnvironment
  private var analysis: TrafficAnalysis
  private var exchange = 0
  private var redactors: [Int: Redactor] = [:]

  init() {
    observed = ObservedTraffic(control)
    analysis = TrafficAnalysis(url: "http://server.example/graphql", cache: ShadowCache(store: store))
    var endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(endpoint: HTTPRequest(url: "http://server.example/graphql"), store: store),
      fetchSchema: { _ in throw EnvironmentError("no schema") })
    endpoint.observed = observed
    environment = LiveEnvironment(endpoint).environment
  }

  private mutating func receive(_ fact: TrafficEvent.Fact) async {
    for report in await analysis.receive(TrafficEvent(exchange: exchange, fact)) {
      if case .began(let request) = report {
        let secrets = SecretValues()
        for field in request.headers.fields { secrets.add(header: field.name, field.value, isLive: false) }
        redactors[exchange] = Redactor(
          values: secrets, document: request.document ?? "", variables: request.parameters.variables)
      }
      observed.receive(report, redactors[exchange] ?? Redactor())
    }
  }

  mutating func send(_ body: String, headers: HTTPHeaders = [:]) async {
    exchange += 1
    var headers = headers
    headers["Content-Type"] = "application/json"
    await receive(.request(method: "POST", target: "/graphql", headers: headers))
    await receive(.requestBody(Array(body.utf8)))
    await receive(.requestEnded)
  }

  mutating func respond(_ type: String = "application/json") async {
    await receive(.response(status: 200, headers: ["Content-Type": type]))
  }

  mutating func deliver(_ text: String) async { await receive(.responseBody(Array(text.utf8))) }
  mutating func end(_ end: TrafficEvent.End = .complete) async { await receive(.ended(end)) }

  mutating func answer(_ text: String) async {
    await respond()
    await deliver(text)
    await end()
  }

  /// Opens a request as the run of number 1, and returns its actions.
  func follow(_ number: Int) -> AsyncStream<RunAction> {
    let (actions, continuation) = AsyncStream.makeStream(of: RunAction.self)
    var request = RunRequest(id: 1, draft: .init(query: ""))
    request.observed = number
    let task = Task { [request, environment] in
      await environment.runs.start(request) { action in
        if case .run(_, let action) = action { continuation.yield(action) }
      }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return actions
  }
}

@Suite(.timeLimit(.minutes(1)))
struct ObservedTrafficTests {
  private static let birds = #"{"query":"query Birds{birds{__typename id name}}"}"#
  private static let data = #"{"data":{"birds":[{"__typename":"Bird","id":"1","name":"Wren"}]}}"#
  private static let deferred =
    #"{"query":"query Late { bird { __typename id ... @defer(label: \"l\") { name } } }","variables":{}}"#
  private static let multipart = "multipart/mixed; boundary=\"-\"; deferSpec=20220824"
  private static let parts = [
    "---\r\nContent-Type: application/json\r\n\r\n{\"data\":{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\"}},\"hasNext\":true}\r\n---",
    "\r\nContent-Type: application/json\r\n\r\n{\"incremental\":[{\"label\":\"l\",\"path\":[\"bird\"],\"data\":{\"name\":\"Wren\"}}],\"hasNext\":false}\r\n-----",
  ]

  /// Watches until rows satisfy a condition, and returns the rows and the number of actions with rows.
  private func watch(
    _ observed: ObservedTraffic, until isDone: ([ObservedRequest]) -> Bool
  ) async -> (rows: [ObservedRequest], count: Int) {
    let (actions, continuation) = AsyncStream.makeStream(of: Action.self)
    let task = Task { await observed.watch { continuation.yield($0) } }
    defer { task.cancel() }
    var (rows, count) = ([Int: ObservedRequest](), 0)
    for await action in actions {
      guard case .requests(.changed(let changed, _, _)) = action else { continue }
      count += 1
      for row in changed { rows[row.number] = row }
      if isDone(Array(rows.values)) { break }
    }
    return (rows.values.sorted { $0.number < $1.number }, count)
  }

  @Test func `rules of the view are used together or not at all, and hold is one of them`() {
    let application = ObservedApplication()
    let (control, observed) = (application.control, application.observed)
    #expect(observed.use(["--delay 2s", "", "for Birds"]) == .rulesUsed(["delay 2s", "for Birds"]))
    #expect(control.rules.operations == ["Birds"] && control.rules.rules.count == 1)
    #expect(
      observed.use(["status 503", "dely 2s"])
        == .rulesRefused(line: 1, "a rule begins with delay, fail, drop, cut-after, status, hold or for"))
    #expect(control.rules.status == nil && control.rules.rules.count == 1)
    observed.hold(true)
    #expect(control.rules.lines == ["delay 2s", "hold", "for Birds"])
    observed.hold(false)
    #expect(control.rules.lines == ["delay 2s", "for Birds"])
    observed.hold(true)
    #expect(observed.use([]) == .rulesUsed([]))
    #expect(control.rules == DeliveryRules())
  }

  @Test func `rows have the facts of the request and its response`() async throws {
    var application = ObservedApplication()
    await application.send(Self.birds, headers: ["User-Agent": "birds/1.0"])
    await application.answer(Self.data)
    let row = try #require(await watch(application.observed) { !$0.isEmpty }.rows.first)
    #expect(row.title == "query Birds" && row.client == "birds/1.0" && row.target == "POST /graphql")
    #expect(
      row.state == .complete && row.status == 200 && row.payloadCount == 1 && row.byteCount == Self.data.utf8.count)
    #expect(row.newRecords == 2 && row.changedRecords == 0 && row.errorCount == 0)
    #expect(row.firstPayload != nil && row.firstPayload == row.lastPayload && row.duration != nil)
  }

  @Test func `many requests arrive in one action`() async {
    var application = ObservedApplication()
    for _ in 0..<100 {
      await application.send(Self.birds)
      await application.answer(Self.data)
    }
    let (rows, count) = await watch(application.observed) { $0.count == 100 }
    #expect(rows.map(\.number) == Array(1...100) && rows.allSatisfy { $0.state == .complete })
    #expect(count == 1)
  }

  @Test func `a request opens formatted, with references in place of secrets and the headers of the application`() async
  {
    var application = ObservedApplication()
    let body =
      #"{"query":"mutation Enter($password:String!){enter(password:$password){id}}","variables":{"password":"hunter22"}}"#
    let headers: HTTPHeaders = [
      "Authorization": "Bearer abc$def", "X-Tenant": "acme", "Accept": "*/*", "User-Agent": "app", "Host": "localhost",
      "Connection": "keep-alive", "Sec-Fetch-Mode": "cors",
    ]
    await application.send(body, headers: headers)
    guard case .requests(.opened(1, let draft)) = application.observed.open(1) else {
      Issue.record("the request is not opened")
      return
    }
    #expect(draft.query.text == "mutation Enter($password: String!) {\n  enter(password: $password) {\n    id\n  }\n}")
    #expect(!draft.variables.isComplete && !draft.variables.text.contains("hunter22"))
    #expect(draft.url.isEmpty)
    #expect(draft.headers.map(\.name) == ["Authorization", "X-Tenant"])
    #expect(draft.headers.map(\.text) == ["Bearer abc$def", "acme"])
    #expect(
      application.observed.open(2)
        == .operationFailed(
          "Request 2 is no longer stored: the newest 32 MB of requests and responses are"))
  }

  @Test func `a follower gets the payloads so far and those that come later`() async throws {
    var application = ObservedApplication()
    await application.send(Self.deferred)
    await application.respond(Self.multipart)
    await application.deliver(Self.parts[0])
    var actions = application.follow(1).makeAsyncIterator()
    guard case .started(let operation) = await actions.next(), case .resultReceived(let first) = await actions.next()
    else {
      Issue.record("the first payload is missing")
      return
    }
    #expect(operation.title == "query Late")
    #expect(first.data?["bird"]?["id"]?.string == "1" && first.fragments.map(\.state) == [.pending])
    await application.deliver(Self.parts[1])
    await application.end()
    var rest: [RunAction] = []
    while let action = await actions.next() { rest.append(action) }
    let last = rest.compactMap { if case .resultReceived(let result) = $0 { result } else { nil } }.last
    #expect(last?.data?["bird"]?["name"]?.string == "Wren" && last?.fragments.map(\.state) == [.fulfilled])
    #expect(rest.last == .completed)
    let traffic = rest.compactMap { if case .trafficObserved(let traffic) = $0 { traffic } else { nil } }.last
    #expect(traffic?.parts.count == 2 && traffic?.status?.hasSuffix(" 200") == true)
    #expect(traffic?.requests.first?.members.map(\.name) == ["query"])
  }

  @Test(arguments: [
    (TrafficEvent.End.cancelled, "The application canceled the request"),
    (.failed("the server broke off"), "the server broke off"),
  ])
  func `a response that ends early fails with its reason and keeps its payload`(
    _ end: TrafficEvent.End, _ reason: String
  ) async {
    var application = ObservedApplication()
    await application.send(Self.deferred)
    await application.respond(Self.multipart)
    await application.deliver(Self.parts[0])
    await application.end(end)
    var actions: [RunAction] = []
    for await action in application.follow(1) { actions.append(action) }
    #expect(actions.contains { if case .resultReceived = $0 { true } else { false } })
    guard case .failed(let failure)? = actions.last else {
      Issue.record("the run has not failed")
      return
    }
    #expect(failure.message == reason)
  }

  @Test func `a request whose document is not known shows its traffic and the problem`() async {
    var application = ObservedApplication()
    await application.send(#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"0123456789abcdef"}}}"#)
    await application.answer(Self.data)
    var actions: [RunAction] = []
    for await action in application.follow(1) { actions.append(action) }
    guard case .failed(let failure)? = actions.last else {
      Issue.record("the run has not failed")
      return
    }
    #expect(failure.message.contains("only its hash or id was sent"))
    #expect(actions.contains { if case .trafficObserved(let traffic) = $0 { traffic.parts.count == 1 } else { false } })
  }

  @Test func `responses beyond the limit of bytes are dropped, oldest ended first`() async {
    var application = ObservedApplication()
    let large = #"{"data":{"birds":[]},"extensions":{"text":"\#(String(repeating: "x", count: 12 << 20))"}}"#
    for _ in 0..<3 {
      await application.send(Self.birds)
      await application.answer(large)
    }
    func isStored(_ number: Int) -> Bool {
      if case .requests(.opened) = application.observed.open(number) { true } else { false }
    }
    #expect([1, 2, 3].map(isStored) == [false, true, true])
    // The row of the dropped request stays.
    #expect(await watch(application.observed) { $0.count == 3 }.rows.count == 3)
  }

  @Test func `of a long response only the newest result is stored`() async {
    var application = ObservedApplication()
    await application.send(#"{"query":"subscription Ticks { tick }"}"#)
    await application.respond("text/event-stream")
    let filling = String(repeating: "x", count: 5 << 20)
    for number in 1...8 {
      await application.deliver(
        "event: next\ndata: {\"data\":{\"tick\":\(number)},\"extensions\":{\"text\":\"\(filling)\"}}\n\n")
    }
    await application.deliver("event: complete\ndata:\n\n")
    await application.end()
    var ticks: [Int?] = []
    for await action in application.follow(1) {
      if case .resultReceived(let result) = action { ticks.append(result.data?["tick"]?.int) }
    }
    #expect(ticks.last == 8 && ticks.count < 8)
  }

  @Test func `the writes of the application have its requests as titles`() async throws {
    var application = ObservedApplication()
    await application.send(Self.birds)
    await application.answer(Self.data)
    let writes = await application.environment.cache.listWrites()
    #expect(writes.map(\.title) == ["#1 Birds"])
    for await _ in application.follow(1) {}
    let write = await application.environment.runs.openWrite(1, 0)
    #expect(write?.rows.contains { $0.record == "Bird:1" && $0.field == "name" } == true)
  }

  @Test func `a later write of the application does not change an opened response`() async {
    var application = ObservedApplication()
    await application.send(Self.birds)
    await application.answer(Self.data)
    for await _ in application.follow(1) {}
    await application.send(Self.birds)
    await application.answer(Self.data.replacing("Wren", with: "Robin"))
    let (actions, continuation) = AsyncStream.makeStream(of: Action.self)
    let task = Task { [observed = application.observed] in await observed.watch { continuation.yield($0) } }
    defer { task.cancel() }
    for await action in actions {
      guard case .from(_, .cacheChanged(let runs)) = action else { continue }
      #expect(runs.isEmpty)
      return
    }
  }

  @Test func `the traffic of an opened request is saved as a recording`() async throws {
    var application = ObservedApplication()
    await application.send(Self.birds, headers: ["Authorization": "Bearer secret-of-the-app"])
    await application.answer(Self.data)
    for await _ in application.follow(1) {}
    let folder = try TemporaryFolder()
    let answer = await application.environment.runs.save(1, folder.path("run.ndjson"))
    guard case .exported = answer else {
      Issue.record("\(answer)")
      return
    }
    let recording = try folder.read("run.ndjson")
    #expect(recording.contains("query Birds") && recording.contains("Wren"))
    #expect(!recording.contains("secret-of-the-app"))
  }
}
