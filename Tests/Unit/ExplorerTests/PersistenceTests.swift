import ApusConfiguration
import ApusExplorerCore
import ApusExplorerPersistence
import ApusExplorerScreen
import ApusExplorerTerminal
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusJSON
import ApusTestSupport
import Testing

/// Collection files, endpoints and headers, driven as by a user.
@Suite(.timeLimit(.minutes(1))) struct PersistenceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func open(
    _ prepare: (inout ExplorerState, inout ExplorerEnvironment) -> Void = { _, _ in },
    _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    var environment = ExplorerEnvironment()
    environment.useExchangeFormats()
    environment.openFiles(in: CollectionStore(folder: folder.root))
    var state = ExplorerState(endpoint: "https://birds.example/graphql", themes: ["Apus dark", "Apus light"])
    prepare(&state, &environment)
    let driver = await ExplorerDriver(state: state, environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    try await drive(driver)
    await driver.quit()
  }

  @Test func `a query is saved with its variables and opened again`() async throws {
    try await open { driver in
      await driver.paste("query Birds { birds }\n")
      await driver.press("Alt-2")
      await driver.paste("{\"first\": 2}")
      await driver.press("Ctrl-S Ctrl-W")
      await driver.type("birds/all")
      await driver.press("Enter")
      #expect(await driver.screen.contains("Saved birds/all.graphql"))
    }
    #expect(try folder.read("birds/all.graphql") == "query Birds { birds }\n")
    #expect(try folder.read("birds/all.variables.json") == "{\"first\": 2}")
    try await open { driver in
      await driver.press("Alt-O")
      await driver.type("all")
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "query Birds { birds }\n")
      #expect(await driver.state.tab.editors.variables.text == "{\"first\": 2}")
      #expect(await driver.lines[0].contains("all.graphql"))
      await driver.type("# more\n")
      #expect(await driver.lines[0].contains("all.graphql +"))
    }
  }

  @Test func `a file changed by another program is overwritten only after confirmation`() async throws {
    try folder.write("a.graphql", "{ a }")
    try await open { driver in
      await driver.press("Alt-O")
      await driver.press("Enter")
      await driver.type("# mine\n")
      try folder.write("a.graphql", "{ theirs }")
      await driver.press("Ctrl-S")
      #expect(await driver.screen.contains("Overwrite a.graphql?"))
      await driver.press("Esc")
      #expect(try folder.read("a.graphql") == "{ theirs }")
      await driver.press("Ctrl-S")
      await driver.press("y")
      #expect(try folder.read("a.graphql") == "# mine\n{ a }")
    }
  }

  @Test func `a change to the variables file alone also requires confirmation`() throws {
    let store = CollectionStore(folder: folder.root)
    try folder.write("a.graphql", "{ a }")
    try folder.write("a.variables.json", "{}")
    let file = try store.read("a.graphql")
    try folder.write("a.variables.json", "{\"theirs\": 1}")
    let saving = try store.write(file, query: "{ mine }", variables: "{\"mine\": 1}", overwrites: false)
    guard case .changedOutside = saving else {
      Issue.record("\(saving)")
      return
    }
    #expect(try folder.read("a.graphql") == "{ a }")
    #expect(try folder.read("a.variables.json") == "{\"theirs\": 1}")
    _ = try store.write(file, query: "{ mine }", variables: "{\"mine\": 1}", overwrites: true)
    #expect(try folder.read("a.graphql") == "{ mine }")
    #expect(try folder.read("a.variables.json") == "{\"mine\": 1}")
  }

  /// Saving such a file would change its bytes.
  @Test(arguments: ["a.graphql", "a.variables.json"])
  func `a file that is not UTF-8 is not opened`(damaged: String) throws {
    try folder.write("a.graphql", "{ birds { name } }")
    try folder.write("a.variables.json", "{\"first\": 10}")
    try folder.damage(damaged)
    let store = CollectionStore(folder: folder.root)
    let error = #expect(throws: ConfigurationError.self) { try store.read("a.graphql") }
    #expect(error?.file == damaged)
  }

  @Test func `a pasted curl command opens as a tab with its headers`() async throws {
    try await open { driver in
      await driver.press("Ctrl-P")
      await driver.type("import requests")
      await driver.press("Enter")
      await driver.paste(
        """
        curl 'https://birds.example/graphql' -H 'content-type: application/json' \\
          -H 'authorization: Bearer abc' --data-raw '{"query":"query B($n: Int) { birds(first: $n) { id } }","variables":{"n":3}}'
        """)
      await driver.press("Enter")
      #expect(await driver.state.tab.editors.query.text == "query B($n: Int) { birds(first: $n) { id } }")
      #expect(await driver.state.tab.editors.variables.text == "{\n  \"n\": 3\n}")
      #expect(await driver.state.tab.editors.headers.text == "authorization: Bearer abc")
      // The secret is masked unless the cursor is on its line.
      await driver.press("Alt-6 Alt-1")
      #expect(await driver.screen.contains("authorization: ••••••••"))
      #expect(await !driver.screen.contains("abc"))
      await driver.press("Ctrl-P")
      await driver.type("as a curl")
      await driver.press("Enter")
      let copied = try #require(await driver.terminal.clipboard)
      #expect(copied.contains("authorization: $AUTHORIZATION"))
      #expect(!copied.contains("abc"))
    }
  }

  @Test func `unsupported options of an imported command are reported`() async throws {
    try await open { driver in
      await driver.press("Ctrl-P")
      await driver.type("import requests")
      await driver.press("Enter")
      await driver.paste("curl -k https://birds.example/ -d '{\"query\":\"{ a }\"}'")
      await driver.press("Enter")
      #expect(await driver.state.screen.notice?.text.contains("Note: curl option -k was not imported: pass") == true)
      // The request is for another endpoint, so the user is asked whether to switch to it.
      #expect(await driver.screen.contains("Open https://birds.example/?"))
      await driver.press("n")
    }
  }

  @Test func `the confirmation shows the complete URL without its secrets`() async throws {
    try await open { driver in
      await driver.press("Ctrl-P")
      await driver.type("import requests")
      await driver.press("Enter")
      await driver.paste("curl 'https://birds.example/?key=abcdef123&x=1' -d '{\"query\":\"{ a }\"}'")
      await driver.press("Enter")
      let screen = await driver.screen
      #expect(screen.contains("Open https://birds.example/?"))
      #expect(screen.contains("https://birds.example/?key=•••&x=1"))
      #expect(!screen.contains("abcdef123"))
      await driver.press("y")
      #expect(await driver.state.popups.last == nil)
    }
  }

  private static let requests = """
    @place = https://other.example

    ### All of them
    POST {{place}}/graphql
    X-Trace: $HOME

    query All { birds { id } }

    ### A page
    GET {{place}}/index.html

    ### One
    POST {{place}}/graphql
    Authorization: Bearer {{token}}

    query One { bird { id } }
    """

  private func importing(_ text: String, _ drive: (ExplorerDriver) async throws -> Void) async throws {
    try await open { driver in
      await driver.press("Ctrl-P")
      await driver.type("import requests")
      await driver.press("Enter")
      await driver.paste(text)
      await driver.press("Enter")
      try await drive(driver)
    }
  }

  @Test func `one request of an imported file can be chosen`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("birds.http", Self.requests)
    for text in [Self.requests, folder.path("birds.http"), "  '\(folder.path("birds.http"))' ", folder.root] {
      try await importing(text) { driver in
        let screen = await driver.screen
        #expect(
          screen.contains("All 2 requests") && screen.contains("A page: "), "\(screen)")
        let picker = try #require(await driver.state.popups.last?.state as? PickerPopup)
        #expect(picker.items.last?.title == "Note: One: no value for {{token}}")
        await driver.type("one")
        await driver.press("Enter")
        #expect(await driver.state.tab.editors.query.text.hasPrefix("query One { bird { id } }"))
        #expect(await driver.state.tab.editors.headers.text == "Authorization: Bearer {{token}}")
        #expect(await driver.screen.contains("Open https://other.example/graphql?"))
        await driver.press("n")
      }
    }
  }

  @Test func `all requests of an imported file can be opened as tabs`() async throws {
    try await importing(Self.requests) { driver in
      let before = await driver.state.tabs.all.count
      await driver.press("Enter")
      let tabs = await driver.state.tabs.all
      #expect(tabs.count == before + 2 && tabs.suffix(2).map(\.name) == ["All of them", "One"])
      // References in a file are not expanded; they are literal text.
      #expect(tabs[before].content.editors.headers.text == "X-Trace: $$HOME")
      #expect(await driver.screen.contains("The request is for this endpoint"))
      await driver.press("n")
    }
  }

  @Test func `the reason for a failed import is shown`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a.har", "{\"log\":{\"entries\":[]}}")
    for (text, words) in [
      (folder.path("a.har"), "There is no GraphQL request in a.har"), (folder.root, "There is no GraphQL request in"),
      ("nothing that is known", "the pasted text"),
      // This is too long for a file name, so it is treated as text.
      (String(repeating: "unknown ", count: 60), "the pasted text"),
    ] {
      try await importing(text) { driver in
        let reported = await driver.state.screen.notice?.text ?? ""
        #expect(reported.contains(words), "\(reported)")
        #expect(await driver.state.popups.isEmpty)
      }
    }
  }

  @Test func `imported and pasted headers are literal`() async throws {
    try await open { driver in
      await driver.press("Ctrl-P")
      await driver.type("import requests")
      await driver.press("Enter")
      await driver.paste("curl https://birds.example/ -H 'X-Evil: $(touch /tmp/x) ${HOME}' -d '{\"query\":\"{ a }\"}'")
      await driver.press("Enter")
      await driver.press("n")
      #expect(await driver.state.tab.editors.headers.text == "X-Evil: $$(touch /tmp/x) $${HOME}")
      await driver.press("Alt-6 Ctrl-End Enter")
      await driver.paste("X-More: $(id)")
      #expect(await driver.state.tab.editors.headers.buffer.line(1) == "X-More: $$(id)")
      #expect(await driver.screen.contains("Pasted literally"))
      // Imported and pasted text has no references; typed text has.
      #expect(
        await driver.state.tab.editors.headers.buffer.lines.allSatisfy { HeaderLine($0)?.liveRanges.isEmpty == true })
      #expect(await !driver.screen.contains("»X-"))
      await driver.press("Enter")
      await driver.type("X-Own: $(date)\nX-Home: $HOME")
      #expect(await driver.screen.contains("3»X-Own: $(date)"))
      #expect(await driver.screen.contains("4$X-Home: $HOME"))
      // The exported command quotes literal values for the shell.
      await driver.press("Ctrl-P")
      await driver.type("as a curl")
      await driver.press("Enter")
      let copied = try #require(await driver.terminal.clipboard)
      #expect(copied.contains("-H 'X-Evil: $(touch /tmp/x) ${HOME}'"))
      #expect(copied.contains("-H \"X-Own: $(date)\""))
    }
  }

  @Test func `text copied from the headers keeps its references only when pasted there`() async throws {
    try await open { driver in
      await driver.paste("# $(id)")
      await driver.press("Ctrl-A Ctrl-C Alt-6")
      await driver.press("Ctrl-V")
      #expect(await driver.state.tab.editors.headers.text == "# $$(id)")
      await driver.press("Ctrl-A")
      await driver.type("X: $HOME")
      await driver.press("Ctrl-A Ctrl-C End Enter Ctrl-V")
      #expect(await driver.state.tab.editors.headers.text == "X: $HOME\nX: $HOME")
    }
  }

  @Test func `headers are sent with the request`() async throws {
    try await open { driver in
      await driver.paste("{ a }")
      await driver.press("Alt-6")
      await driver.type("# who asks\nX-Station: $STATION\nno header here\n")
      await driver.press("F5")
      #expect(await driver.state.tab.response.run?.request?.headers.map(\.name) == ["X-Station"])
      #expect(await driver.state.tab.response.run?.request?.headers.map(\.value) == ["$STATION"])
    }
  }

  @Test func `a mutation on production requires confirmation`() async throws {
    try await open {
      state, environment in
      state.endpoints.profiles = [
        EndpointChoice(name: "staging", url: "https://staging.example"),
        EndpointChoice(name: "live", url: "https://live.example", isProduction: true),
      ]
      environment.endpoint.connect = { name, _ in
        .connected(EndpointChoice(name: name, url: "https://\(name).example", isProduction: name == "live"))
      }
    } _: { driver in
      await driver.press("Alt-s")
      await driver.type("live")
      await driver.press("Enter")
      #expect(await driver.lines[28].hasPrefix(" ▲ live "))
      await driver.paste("mutation Ring { ring }")
      await driver.press("F5")
      #expect(await driver.screen.contains("on production?"))
      #expect(await driver.screen.contains("mutation Ring { ring }"))
      #expect(await driver.state.tab.response.run == nil)
      await driver.press("F5 F5 Enter Enter Enter")
      #expect(await driver.state.tab.response.run == nil)
      #expect(await driver.screen.contains("on production?"))
      await driver.press("Esc F5 y")
      #expect(await driver.state.tab.response.run != nil)
      await driver.press("Alt-s Up Enter")
      #expect(await driver.state.connection.isProduction == false)
    }
  }

  /// The user must scroll to the end of a long mutation, which includes its fragments.
  @Test func `a long mutation on production is confirmed at its end`() async throws {
    try await open { state, environment in
      state.endpoints.profiles = [EndpointChoice(name: "live", url: "https://live.example", isProduction: true)]
      environment.endpoint.connect = { name, _ in
        .connected(EndpointChoice(name: name, url: "https://live.example", isProduction: true))
      }
    } _: { driver in
      await driver.press("Alt-s")
      await driver.type("live")
      await driver.press("Enter")
      let rings = (1...60).map { "  ring\($0): ring" }.joined(separator: "\n")
      await driver.paste("mutation Ring {\n\(rings)\n  ...Last\n}\nfragment Last on Mutation { last: ring }")
      await driver.press("Alt-1 Ctrl-Home F5")
      #expect(await driver.screen.contains("scroll to the end: "))
      await driver.press("y y Enter")
      #expect(await driver.state.tab.response.run == nil)
      await driver.press("PageDown y")
      #expect(await driver.state.tab.response.run == nil)
      await driver.press("End")
      #expect(await driver.screen.contains("fragment Last on Mutation { last: ring }"))
      #expect(await !driver.screen.contains("scroll to the end"))
      // Scrolling back does not require reading the end again.
      await driver.press("Home y")
      #expect(await driver.state.tab.response.run != nil)
    }
  }

  @Test func `a theme is previewed while it is selected`() async throws {
    try await open { driver in
      await driver.press("F7 Down")
      #expect(await driver.state.screen.theme == 1)
      await driver.press("Esc")
      #expect(await driver.state.screen.theme == 0)
      await driver.press("F7 Down Enter")
      #expect(await driver.state.screen.theme == 1)
      #expect(await driver.state.screen.chosenTheme == "Apus light")
    }
  }
}
