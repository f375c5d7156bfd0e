import ApusClientCache
import ApusClientCore
import ApusExplorerCore
import ApusExplorerTestSupport
import ApusExplorerEnvironment
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Testing

/// Errors map to their location in the typed query, although fields are added to the sent query.
@Suite(.timeLimit(.minutes(1))) struct ErrorLocationScenarioTests {
  /// A server that reports an error at a word of the received query.
  private func server(finding word: String) throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      let sent = (try? JSONDocument(parsing: Array(request.bodyText.utf8)).root["query"]?.string) ?? ""
      guard let range = Array(sent.utf8).firstRange(of: Array(word.utf8)) else { return .json("{}", status: 500) }
      let place = Source(bytes: Array(sent.utf8), name: "").location(at: range.lowerBound)
      return .json(
        #"{"data":null,"errors":[{"message":"no \#(word)","locations":[{"line":\#(place.line),"column":\#(place.column)}]}]}"#
      )
    }
  }

  @Test(arguments: [
    "query Birds { bird(id: 1) { wing { span } feather } }",
    "# Größe 🐦\nquery A { a { b } }\n\nquery Birds {\n  bird(note: \"Größe 🐦\") { id feather }\n}",
    "query A { x { y { z } } }\nfragment F on Bird { feather }\nquery Birds { bird { ...F } }",
  ])
  func `an error opens its location in the editor`(query: String) async throws {
    let offset = try #require(Array(query.utf8).firstRange(of: Array("feather".utf8))).lowerBound
    let place = Source(bytes: Array(query.utf8), name: "").location(at: offset)
    let server = try server(finding: "feather")
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw EnvironmentError("refused") })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    // The last line contains the operation that runs.
    await driver.press("Ctrl-End Left Left Left F5")
    #expect(server.requests.last?.bodyText.contains("__typename") == true)
    await driver.press("Alt-3 e")
    #expect(await driver.screen.contains("line \(place.line), column \(place.column)"))
    await driver.press("Tab")
    let cursor = await driver.state.tab.editors.query.cursor
    let rest = await driver.state.tab.editors.query.buffer.line(cursor.line).utf8.dropFirst(cursor.column)
    #expect(cursor.line == place.line - 1)
    #expect(String(decoding: rest, as: UTF8.self).hasPrefix("feather"))
    await driver.quit()
  }

  @Test(arguments: [
    ("{ birds { beak { span } } }", #"["birds",1,"beak","span"]"#, "span }" as String?),
    ("{ birds { a: beak { span b: span } } }", #"["birds",0,"a","b"]"#, "b: span"),
    (
      "query Q { birds { id ...F ...F } }\nfragment F on Bird { id ... { beak { ...W } } }\nfragment W on Beak { span }",
      #"["birds",3,"beak","span"]"#, "span }"
    ),
    ("{ birds { id } }", #"["birds",0,"beak"]"#, nil),
  ])
  func `an error without a location opens the field of its path`(
    query: String, path: String, start: String?
  ) async throws {
    let error = #"{"message":"no feather","path":\#(path)}"#
    let server = try ScriptedServer([.json(#"{"data":null,"errors":[\#(error)]}"#)])
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw EnvironmentError("refused") })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: query), environment: environment, width: 100, height: 30)
    await driver.waitForIdle()
    await driver.press("F5")
    await driver.press("Alt-3 e Tab")
    let editor = await driver.state.tab.editors.query
    #expect(await driver.state.screen.focus == .query)
    let rest = editor.buffer.line(editor.cursor.line).utf8.dropFirst(editor.cursor.column)
    if let start {
      #expect(String(decoding: rest, as: UTF8.self).hasPrefix(start))
    } else {
      #expect(await driver.screen.contains("birds[0].beak is not in the query"))
    }
    await driver.quit()
  }

  @Test(arguments: [
    (#"{"data":[],"errors":[{"message":"no feather"}]}"#, "no feather"),
    (#"{"data":"x","errors":[{"message":"no feather"}]}"#, "no feather"),
    (#"{"data":[]}"#, "the 'data' of a payload"), (#"{"data":[],"errors":[]}"#, "the 'data' of a payload"),
  ])
  func `errors beside data of the wrong kind are the result`(body: String, shown: String) async throws {
    let server = try ScriptedServer([.json(body)])
    let live = LiveEnvironment(
      client: GraphQLClient(url: server.url, store: CacheStore()), schema: { throw EnvironmentError("refused") })
    let environment = live.environment
    let driver = await ExplorerDriver(
      state: ExplorerState(endpoint: server.url, query: "{ birds { id } }"), environment: environment, width: 100,
      height: 30)
    await driver.waitForIdle()
    await driver.press("F5 Alt-3 e")
    #expect(await driver.screen.contains(shown))
    await driver.quit()
  }
}
