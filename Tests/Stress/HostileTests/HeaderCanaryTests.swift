import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusConfiguration
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusSecrets
import ApusTestSupport
import Foundation
import Synchronization
import Testing

/// Two servers record their requests. Headers for one must not be sent to the other, however a session switches
/// servers, unless the user agrees.
@Suite(.timeLimit(.minutes(1))) struct HeaderCanaryTests {
  private let here: ScriptedServer
  private let there: ScriptedServer
  private let home: TemporaryFolder
  private let copied = Copied()

  /// The texts copied to the clipboard.
  private final class Copied: Sendable {
    private let copied = Mutex<[String]>([])
    var last: String { copied.withLock { $0.last ?? "" } }
    func add(_ text: String) { copied.withLock { $0.append(text) } }
  }

  init() throws {
    home = try TemporaryFolder()
    let answers = { @Sendable (_: ScriptedServer.Request, _: Int) in ScriptedAnswer.json(#"{"data":{"a":1}}"#) }
    here = try ScriptedServer(answer: answers)
    there = try ScriptedServer(answer: answers)
  }

  private var hereOrigin: String { "http://127.0.0.1:\(here.port)" }
  private var thereOrigin: String { "http://127.0.0.1:\(there.port)" }

  private static func endpoint(_ url: String, _ store: CacheStore) -> LiveEnvironment.Endpoint {
    let client = GraphQLClient(url: url, store: store)
    var endpoint = LiveEnvironment.Endpoint(
      client: client,
      fetchSchema: { headers in
        switch await SchemaLoader(client: client, headers: headers).load() {
        case .loaded(let schema, _): return schema
        case .unavailable(let error): throw error
        }
      })
    endpoint.resolveHeader = { try $0.resolved(environment: ["LIVE": "from-the-environment"], run: { $0 }) }
    return endpoint
  }

  /// Runs an explorer on the first server, which can switch to the other one.
  private func explore(
    _ query: String = "{ a }", at url: String? = nil, workspace: SavedSession? = nil, store: SessionStore? = nil,
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    let cache = CacheStore()
    let live = LiveEnvironment(Self.endpoint(url ?? here.url, cache), example: "")
    var environment = live.environment
    environment.exchange.putOnClipboard = { [copied] text in
      copied.add(text)
      return .program("test")
    }
    let services = environment
    environment.endpoint.connect = { url, _ in
      let other = LiveEnvironment(Self.endpoint(url, CacheStore()), example: "")
      return .connected(EndpointChoice(name: url, url: url), nil, other.environment(extending: services))
    }
    if let store { environment.saveSession { store } }
    var state = ExplorerState(endpoint: url ?? here.url, query: query)
    if let workspace { state.open(workspace, query: "") }
    let driver = await ExplorerDriver(state: state, environment: environment, width: 120, height: 36)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  private func type(headers: String, _ driver: ExplorerDriver) async {
    await driver.press("Alt-6")
    await driver.type(headers)
    await driver.press("Alt-1")
  }

  private func go(to server: ScriptedServer, _ driver: ExplorerDriver) async {
    await driver.press("Alt-s")
    await driver.type(server.url)
    await driver.press("Enter")
    #expect(await driver.state.connection.endpoint == server.url)
  }

  /// Runs an operation and answers no when asked about headers.
  private func runWithoutWithheld(_ driver: ExplorerDriver) async {
    await driver.press("F5")
    if await driver.screen.contains("Send the ") { await driver.press("n") }
  }

  private func importRequests(_ text: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type("import requests")
    await driver.press("Enter")
    await driver.paste(text)
    await driver.press("Enter")
  }

  private func runs(_ server: ScriptedServer) -> [ScriptedServer.Request] {
    server.requests.filter { !$0.bodyText.contains("__schema") }
  }

  private func sent(_ name: String, _ server: ScriptedServer) -> [String?] { runs(server).map { $0.header(name) } }

  // MARK: Switching servers

  @Test func `a typed header is withheld from another server and confirmed once`() async throws {
    try await explore { driver in
      await type(headers: "Authorization: Bearer planted-token\nX-Plain: of-here", driver)
      await driver.press("F5")
      #expect(sent("Authorization", here) == ["Bearer planted-token"])
      await go(to: there, driver)
      #expect(await driver.screen.contains("2 of 2 headers withheld"))
      await driver.press("F5")
      #expect(await driver.screen.contains("Send the 2 headers of \(hereOrigin) to \(thereOrigin)?"))
      #expect(await driver.screen.contains("Authorization: •••"))
      #expect(await driver.screen.contains("X-Plain: •••"))
      #expect(await !driver.screen.contains("planted-token"))
      #expect(runs(there).isEmpty, "nothing is sent before the answer")
      await driver.press("n")
      #expect(sent("Authorization", there) == [nil] && sent("X-Plain", there) == [nil])
      await driver.press("F5")
      #expect(sent("Authorization", there) == [nil, nil], "asked once, and withheld")
      // A header typed now is only for this server.
      await driver.press("Alt-6 Ctrl-End Enter")
      await driver.type("X-Other: of-there")
      await driver.press("F5")
      #expect(sent("X-Other", there) == [nil, nil, "of-there"])
      await go(to: here, driver)
      await driver.press("F5")
      #expect(await driver.screen.contains("Send the 1 header of \(thereOrigin) to \(hereOrigin)?"))
      await driver.press("Esc")
      #expect(sent("Authorization", here).last == "Bearer planted-token")
      #expect(sent("X-Other", here) == [nil, nil])
    }
    #expect(there.requests.allSatisfy { $0.header("Authorization") == nil && $0.header("X-Plain") == nil })
    #expect(here.requests.allSatisfy { $0.header("X-Other") == nil })
  }

  @Test func `confirming allows a header for the other server`() async throws {
    try await explore { driver in
      await type(headers: "Authorization: Bearer planted-token", driver)
      await go(to: there, driver)
      await driver.press("F5")
      await driver.press("y")
      await driver.press("F5")
      await go(to: here, driver)
      await driver.press("F5")
      #expect(sent("Authorization", there) == ["Bearer planted-token", "Bearer planted-token"])
      #expect(sent("Authorization", here) == ["Bearer planted-token"])
    }
  }

  @Test func `an edited or restored header stays with its server`() async throws {
    try await explore { driver in
      await type(headers: "Authorization: Bearer planted-token\nX-Live: $LIVE", driver)
      await driver.press("F5")
      await go(to: there, driver)
      // An additional letter, an uncommented header, and an undone deletion.
      await driver.press("Alt-6 Ctrl-Home End")
      await driver.type("x")
      await runWithoutWithheld(driver)
      await driver.press("Alt-6 Ctrl-Home")
      await driver.type("# ")
      await driver.press("Ctrl-Home Delete Delete")
      await runWithoutWithheld(driver)
      await driver.press("Alt-6 Ctrl-A Delete")
      await driver.type("Y: 1")
      await driver.press("Ctrl-A Delete")
      for _ in 0..<8 where await !driver.state.tab.editors.headers.text.contains("planted-token") {
        await driver.press("Ctrl-Z")
      }
      #expect(await driver.state.tab.editors.headers.text.contains("planted-token"))
      await runWithoutWithheld(driver)
    }
    #expect(runs(there).count >= 3)
    for request in there.requests {
      #expect(request.header("X-Live") == nil)
      #expect(request.headers.allSatisfy { !$0.value.contains("planted") }, "\(request.headers)")
    }
  }

  @Test func `a replaced value is for the current server`() async throws {
    try await explore { driver in
      await type(headers: "Authorization: Bearer planted-token", driver)
      await go(to: there, driver)
      await driver.press("Alt-6 Ctrl-A Delete")
      await driver.type("Authorization: Bearer other-token")
      await driver.press("F5")
      #expect(sent("Authorization", there) == ["Bearer other-token"])
      await go(to: here, driver)
      await driver.press("F5 n")
      #expect(sent("Authorization", here) == [nil])
    }
  }

  @Test func `the schema is requested only with headers of its server`() async throws {
    try await explore { driver in
      await type(headers: "Authorization: Bearer planted-token", driver)
      await go(to: there, driver)
      await driver.press("Ctrl-P")
      await driver.type("reload the schema")
      await driver.press("Enter")
      await driver.press("n")
    }
    #expect(there.requests.contains { $0.bodyText.contains("__schema") })
    #expect(there.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `subscriptions withhold headers too`() async throws {
    try await explore("subscription { a }") { driver in
      await type(headers: "Authorization: Bearer planted-token", driver)
      await go(to: there, driver)
      await driver.press("F5 n")
    }
    #expect(runs(there).contains { $0.header("Upgrade") != nil || $0.bodyText.contains("subscription") })
    #expect(there.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `running on two servers does not move headers`() async throws {
    try await explore { driver in
      await type(headers: "Authorization: Bearer planted-token", driver)
      await driver.press("Alt-S")
      await driver.type(there.url)
      await driver.press("Enter")
      #expect(sent("Authorization", here) == ["Bearer planted-token"])
      #expect(sent("Authorization", there) == [nil])
      // The first tab stays at its server.
      await driver.press("Ctrl-PageUp F5")
      #expect(sent("Authorization", here) == ["Bearer planted-token", "Bearer planted-token"])
    }
    #expect(there.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `each tab sends its token to its own server only`() async throws {
    try await explore { driver in
      await type(headers: "Authorization: Bearer planted-here", driver)
      await driver.press("F5 Ctrl-T")
      await driver.type("{ b }")
      await go(to: there, driver)
      await type(headers: "Authorization: Bearer planted-there", driver)
      await driver.press("F5 Ctrl-PageUp F5 Ctrl-PageDown F5")
      await driver.press("Ctrl-PageUp")
      await driver.press("Ctrl-P")
      await driver.type("reload the schema")
      await driver.press("Enter")
    }
    #expect(Set(here.requests.map { $0.header("Authorization") }) == [nil, "Bearer planted-here"])
    #expect(Set(there.requests.map { $0.header("Authorization") }) == [nil, "Bearer planted-there"])
    // A run that is replaced before its request leaves sends none.
    #expect(!sent("Authorization", here).isEmpty && !sent("Authorization", there).isEmpty)
  }

  // MARK: Imports and saved sessions

  @Test func `an imported header stays with the server of its request`() async throws {
    try await explore { driver in
      await importRequests(
        "curl \(there.url) -H 'X-Station: planted-import' -d '{\"query\":\"{ a }\"}'", driver)
      #expect(await driver.screen.contains("Open \(there.url)?"))
      await driver.press("n F5")
      #expect(await driver.screen.contains("Send the 1 header of \(thereOrigin) to \(hereOrigin)?"))
      await driver.press("n")
      #expect(sent("X-Station", here) == [nil])
      await go(to: there, driver)
      await driver.press("F5")
      #expect(sent("X-Station", there) == ["planted-import"])
    }
    #expect(here.requests.allSatisfy { $0.header("X-Station") == nil })
  }

  @Test func `headers of a collection stay with the servers of its requests`() async throws {
    let items = [here.url, there.url, "{{base}}/graphql"].map { url in
      """
      {"name": "of \(url)", "request": {"method": "POST", "url": "\(url)",
        "header": [{"key": "X-Station", "value": "for \(url)"}],
        "body": {"mode": "graphql", "graphql": {"query": "{ a }"}}}}
      """
    }
    let collection = """
      {"info": {"name": "all", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
       "item": [\(items.joined(separator: ","))]}
      """
    try await explore { driver in
      await importRequests(collection, driver)
      await driver.press("Enter")
      #expect(await driver.state.tabs.count == 4)
      // A reference in the URL has no value, so the run stops.
      await runWithoutWithheld(driver)
      #expect(sent("X-Station", here).isEmpty)
      await driver.press("Ctrl-PageUp")
      #expect(await driver.screen.contains("Open \(there.url)?"))
      await driver.press("y")
      await runWithoutWithheld(driver)
      await driver.press("Ctrl-PageUp")
      await runWithoutWithheld(driver)
    }
    #expect(sent("X-Station", here) == ["for \(here.url)"])
    #expect(sent("X-Station", there) == ["for \(there.url)"])
  }

  @Test func `a restored session keeps the servers of its headers`() async throws {
    let folders = UserFolders(environment: home.asHome)
    func open() throws -> SessionStore { try SessionStore.open("profile", in: folders, delay: .zero) }
    let store = try open()
    try await explore(store: store) { driver in
      await type(headers: "X-Live: $LIVE", driver)
      await driver.press("F5")
    }
    // The profile now refers to another server.
    let again = try open()
    try await explore(at: there.url, workspace: again.restore(), store: again) { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains("Send the 1 header of \(hereOrigin) to \(thereOrigin)?"))
      await driver.press("n")
    }
    #expect(sent("X-Live", here) == ["from-the-environment"])
    #expect(there.requests.allSatisfy { $0.header("X-Live") == nil })
  }

  // MARK: Extensions

  private func type(extensions: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type("request extensions")
    await driver.press("Enter")
    await driver.type(extensions)
    await driver.press("Enter")
  }

  private func sentExtensions(_ server: ScriptedServer) -> [Bool] {
    runs(server).map { $0.bodyText.contains("planted-extension") }
  }

  @Test func `typed extensions are withheld from another server until confirmed`() async throws {
    try await explore { driver in
      await type(extensions: #"{"key":"planted-extension"}"#, driver)
      await driver.press("F5")
      #expect(sentExtensions(here) == [true])
      await go(to: there, driver)
      #expect(await driver.screen.contains("extensions withheld"))
      await driver.press("F5")
      #expect(sentExtensions(there) == [false])
      await driver.press("Ctrl-P")
      await driver.type("copy as a curl command")
      await driver.press("Enter")
      #expect(!copied.last.contains("planted-extension"))
      #expect(await driver.screen.contains("Copied without the extensions of \(hereOrigin)"))
      await type(extensions: "", driver)
      await driver.press("F5")
      #expect(sentExtensions(there) == [false, true])
      await go(to: here, driver)
      await driver.press("F5")
      #expect(sentExtensions(here) == [true, false])
    }
  }

  @Test func `imported extensions stay with the server of their request`() async throws {
    try await explore { driver in
      let body = #"{"query":"{ a }","extensions":{"key":"planted-extension"}}"#
      await importRequests("curl \(there.url) -d '\(body)'", driver)
      await driver.press("n F5")
      #expect(sentExtensions(here) == [false])
      await go(to: there, driver)
      await driver.press("F5")
      #expect(sentExtensions(there) == [true])
    }
  }

  @Test func `a restored session keeps the servers of its extensions`() async throws {
    let folders = UserFolders(environment: home.asHome)
    func open() throws -> SessionStore { try SessionStore.open("profile", in: folders, delay: .zero) }
    let store = try open()
    try await explore(store: store) { driver in
      await type(extensions: #"{"trace":"planted-extension"}"#, driver)
      await driver.press("F5")
    }
    let again = try open()
    try await explore(at: there.url, workspace: again.restore(), store: again) { driver in
      await driver.press("F5")
      #expect(await driver.screen.contains("extensions withheld"))
    }
    #expect(sentExtensions(here) == [true])
    #expect(sentExtensions(there) == [false])
  }

  // MARK: Export

  @Test func `a request is copied without the headers of another server`() async throws {
    try await explore { driver in
      await type(headers: "X-Plain: of-here", driver)
      await go(to: there, driver)
      await driver.press("Alt-6 Ctrl-End Enter")
      await driver.type("X-Other: of-there")
      for form in ["a curl command", "an HTTP file", "an apus command"] {
        await driver.press("Ctrl-P")
        await driver.type("copy as \(form)")
        await driver.press("Enter")
        #expect(
          copied.last.contains("X-Other: of-there") && !copied.last.contains("of-here"), "\(form): \(copied.last)")
        #expect(await driver.screen.contains("Copied without 1 header of \(hereOrigin)"))
      }
    }
  }
}
