import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// Several environments, expired tokens and copied commands in a real terminal.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct EnvironmentSessionTests {
  private static let answer = #"{"data":{"bird":{"name":"Swift"}}}"#

  /// Opens the explorer on the first of two profiles, each with a header.
  private func open(
    _ profiles: [(name: String, url: String, header: String)], environment: [String: String] = [:],
    home: TemporaryFolder? = nil
  ) async throws -> TmuxSession {
    let home = try home ?? TemporaryFolder()
    try home.write("schema.graphql", "type Query { bird(id: ID!): Bird } type Bird { name: String }")
    let entries = profiles.map { profile in
      """
        \(profile.name):
          url: \(profile.url)
          schema: \(home.path("schema.graphql"))
          headers:
            Authorization: "\(profile.header)"
      """
    }
    try home.write("config/config.yml", "profiles:\n\(entries.joined(separator: "\n"))\n")
    let session = try await TmuxSession(columns: 120, rows: 32, environment: environment, home: home)
    try await session.run("\(Checkout.apus) \(profiles[0].name)")
    try await session.wait("the explorer") { $0.contains("1 Query") && $0.contains("types") }
    return session
  }

  @Test func `two environments in two tabs get only their own tokens`() async throws {
    let staging = try ScriptedServer([.json(Self.answer)])
    let live = try ScriptedServer([.json(#"{"data":{"bird":{"name":"Stork"}}}"#)])
    let session = try await open(
      [("staging", staging.url, "Bearer $STAGING_TOKEN"), ("live", live.url, "Bearer $LIVE_TOKEN")],
      environment: ["STAGING_TOKEN": "token-of-staging", "LIVE_TOKEN": "token-of-live"])
    try await session.type("C-a", "BSpace")
    try await session.send("query First {bird(id:1){name")
    try await session.type("F5")
    try await session.wait(for: "name: \"Swift\"")
    try await session.type("C-t", "M-s")
    try await session.wait(for: "Open an endpoint")
    try await session.send("li")
    try await session.wait(for: "▌  live ")
    try await session.type("Enter")
    try await session.wait("the endpoints of both tabs") { $0.contains("1 First │ staging  2 Tab 2 │ live") }
    try await session.send("query Second {bird(id:1){name")
    try await session.type("F5")
    try await session.wait(for: "name: \"Stork\"")
    #expect(staging.requests.map { $0.header("Authorization") } == ["Bearer token-of-staging"])
    #expect(live.requests.map { $0.header("Authorization") } == ["Bearer token-of-live"])
    #expect(try await session.screen().contains("token-of") == false)

    // A server that is down fails in its tab only.
    live.stop()
    try await session.type("F5")
    try await session.wait("the failure") { $0.contains("refused the connection") && $0.contains("✗ failed") }
    try await session.type("C-PageUp")
    try await session.wait("the other tab") { $0.contains("name: \"Swift\"") && !$0.contains("✗ failed") }
    try await session.type("F5")
    _ = try await staging.request(1)
    let shown = try await session.wait("its response") { $0.contains("name: \"Swift\"") && $0.contains("● complete") }
    #expect(shown.contains(staging.url) && !shown.contains("refused"))
    try await session.type("C-q")
  }

  /// The command of the profile prints the token of a file, and notes each run.
  @Test func `an expired token is renewed once, then by the command that the message names`() async throws {
    let home = try TemporaryFolder()
    try home.write("token", "first")
    try home.write("accepted", "first")
    try home.write("print-token", "#!/bin/sh\necho run >> \(home.path("runs"))\ncat \(home.path("token"))\n")
    let accepted = home.path("accepted")
    let server = try ScriptedServer { request, _ in
      let token = (try? String(contentsOfFile: accepted, encoding: .utf8)) ?? ""
      return request.header("Authorization") == "Bearer \(token)"
        ? .json(Self.answer) : .json(#"{"errors":[{"message":"The token has expired"}]}"#, status: 401)
    }
    let session = try await open(
      [("staging", server.url, "Bearer $(sh \(home.path("print-token")))")], home: home)
    try await session.type("C-a", "BSpace")
    try await session.send("{bird(id:1){name")
    try await session.type("F5")
    try await session.wait(for: "name: \"Swift\"")
    let runs = { try home.read("runs").split(separator: "\n").count }
    let runsBefore = try runs()

    try home.write("token", "second")
    try home.write("accepted", "second")
    try await session.type("F5")
    _ = try await server.request(2)
    try await session.wait("the response") { $0.contains("name: \"Swift\"") && $0.contains("● complete") }
    let tokens = { server.requests.map { $0.header("Authorization") ?? "" } }
    #expect(tokens() == ["Bearer first", "Bearer first", "Bearer second"])
    #expect(try runs() == runsBefore + 1)

    try home.write("accepted", "third")
    try await session.type("F5")
    try await session.wait(for: "\"Renew credentials\" (Ctrl-P) runs the credentials command again")
    #expect(tokens().dropFirst(3) == ["Bearer second", "Bearer second"])
    try home.write("token", "third")
    try await session.type("C-p")
    try await session.send("renew")
    try await session.wait(for: "▌Renew credentials")
    try await session.type("Enter")
    try await session.wait(for: "Renewed the credentials")
    try await session.type("F5")
    try await session.wait("the response") { $0.contains("name: \"Swift\"") && $0.contains("● complete") }
    #expect(tokens().last == "Bearer third")
    #expect(try runs() == runsBefore + 3)
    try await session.type("C-q")
  }

  /// The copied command is pasted into the shell below the explorer.
  @Test func `a copied curl command sends the same request from a shell`() async throws {
    let server = try ScriptedServer([.json(Self.answer)])
    let session = try await open(
      [("staging", server.url, "Bearer $STAGING_TOKEN")], environment: ["STAGING_TOKEN": "it's \"secret\""])
    try await session.type("C-a", "BSpace")
    let query = "query One($id: ID!) {\n  # the bird's name\n  bird(id: $id) { name }\n}"
    try await session.paste(query)
    try await session.type("M-6")
    try await session.send("X-Team: birds & bees")
    try await session.type("M-2")
    try await session.paste(#"{"id": "it's 5 o'clock at $HOME"}"#)
    try await session.type("F5")
    try await session.wait(for: "name: \"Swift\"")
    try await session.type("C-p")
    try await session.send("curl")
    try await session.wait(for: "▌Copy as a curl command")
    try await session.type("Enter")
    try await session.wait(for: "set AUTHORIZATION before you run it")
    let copied = try await session.clipboard()
    #expect(!copied.contains("secret"))
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") }

    try await session.run(#"clear; export AUTHORIZATION="Bearer $STAGING_TOKEN""#)
    try await session.paste(copied)
    try await session.type("Enter")
    _ = try await server.request(1)
    try await session.wait(for: Self.answer)
    let requests = server.requests
    #expect(requests.count == 2)
    let explored = try #require(requests.first)
    let pasted = try #require(requests.last)
    #expect(pasted.method == explored.method && pasted.target == explored.target)
    // The copied query is the typed one; the explorer's has the fields that its cache adds.
    #expect(try json(pasted, "variables") == json(explored, "variables"))
    #expect(try json(pasted, "query") == query)
    #expect(try json(explored, "query") == query.replacing("{ name", with: "{ __typename name"))
    for name in ["Authorization", "X-Team", "Content-Type", "Accept"] {
      #expect(pasted.header(name) == explored.header(name), "\(name)")
    }
    #expect(pasted.header("Authorization") == "Bearer it's \"secret\"")
  }

  /// A member of a request's body, as text.
  private func json(_ request: ScriptedServer.Request, _ member: String) throws -> String? {
    let value = try JSONDocument(parsing: request.bodyText).root[member]
    return value?.string ?? value.map { "\($0)" }
  }
}
