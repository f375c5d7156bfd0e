import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Jobs for which an explorer is opened, each done to its end. `Docs/Development/Jobs.md` describes them.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct JobTests {
  private static let birdSchema = """
    type Query { birds: [Bird!]! bird(id: ID!): Bird }
    type Bird { id: ID! name: String weight: Float }
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    """

  @Test func `first contact: from the schema to a table`() async throws {
    let server = try await DemoProcess()
    let job = try await Job(server.url, query: "# Which stations are there?")
    job.begin()
    try await job.press("F4")
    try await job.write("stations")
    try await job.see("the field of the query first") {
      $0.contains("▌ Query.stations ") && $0.contains("MigrationHistory.stations")
    }
    try await job.press("C-t")
    try await job.see("the query") { $0.contains("query Stations {") && !$0.contains("Esc close") }
    try await job.press("F5")
    try await job.see("● complete")
    try await job.press("M-3", "t")
    try await job.see("the table") { $0.contains("Falsterbo") && $0.contains("country") && $0.contains("Esc tree") }
    try await job.end("First contact")
  }

  /// The token of the profile has expired, and then the server reports an error in a field.
  @Test func `token and failures: from an expired token to the wrong field`() async throws {
    let home = try TemporaryFolder()
    let printed = home.path("token")
    try home.write("token", "first")
    try home.write("schema.graphql", Self.birdSchema)
    let server = try ScriptedServer { request, _ in
      guard let token = try? String(contentsOfFile: printed, encoding: .utf8),
        request.header("Authorization") == "Bearer \(token)"
      else { return .json(#"{"errors":[{"message":"The token has expired"}]}"#, status: 401) }
      let document = (try? JSONDocument(parsing: request.bodyText).root["query"]?.string) ?? ""
      let column = document.firstRange(of: "weight").map { document[..<$0.lowerBound].utf16.count + 1 } ?? 0
      let place = #""locations":[{"line":1,"column":\#(column)}],"path":["bird","weight"]"#
      let bird = #"{"__typename":"Bird","id":"b1","name":"Swift","weight":null}"#
      return .json(#"{"data":{"bird":\#(bird)},"errors":[{"message":"The scales are broken",\#(place)}]}"#)
    }
    try home.write(
      "config/config.yml",
      """
      profiles:
        staging:
          url: \(server.url)
          schema: \(home.path("schema.graphql"))
          headers:
            Authorization: "Bearer $(cat \(printed))"
      """)
    let job = try await Job("staging", query: #"{ bird(id: "b1") { name weight } }"#, home: home)
    try home.write("token", "second")
    job.begin()
    try await job.press("F5")
    try await job.see("✗ The scales are broken")
    #expect(server.requests.suffix(2).map { $0.header("Authorization") } == ["Bearer first", "Bearer second"])
    try await job.press("M-3", "e")
    try await job.see("bird.weight")
    try await job.press("Tab")
    try await job.see("the query") { $0.contains("━ 1 Query") }
    #expect(try await job.session.state("#{cursor_x},#{cursor_y}") == "28,1")
    try await job.end("Token and failures")
  }

  /// Two of 40 fragments fail, and one in the middle arrives last.
  @Test func `deferred debugging: from a slow response to the guilty fragments`() async throws {
    let home = try TemporaryFolder()
    try home.write("schema.graphql", Self.birdSchema)
    let gate = Gate()
    let server = try ScriptedServer([Self.deferred(count: 40, failing: [17, 31], last: 20, gate)])
    let query = "{\n  birds {\n    id\n    ... @defer(label: \"details\") { name }\n  }\n}"
    let job = try await Job("\(server.url) --schema \(home.path("schema.graphql"))", query: query, home: home)
    try await job.press("F5")
    try await job.see("all but one") { $0.contains("◌1") && $0.contains("✗2") }
    gate.open()
    try await job.see("all") { $0.contains("41 payloads") && $0.contains("✗ 2 errors") }
    job.begin()
    try await job.press("M-4", "f")
    try await job.see("1 of 2 failed: details failed: The station of 17 does not respond")
    try await job.press("f")
    try await job.see("2 of 2 failed: details failed: The station of 31 does not respond")
    try await job.press("t")
    try await job.see("the slowest fragment") { $0.contains("▌ ● details [20]") && $0.contains("1 of 40 by own time") }
    try await job.press("y")
    try await job.see("Copied")
    #expect(try await job.session.clipboard().contains("birds[20]"))
    try await job.end("Deferred debugging")
  }

  private static func deferred(count: Int, failing: Set<Int>, last: Int, _ gate: Gate) -> ScriptedAnswer {
    let birds = (0..<count).map { #"{"__typename":"Bird","id":"b\#($0)"}"# }.joined(separator: ",")
    let pending = (0..<count).map { #"{"id":"\#($0)","label":"details","path":["birds",\#($0)]}"# }
    let first = #"{"data":{"birds":[\#(birds)]},"pending":[\#(pending.joined(separator: ","))],"hasNext":true}"#
    let order = (0..<count).filter { $0 != last } + [last]
    let others = order.map { index -> ScriptedAnswer.Piece in
      let hasNext = #""hasNext":\#(index != last)"#
      guard !failing.contains(index) else {
        let errors = #"[{"message":"The station of \#(index) does not respond"}]"#
        return .text(#"{"completed":[{"id":"\#(index)","errors":\#(errors)}],\#(hasNext)}"#)
      }
      let data = #"[{"id":"\#(index)","data":{"name":"Bird \#(index)"}}]"#
      return .text(#"{"incremental":\#(data),"completed":[{"id":"\#(index)"}],\#(hasNext)}"#)
    }
    return .multipart(
      specification: "incrementalSpec=v0.2", [.text(first)] + others.dropLast() + [.hold(gate)] + others.suffix(1))
  }

  /// An application's cache has a value, and only the value is known.
  @Test func `cache: from a value to its record in an application's cache`() async throws {
    let server = try await DemoProcess()
    let home = try TemporaryFolder()
    let query = "{ birds(first: 50) { edges { node { id name species { id commonName } } } } }"
    try home.make("work")
    _ = try await ChildProcess.apus("query", server.url, "-q", query, "--db", home.path("work/app.db"))
    let job = try await Job(server.url, query: "# The cache of an application", home: home)
    job.begin()
    try await job.press("C-p")
    try await job.write("exte")
    try await job.see("▌Open an external cache")
    try await job.press("Enter")
    try await job.see("Enter accept")
    try await job.write("app.db")
    try await job.press("Enter")
    try await job.see("━ 5 Cache 121")
    try await job.press("/")
    try await job.write("value:spoon")
    try await job.see("the only record") { $0.contains("1 of 121") && $0.contains("Species:sp5") }
    try await job.press("Enter", "Enter")
    try await job.see("the record with its referrers") {
      $0.contains("commonName: \"Spoon-billed Sandpiper\"") && $0.contains("referred to by Bird:b24")
    }
    try await job.end("Cache")
  }

  /// A list is paged from its end, and some of its rows are wanted elsewhere.
  @Test func `paging: from one page to some rows of all pages`() async throws {
    let server = try await DemoProcess()
    let query = """
      query Birds {
        birds(last: 50) {
          edges {
            node { id name ring }
          }
          pageInfo { hasPreviousPage startCursor }
        }
      }
      """
    let job = try await Job(server.url, query: query)
    try await job.press("F5")
    try await job.see("50 items, Alt-p before")
    job.begin()
    try await job.press("M-3", "N")
    try await job.see("1,248 items, all")
    try await job.press("t", "f")
    try await job.write("Skagen")
    try await job.see("the filtered rows") { $0.contains("rows Skagen") && $0.contains(" of 1,248") }
    try await job.press("Enter", "y")
    try await job.see("All rows as CSV")
    try await job.press("Down", "Down", "Down", "Down", "Enter")
    try await job.see("Copied")
    let rows = try await job.session.clipboard().split(whereSeparator: \.isNewline)
    #expect(rows.first == "id,name,ring")
    #expect(rows.count > 20)
    #expect(rows.dropFirst().filter { !$0.contains("Skagen") } == [])
    try await job.end("Paging")
  }
}
