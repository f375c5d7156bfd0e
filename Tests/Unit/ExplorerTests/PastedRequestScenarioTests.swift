import ApusExplorerCore
import ApusExplorerTestSupport
import Testing

/// A curl command that is pasted into the query.
@Suite(.timeLimit(.minutes(1))) struct PastedRequestScenarioTests {
  private static let command = """
    curl 'http://127.0.0.1:9/graphql' -k -H 'Authorization: Bearer hush' -H 'X-Team: birds' \\
      --data-raw '{"query":"query B($n: Int) { birds(first: $n) { id } }","variables":{"n":3}}'
    """

  private func open(
    _ query: String = "{ a }", _ drive: (ExplorerDriver) async throws -> Void
  ) async throws {
    try await writeWithDemoSchema(query, variables: "", example: "", width: 100, height: 40, drive)
  }

  @Test(arguments: [
    "", "$ ", "\n  ", "\u{FEFF}", "# birds\n", "TOKEN=x ", "TOKEN=x\n\n", "sudo ", "env A=b /usr/bin/",
  ])
  func `the import of a curl command is offered with its contents, and opens a tab`(prompt: String) async throws {
    try await open { driver in
      await driver.paste(prompt + Self.command)
      let screen = await driver.screen
      for text in [
        "Import the curl command?", "http://127.0.0.1:9/graphql", "Authorization: •••", "X-Team: birds",
        "query B($n: Int) { birds(first: $n) { id } }", "\"n\": 3",
        "Note: curl option -k was not imported: pass --insecure to Apus",
      ] {
        #expect(screen.contains(text), "\(text) in \(screen)")
      }
      #expect(!screen.contains("hush"))
      #expect(await driver.state.tab.editors.query.text == "{ a }")
      await driver.press("y")
      #expect(await driver.state.tabs.all.count == 2)
      #expect(await driver.state.tab.editors.query.text == "query B($n: Int) { birds(first: $n) { id } }")
      #expect(await driver.state.tab.editors.headers.text.contains("X-Team: birds"))
      #expect(await driver.state.tab.response.run == nil)
    }
  }

  @Test func `a declined curl command is pasted as text`() async throws {
    try await open("") { driver in
      await driver.paste(Self.command)
      await driver.press("n")
      #expect(await driver.state.tab.editors.query.text == Self.command)
      #expect(await driver.state.tabs.all.count == 1)
    }
  }

  @Test func `a command without GraphQL and other text are pasted`() async throws {
    try await open("") { driver in
      await driver.paste("curl https://birds.example/rest")
      #expect(await driver.state.tab.editors.query.text == "curl https://birds.example/rest")
      #expect(await driver.screen.contains("Pasted as text"))
      await driver.press("Ctrl-A")
      await driver.paste("{ curl }")
      #expect(await driver.state.tab.editors.query.text == "{ curl }")
      await driver.press("Alt-2")
      await driver.paste("curl x")
      #expect(await driver.state.tab.editors.variables.text == "curl x")
    }
  }

  @Test(arguments: [
    "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -Uri 'http://x/g' -Body '{}'",
    "invoke-restmethod http://x/g -Method Post", "PS C:\\> Invoke-WebRequest http://x/g", "irm http://x/g -Body $body",
  ])
  func `a request for PowerShell is pasted as text, with the advice to copy it as cURL`(text: String) async throws {
    try await open("") { driver in
      await driver.paste(text)
      #expect(await driver.state.tab.editors.query.text == text)
      let screen = await driver.screen
      #expect(screen.contains("Pasted as text: the pasted text is for PowerShell; copy it as cURL"), "\(screen)")
    }
  }
}
