import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerTestSupport
import ApusSecrets
import ApusTestSupport
import Testing

/// References of an import in the explorer: their marks, their values, and the notes of the import.
@Suite(.timeLimit(.minutes(1))) struct ImportedReferenceScenarioTests {
  /// Runs an explorer whose profile defines `region`.
  private func explore(_ drive: (ExplorerDriver, ScriptedServer) async throws -> Void) async throws {
    let server = try ScriptedServer { _, _ in .json(#"{"data":{"a":1}}"#) }
    var endpoint = LiveEnvironment.Endpoint(
      client: GraphQLClient(url: server.url, store: CacheStore()),
      fetchSchema: { _ in throw EnvironmentError("refused") })
    endpoint.environmentNames = ["region"]
    endpoint.environmentValue = { _ in "north" }
    let environment = LiveEnvironment(endpoint, secrets: SecretValues()).environment
    var state = ExplorerState(
      endpoint: server.url, query: "query Q($r: String) { a(r: $r) }", variables: #"{"r":"{{region}} {{other}}"}"#)
    var choice = EndpointChoice(name: "birds", url: server.url)
    choice.environmentNames = ["region"]
    state.connection.take(choice)
    let driver = await ExplorerDriver(state: state, environment: environment, width: 120, height: 40)
    await driver.waitForIdle()
    try await drive(driver, server)
    await driver.quit()
    server.stop()
  }

  private func collection(url: String) -> String {
    let body =
      #"{"mode":"graphql","graphql":{"query":"query Q($t: String, $n: Int) { a(t: $t, n: $n, s: \"{{word}}\") }","#
      + #""variables":"{\"t\": \"{{word}} {{region}}\", \"n\": {{n}}}"}}"#
    return #"{"info":{"schema":"/collection/v2.1.0"},"item":[{"name":"A","event":[{"listen":"test","script":"#
      + #"{"exec":["x()"]}}],"request":{"method":"POST","header":[{"key":"Authorization","value":"Bearer {{token}}"}],"#
      + #""body":\#(body),"url":{"raw":"\#(url)"}}}]}"#
  }

  private func importing(_ text: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type("Import requests")
    await driver.press("Enter")
    await driver.paste(text)
    await driver.press("Enter")
  }

  private func set(_ name: String, _ value: String, _ driver: ExplorerDriver) async {
    await driver.press("Ctrl-P")
    await driver.type("Request options")
    await driver.press("Enter")
    await driver.type("{{\(name)}}")
    await driver.press("Enter")
    await driver.type(value)
    await driver.press("Enter")
  }

  @Test func `references of an import are marked, stop the run, and are replaced by their values`() async throws {
    try await explore { driver, server in
      await importing(collection(url: "{{host}}/graphql"), driver)
      for (pane, names) in [(PaneID.query, ["word"]), (.variables, ["word", "n"]), (.headers, ["token"])] {
        let messages = await driver.state.analysis(in: pane).diagnostics.map(\.message)
        #expect(messages.count == names.count, "\(pane): \(messages)")
        for name in names { #expect(messages.contains { $0.hasPrefix("{{\(name)}} has no value") }, "\(messages)") }
      }
      await driver.press("F5")
      await driver.press("y")
      #expect(server.requests.isEmpty)
      #expect(await driver.screen.contains("Nothing was sent: {{"))
      for (name, value) in [("word", "a\"b"), ("n", "3"), ("token", "hush-hush-hush")] {
        await set(name, value, driver)
      }
      #expect(await driver.state.analysis(in: .variables).diagnostics.isEmpty)
      await driver.press("F5")
      #expect(server.requests.isEmpty)
      #expect(await driver.screen.contains("{{host}} has no value"))
      // With all values, the tab is at the endpoint of the import, which is the open one.
      await set("host", server.url.replacing("/graphql", with: ""), driver)
      await driver.press("F5")
      let shown = await driver.screen
      let sent = try #require(server.requests.last, "\(shown)")
      #expect(sent.header("Authorization") == "Bearer hush-hush-hush")
      #expect(sent.bodyText.contains(#""t":"a\"b north""#) && sent.bodyText.contains(#""n":3"#), "\(sent.bodyText)")
      #expect(sent.bodyText.contains(#"s: \"a\\\"b\""#), "\(sent.bodyText)")
      // The list has the values, except those with the name of a credential.
      await driver.press("Ctrl-P")
      await driver.type("Request options")
      await driver.press("Enter")
      let list = await driver.screen
      #expect(list.contains("a\"b") && list.contains(Redactor.mark) && !list.contains("hush"), "\(list)")
    }
  }

  @Test func `values of the imported file are listed, sent, and changed in one place`() async throws {
    try await explore { driver, server in
      let values =
        #""variable":[{"key":"host","value":"\#(server.url.replacing("/graphql", with: ""))"},"#
        + #"{"key":"word","value":"robin"},{"key":"n","value":"3"},{"key":"token","value":"hush-hush-hush"}],"#
      await importing(
        collection(url: "{{host}}/graphql").replacing(#""item":"#, with: "\(values)\"item\":", maxReplacements: 1),
        driver)
      #expect(await driver.state.tab.editors.query.text.contains("s: \"{{word}}\""))
      #expect(await driver.state.tab.editors.variables.text.contains("\"n\": 3"))
      for pane in [PaneID.query, .variables, .headers] {
        #expect(await driver.state.analysis(in: pane).diagnostics.isEmpty, "\(pane)")
      }
      func sent() async throws -> String {
        await driver.press("F5")
        return try #require(server.requests.last).bodyText
      }
      #expect(try await sent().contains(#"s: \"robin\""#))
      #expect(server.requests.last?.header("Authorization") == "Bearer hush-hush-hush")
      await driver.press("Ctrl-P")
      await driver.type("Request options")
      await driver.press("Enter")
      let list = await driver.screen
      #expect(list.contains("robin") && list.contains("{{host}}") && !list.contains("hush"), "\(list)")
      await driver.press("Escape")
      await driver.press("Ctrl-P")
      await driver.type("Request options")
      await driver.press("Enter")
      await driver.type("{{word}}")
      await driver.press("Enter")
      await driver.press("Ctrl-U")
      await driver.type("eagle")
      await driver.press("Enter")
      let body = try await sent()
      #expect(body.contains(#"s: \"eagle\""#) && body.contains(#""t":"eagle north""#), "\(body)")
    }
  }

  @Test func `a name of the profile is a reference in variables, and other braces are text`() async throws {
    try await explore { driver, server in
      #expect(await driver.state.analysis(in: .variables).diagnostics.isEmpty)
      await driver.press("F5")
      let sent = try #require(server.requests.last)
      #expect(sent.bodyText.contains(#""r":"north {{other}}""#), "\(sent.bodyText)")
    }
  }

  @Test func `a URL with references belongs to no endpoint until another one is chosen`() async throws {
    try await explore { driver, server in
      await importing(collection(url: "https://{{host}}/graphql"), driver)
      #expect(await driver.state.tab.runOptions.importedURL == "https://{{host}}/graphql")
      await set("host", "birds.example", driver)
      #expect(await driver.screen.contains("Open https://birds.example/graphql?"))
      await driver.press("Escape")
      // The user declined the endpoint, and uses the open one.
      #expect(await driver.state.tab.runOptions.importedURL.isEmpty)
      #expect(await driver.state.connection.endpoint == server.url)
    }
  }

  @Test func `the notes of an import are shown in full, also later`() async throws {
    try await explore { driver, _ in
      await importing(collection(url: "https://{{host}}/graphql"), driver)
      #expect(await driver.screen.contains("\"Notes of the import\""))
      await driver.press("Alt-2")
      await driver.press("Ctrl-P")
      await driver.type("Notes of the import")
      await driver.press("Enter")
      let screen = await driver.screen
      #expect(screen.contains("no value for {{host}}, {{n}}") && screen.contains("script"), "\(screen)")
    }
  }
}
