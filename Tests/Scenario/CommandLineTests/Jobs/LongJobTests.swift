import ApusTestSupport
import Foundation
import Testing

/// Jobs with several requests, tabs or endpoints. `Docs/Development/Jobs.md` describes them.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct LongJobTests {
  /// A photo is uploaded, and the events of a subscription are saved.
  @Test func `mutations, uploads, subscriptions: from a file to a file`() async throws {
    let server = try await DemoProcess()
    let home = try TemporaryFolder()
    try home.write("work/kingfisher-at-the-river.jpg", "a photo")
    let mutation = """
      mutation Add($f: Upload!) {
        addPhotos(bird: "b1", photos: [$f]) { photos { name size } }
      }
      """
    let job = try await Job(server.url, query: mutation, home: home)
    job.begin()
    try await job.press("M-2")
    try await job.write(#"{"f": ""#)
    try await job.write("king")
    try await job.see("the completion") { !$0.lines(with: " kingfisher-at-the-river.jpg ").isEmpty }
    try await job.press("Tab")
    try await job.see(#"{"f": "kingfisher-at-the-river.jpg"}"#)
    try await job.press("F5")
    try await job.see("the uploaded photo") { $0.contains("name: \"kingfisher") && $0.contains("size: 7") }
    try await job.press("C-t")
    try await job.write("subscription {countdown(from:3")
    try await job.press("F5")
    try await job.see("the events") { $0.contains("countdown: 0") && $0.contains("● complete") }
    try await job.press("C-p")
    try await job.write("save")
    try await job.see("▌Save the query")
    try await job.press("Down", "Down")
    try await job.see("▌Save the response")
    try await job.press("Enter")
    try await job.see("events.ndjson")
    try await job.press("Enter")
    try await job.see("the message") { $0.contains("events.ndjson") && !$0.contains("Enter accept") }
    let events = try home.read("work/events.ndjson").split(separator: "\n")
    #expect(events.count == 4 && events.last?.contains("0") == true, "\(events)")
    try await job.end("Mutations, uploads, subscriptions")
  }

  /// A colleague sends a command that a browser copied. It is run, and its answer goes back as a command.
  @Test func `collections and sharing: from a browser's curl command to another`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"bird":{"id":"b1","name":"Swift"}}}"#)])
    // Firefox writes an exclamation mark as an octal escape.
    let document = #"query One($id: ID\041) { bird(id: $id) { id name } }"#
    let curl =
      "curl '\(server.url)' -X POST -H 'User-Agent: Mozilla/5.0' -H 'Content-Type: application/json' -H 'X-Team: birds' "
      + #"-H 'Authorization: Bearer abc123secret456' --data-raw $'{"query":"\#(document)","variables":{"id":"b1"}}'"#
    let home = try TemporaryFolder()
    try home.write("schema.graphql", "type Query { bird(id: ID!): Bird } type Bird { id: ID! name: String }")
    let job = try await Job("\(server.url) --schema \(home.path("schema.graphql"))", query: " ", home: home)
    job.begin()
    try await job.paste(curl)
    try await job.see("the question") { $0.contains("Import the curl command?") && $0.contains("ID!") }
    try await job.session.readQuestion()
    try await job.press("y")
    try await job.see("the imported query") { $0.contains("query One($id: ID!)") && $0.contains("6 Headers 3") }
    try await job.press("F5")
    try await job.see("the response") { $0.contains("name: \"Swift\"") && $0.contains("● complete") }
    let sent = try #require(server.requests.last)
    #expect(sent.bodyText.contains("ID!") && sent.header("Authorization") == "Bearer abc123secret456")
    try await job.press("C-p")
    try await job.write("curl")
    try await job.see("▌Copy as a curl command")
    try await job.press("Enter")
    try await job.see("set AUTHORIZATION before you run it")
    let copied = try await job.session.clipboard()
    #expect(copied.contains("-H \"Authorization: $AUTHORIZATION\"") && !copied.contains("abc123secret456"))
    try await job.end("Collections and sharing")
  }

  /// A query from a chat has typographic quotes, other spaces and a wrong name, and its variables have a comment.
  @Test func `editing: from a damaged query to a response`() async throws {
    let server = try await DemoProcess()
    let query = """
      query One($id: ID!) {
        bird(id: $id) {
      \u{A0}\u{A0}\u{A0}\u{A0}id
          name
          wieght
        }
        search(text: “swift”) {
          __typename
        }
      }
      """
    let job = try await Job(server.url, query: "# A query from a chat")
    try await job.session.type("C-a", "BSpace")
    job.begin()
    try await job.paste(query)
    try await job.see("1 Query ✗7")
    try await job.press("F8", "M-Enter")
    try await job.see("Replace all 6 such characters")
    try await job.press("Down", "Enter")
    try await job.see("1 Query ✗1")
    try await job.press("F8", "M-Enter")
    try await job.see("▌  Change wieght to weight")
    try await job.press("Enter")
    try await job.see("no errors") { $0.contains("    weight") && !$0.contains("✗") }
    try await job.press("M-2")
    try await job.paste("{\n  // the bird of the report\n  \"id\": \"b42\",\n}")
    try await job.press("F5")
    try await job.see("the response") {
      $0.contains("● complete") && $0.contains("id: \"b42\"") && $0.contains("weight: ")
    }
    try await job.end("Editing")
  }

  /// While a slow request runs, the same explorer answers a question about another environment.
  @Test func `a long session: from one environment to another and back`() async throws {
    let gate = Gate()
    let staging = try ScriptedServer { _, index in
      .json(#"{"data":{"bird":{"name":"Swift \#(index + 1)"}}}"#).held(by: gate)
    }
    let live = try ScriptedServer([.json(#"{"data":{"bird":{"name":"Stork"}}}"#)])
    let home = try environments(staging: staging.url, live: live.url)
    let job = try await Job("staging", query: #"query Slow { bird(id: "b1") { name } }"#, home: home)
    job.begin()
    try await job.press("F5")
    _ = try await staging.request()
    try await job.press("C-t", "M-s")
    try await job.see("Open an endpoint")
    try await job.write("li")
    try await job.see("▌  live ")
    try await job.press("Enter")
    try await job.see("the endpoints of the tabs") { $0.contains("1 Slow │ staging") && $0.contains("2 Tab 2 │ live") }
    try await job.write("{bird(id:1){name")
    try await job.press("F5")
    try await job.see("name: \"Stork\"")
    gate.open()
    try await job.press("C-PageUp")
    try await job.see("the response of the slow request") { $0.contains("Swift 1") && $0.contains("staging http://") }
    try await job.press("F5")
    try await job.see("another response") { $0.contains("Swift 2") }
    #expect(live.requests.count == 1 && staging.requests.count == 2)
    try await job.press("M-H")
    try await job.see("the runs of both environments") {
      $0.contains("×2") && $0.contains("query          {bird(id:1){name}}")
    }
    try await job.press("Down", "Enter")
    try await job.see("the tab of the other environment") { $0.contains("from the history") && $0.contains("Stork") }
    try await job.end("A long session")
  }

  /// The explorer is closed with two tabs, and everything is there the next day.
  @Test func `leaving and returning: from two tabs to the same two tabs`() async throws {
    let staging = try ScriptedServer([.json(#"{"data":{"bird":{"name":"Swift"}}}"#)])
    let live = try ScriptedServer([.json(#"{"data":{"bird":{"name":"Stork"}}}"#)])
    let home = try environments(staging: staging.url, live: live.url)
    let job = try await Job("staging", query: #"query First { bird(id: "b1") { name } }"#, home: home)
    try await job.press("F5")
    try await job.see("name: \"Swift\"")
    try await job.press("C-t", "M-s")
    try await job.see("Open an endpoint")
    try await job.write("li")
    try await job.see("▌  live ")
    try await job.press("Enter")
    try await job.see("│ live")
    try await job.write("query Second {bird(id:1){name")
    try await job.press("F5")
    try await job.see("name: \"Stork\"")
    job.begin()
    try await job.press("C-q")
    try await job.see("the shell") { !$0.contains("1 Query") }
    try await job.write("apus staging")
    try await job.press("Enter")
    try await job.see("the tabs") { $0.contains("1 First │ staging") && $0.contains("2 Second │ live") }
    try await job.see("name: \"Swift\"")
    try await job.press("C-PageDown")
    try await job.see("the other tab") { $0.contains("name: \"Stork\"") && $0.contains(live.url) }
    try await job.press("F5")
    _ = try await live.request(1)
    try await job.see("the response") { $0.contains("● complete") && $0.contains("Stork") }
    #expect(staging.requests.count == 1)
    try await job.end("Leaving and returning")
  }

  private func environments(staging: String, live: String) throws -> TemporaryFolder {
    let home = try TemporaryFolder()
    try home.write("schema.graphql", "type Query { bird(id: ID!): Bird } type Bird { name: String }")
    let schema = "schema: \(home.path("schema.graphql"))"
    try home.write(
      "config/config.yml",
      """
      profiles:
        staging:
          url: \(staging)
          \(schema)
        live:
          url: \(live)
          \(schema)
      """)
    return home
  }
}
