import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Jobs of every day with two servers, a sign-in, a form and a saved password. `Docs/Development/Jobs.md` describes them.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct EverydayJobTests {
  /// A query works on the development server, and production does not have one of its fields yet.
  @Test func `two environments: from a response here to the error there`() async throws {
    let development = try ScriptedServer([.json(#"{"data":{"bird":{"name":"Swift","weight":44}}}"#)])
    let error = #"{"message":"Cannot query field \"weight\" on type \"Bird\".","locations":[{"line":1,"column":29}]}"#
    let production = try ScriptedServer([.json("{\"errors\":[\(error)]}", status: 400)])
    let home = try TemporaryFolder()
    try home.write(
      "config/config.yml",
      "profiles:\n" + Self.profile("dev", development.url, home) + Self.profile("prod", production.url, home))
    try home.write(
      "schema.graphql", "type Query { bird(id: ID!): Bird } type Bird { id: ID! name: String weight: Int }")
    let job = try await Job("dev", query: #"query B { bird(id: "b1") { name weight } }"#, home: home)
    job.begin()
    try await job.press("M-S")
    try await job.see("Run on another endpoint")
    try await job.write("pr")
    try await job.see("▌  prod ")
    try await job.press("Enter")
    try await job.see("the error next to the response") {
      $0.contains("pinned: query B, dev") && $0.contains("no data to compare") && $0.contains("weight: 44")
    }
    try await job.press("M-3", "e")
    try await job.see("Cannot query field")
    try await job.press("Tab")
    try await job.see("the query") { $0.contains("━ 1 Query") }
    try await job.end("Two environments")
  }

  private static func profile(_ name: String, _ url: String, _ home: TemporaryFolder) -> String {
    "  \(name):\n    url: \(url)\n    schema: \(home.path("schema.graphql"))\n"
  }

  /// A sign-in returns a token, which the request of another tab needs.
  @Test func `sign-in: from the token of one tab to the request of another`() async throws {
    let server = try ScriptedServer { request, _ in
      if request.bodyText.contains("signIn") { return .json(#"{"data":{"signIn":{"token":"t0ken-of-ada"}}}"#) }
      return request.header("Authorization") == "Bearer t0ken-of-ada"
        ? .json(#"{"data":{"me":{"name":"Ada"}}}"#) : .json(#"{"errors":[{"message":"Sign in"}]}"#, status: 401)
    }
    let home = try TemporaryFolder()
    try home.write(
      "schema.graphql",
      "type Query { me: User } type Mutation { signIn(name: String!): Session } type User { name: String } "
        + "type Session { token: String }")
    let job = try await Job(
      "\(server.url) --schema \(home.path("schema.graphql"))", query: #"mutation { signIn(name: "ada") { token } }"#,
      home: home)
    job.begin()
    try await job.press("F5")
    try await job.see("t0ken-of-ada")
    try await job.press("M-3", "Down", "c")
    try await job.see("Copied")
    try await job.press("C-t")
    try await job.write("{me{name")
    try await job.press("M-6")
    try await job.write("Authorization: Bearer ")
    try await job.press("C-v")
    try await job.see("the header") { !$0.lines(with: "Bearer t0ken-of-ada").isEmpty }
    try await job.press("F5")
    try await job.see("name: \"Ada\"")
    try await job.end("Sign-in")
  }

  /// An input with a list of objects is filled in without writing JSON.
  @Test func `a form: from an empty list to the response`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"route":120}}"#)])
    let home = try TemporaryFolder()
    try home.write(
      "schema.graphql",
      "type Query { route(stops: [Stop!]!): Int } input Stop { station: ID! kind: Kind! } enum Kind { NEST FEEDER }")
    let job = try await Job(
      "\(server.url) --schema \(home.path("schema.graphql"))",
      query: "query Route($stops: [Stop!]!) { route(stops: $stops) }", home: home)
    job.begin()
    try await job.press("M-v")
    try await job.see("$stops ▲ required")
    try await job.press("Down", "Enter")
    try await job.see("station ▲ required")
    try await job.write("S1")
    try await job.press("Enter")
    try await job.see("station \"S1\"")
    try await job.press("Down")
    try await job.write("F")
    try await job.see("FEEDER")
    try await job.press("Enter")
    try await job.see("kind \"FEEDER\"")
    try await job.press("F5")
    try await job.see("route: 120")
    let sent = try #require(server.requests.last.flatMap { try? JSONDocument(parsing: $0.bodyText).root })
    #expect(sent["variables"].map { JSONWriter.compact($0) } == #"{"stops":[{"station":"S1","kind":"FEEDER"}]}"#)
    try await job.end("A form")
  }

  /// The session keeps the request of a sign-in without its password.
  @Test func `a password: from a restored request to its response`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"signIn":{"token":"t0ken"}}}"#)])
    let home = try TemporaryFolder()
    try home.write(
      "schema.graphql",
      "type Query { me: Int } type Mutation { signIn(name: String!, password: String!): Session } "
        + "type Session { token: String }")
    let command = "\(server.url) --schema \(home.path("schema.graphql"))"
    let job = try await Job(
      command, query: #"mutation { signIn(name: "ada", password: "hush-hush") { token } }"#, home: home)
    try await job.press("F5")
    try await job.see("● complete")
    try await job.quit()
    try await job.session.run("clear; apus \(command)")
    try await job.see("the restored tab") { $0.contains("password: \"•••\"") && $0.contains("types") }
    job.begin()
    try await job.press("F5")
    try await job.see("the missing secret") { $0.contains("password") && !$0.contains("● complete  1 payload  sent") }
    try await job.write("hush")
    try await job.press("F5")
    try await job.see("the response") { _ in server.requests.count == 2 }
    #expect(server.requests.last?.bodyText.contains(#"password: \"hush\""#) == true)
    try await job.end("A password")
  }

  /// A file is uploaded, and a colleague gets the request as a curl command, which uploads it too.
  @Test func `an upload: from a file to a curl command`() async throws {
    let server = try ScriptedServer { _, _ in .json(#"{"data":{"photo":7}}"#) }
    let home = try TemporaryFolder()
    try home.write("work/kingfisher-at-the-river.jpg", "a photo")
    try home.write(
      "schema.graphql", "scalar Upload type Query { a: Int } type Mutation { photo(file: Upload!, title: String): Int }"
    )
    let job = try await Job(
      "\(server.url) --schema \(home.path("schema.graphql"))",
      query: #"mutation Add($f: Upload!) { photo(file: $f, title: "river; {{dawn}}") }"#, home: home)
    job.begin()
    try await job.press("M-v")
    try await job.see("$f ▲ required")
    try await job.write("k")
    try await job.see("f: Upload!")
    try await job.press("Tab")
    try await job.see("the path") { !$0.lines(with: "│ kingfisher-at-the-river.jpg").isEmpty }
    try await job.press("Enter")
    try await job.see("f \"kingfisher-at-the-river.jpg\"")
    try await job.press("F5")
    try await job.see("photo: 7")
    try await job.press("C-p")
    try await job.write("curl")
    try await job.see("▌Copy as a curl command")
    try await job.press("Enter")
    try await job.see("Copied")
    let command = try await job.session.clipboard()
    let sent = try #require(server.requests.last)
    let ran = try await ChildProcess.run("/bin/sh", ["-c", "cd '\(home.path("work"))' && \(command)"])
    #expect(server.requests.count == 2, "\(command)\n\(ran.errors)")
    let again = try #require(server.requests.last)
    #expect(
      Self.parts(of: again) == Self.parts(of: sent) && again.header("Accept") == sent.header("Accept"), "\(command)")
    #expect(again.bodyText.contains("a photo"))
    try await job.end("An upload")
  }

  /// The parts of a form: the head of each, and its text or its JSON with sorted members.
  private static func parts(of request: ScriptedServer.Request) -> [[String]] {
    let boundary = request.header("Content-Type")?.components(separatedBy: "boundary=").last ?? ""
    return request.bodyText.replacing("\r\n", with: "\n").components(separatedBy: "--\(boundary)").map { part in
      part.components(separatedBy: "\n\n").map { text in
        guard let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
          let sorted = try? JSONSerialization.data(withJSONObject: json, options: .sortedKeys)
        else { return text }
        return String(decoding: sorted, as: UTF8.self)
      }
    }
  }
}
