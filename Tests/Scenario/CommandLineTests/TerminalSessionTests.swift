import ApusJSON
import ApusTestSupport
import Foundation
import Testing

/// The explorer in a real terminal, as a user sees it.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TerminalSessionTests {
  private func open(_ command: String, columns: Int = 120, rows: Int = 36) async throws -> TmuxSession {
    let session = try await TmuxSession(columns: columns, rows: rows)
    try await session.run("\(Checkout.apus) \(command)")
    return session
  }

  @Test func `the demo works from start to quit`() async throws {
    let session = try await TmuxSession(columns: 120, rows: 36)
    let flags = "#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_flag} #{insert_flag} #{wrap_flag}"
    try await session.run("stty -a | md5sum > /tmp/apus-stty-$$; echo before the explorer")
    try await session.wait("the echo") { $0.contains("\nbefore the explorer") }
    let before = try await session.state(flags)

    try await session.run("\(Checkout.apus) demo")
    try await session.wait("the query worth running") { $0.contains("query Migration") && $0.contains("types") }
    try await session.type("F5")
    let partial = try await session.wait("the base fields and pending fragments") {
      $0.contains("totalCount: 1248") && $0.contains("pending")
    }
    #expect(partial.contains("◌ station"))
    let complete = try await session.wait("every fragment with its time") {
      $0.contains("● complete") && !$0.contains("pending")
    }
    let station = complete.split(separator: "\n").first { $0.contains("● station") }
    #expect(station?.contains(" s") == true, "\(station ?? "")")

    try await session.resize(columns: 60, rows: 16)
    let small = try await session.wait("the small layout") { screen in
      screen.contains("4 Deferred ●3") && screen.split(separator: "\n").allSatisfy { $0.count <= 60 }
    }
    #expect(small.contains("complete"))
    try await session.resize(columns: 39, rows: 9)
    try await session.wait(for: "40×10")
    try await session.resize(columns: 120, rows: 36)
    try await session.wait("the large layout") { $0.contains("● station") && $0.contains("5 Cache 28") }

    try await session.type("C-q")
    try await session.wait("the shell as it was") { $0.contains("\nbefore the explorer") && !$0.contains("Response") }
    #expect(try await session.state(flags) == before)
    try await session.run("stty -a | md5sum | diff - /tmp/apus-stty-$$ && rm /tmp/apus-stty-$$ && echo same modes")
    try await session.wait("the same modes") { $0.contains("\nsame modes") }
  }

  @Test func `an evicted record is refetched`() async throws {
    let session = try await open("demo", columns: 160)
    try await session.wait(for: "query Migration")
    try await session.type("F5")
    try await session.wait("the whole response") { $0.contains("● complete") && !$0.contains("pending") }
    try await session.type("M-5", "Enter")
    try await session.wait(for: "bird({")
    try await session.type("Enter")
    try await session.wait(for: "referred to by")
    try await session.type("[", "[", "/")
    try await session.type("bird:")
    try await session.type("Enter")
    try await session.wait("the filtered list") { $0.contains(" of 28") && $0.contains("▌ Bird:") }
    try await session.type("d")
    try await session.wait(for: "Evict Bird:")
    try await session.answer("y")
    // The slow fields of the demo are refetched and shown as pending in the meantime.
    try await session.wait("the gap") { !$0.contains("● complete") }
    try await session.wait("the response, whole again") { $0.contains("● complete") && !$0.contains("pending") }
    try await session.type("C-q")
  }

  /// The server rejects introspection, the user reads the reason and sets a header, and the schema is loaded.
  @Test func `setting a header gives access to a server that requires a token`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("schema.graphql", "type Query { nest: Int }")
    let schema = try await ChildProcess.apus("schema", folder.path("schema.graphql"), "--output", "json").output
    let server = try ScriptedServer { request, _ in
      guard request.header("Authorization") == "Bearer abc" else {
        return .json(#"{"errors":[{"message":"Please send a token"}]}"#, status: 401)
      }
      let asksForSchema = request.bodyText.contains("__schema")
      return .json(asksForSchema ? #"{"data":\#(schema)}"# : #"{"data":{"__typename":"Query"}}"#)
    }
    let session = try await open(server.url)
    try await session.wait(for: "no schema: F4")
    try await session.type("F4")
    try await session.wait("the whole reason") { $0.contains("401") && $0.contains("Please send a token") }
    try await session.type("h")
    try await session.type("Authorization: Bearer abc")
    try await session.type("M-1")
    try await session.wait("the schema") { $0.contains(" types") && !$0.contains("no schema") }
    try await session.type("C-a", "BSpace")
    try await session.paste("{ __typename }")
    try await session.type("F5")
    try await session.wait("the response") { $0.contains("__typename: \"Query\"") && $0.contains("● complete") }
    #expect(server.requests.last?.header("Authorization") == "Bearer abc")
    try await session.type("C-q")
  }

  @Test func `repeated keys send no mutation to production`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"add":31}}"#)])
    let home = try TemporaryFolder()
    try home.write("schema.graphql", "type Query { a: Int } type Mutation { add: Int }")
    try home.write(
      "config/config.yml",
      "profiles:\n  live:\n    url: \(server.url)\n    production: true\n    schema: \(home.path("schema.graphql"))\n")
    let session = try await TmuxSession(columns: 120, rows: 36, home: home)
    try await session.run("\(Checkout.apus) live")
    try await session.wait("the schema") { $0.contains("1 Query") && $0.contains("types") }
    try await session.type("C-a", "BSpace")
    try await session.paste("mutation Add { add }")
    try await session.wait(for: "mutation Add { add }")
    let before = server.requests.count
    try await session.type("F5", "F5", "F5", "Enter", "Enter", "Enter")
    let requested = try await session.wait(for: "Run the mutation Add on production?")
    #expect(requested.contains("mutation Add { add }"))
    try await session.type("n")
    try await session.wait("the question gone") { !$0.contains("on production?") }
    #expect(server.requests.count == before)
    try await session.type("F5")
    try await session.wait(for: "Run the mutation Add on production?")
    try await session.answer("y")
    try await session.wait("the answer") { $0.contains("add: 31") }
    #expect(server.requests.count == before + 1)
  }

  @Test func `a long value is shown completely in a popup`() async throws {
    let text = "गौरैया 👍🏽 " + String(repeating: "flies over the lake at dusk, ", count: 12) + "the end of it"
    let server = try ScriptedServer([.json(#"{"data":{"notes":"\#(text)"}}"#)])
    let session = try await open(server.url, columns: 80, rows: 24)
    try await session.wait(for: "F5 runs the operation")
    try await session.type("{ notes }", "F5")
    let cut = try await session.wait("the row, cut") { $0.contains("notes: \"गौरैया") && $0.contains("…") }
    #expect(!cut.contains("the end of it"))
    try await session.type("M-3", "Down", "Enter")
    let complete = try await session.wait(for: "the end of it")
    #expect(complete.contains("गौरैया"))
    #expect(complete.split(separator: "\n").filter { $0.contains("over the lake") }.count > 3, "\(complete)")
    try await session.type("Escape")
    try await session.wait("the response as before") { !$0.contains("the end of it") && $0.contains("notes: ") }
    try await session.type("C-q")
  }

  @Test(arguments: ["TERM", "HUP", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "IO", "QUIT"])
  func `a signal that ends a program restores the terminal and saves the session`(signal: String) async throws {
    let home = try TemporaryFolder()
    let server = try ScriptedServer([])
    let session = try await TmuxSession(columns: 120, rows: 36, home: home)
    try await session.run("\(Checkout.apus) \(server.url)")
    try await session.wait(for: "F5 runs the operation")
    try await session.paste("{ typedBefore }")
    try await session.wait(for: "typedBefore")
    let shell = try await session.state("#{pane_pid}")
    let children = try await ChildProcess.run("/usr/bin/env", ["pgrep", "-P", shell]).output.split(separator: "\n")
    let explorer = try #require(children.first.flatMap { Int32($0) })
    _ = try await ChildProcess.run("/usr/bin/env", ["kill", "-\(signal)", "\(explorer)"])
    try await session.wait("the shell") { !$0.contains("Response") && $0.contains("$") }
    #expect(try await session.state("#{alternate_on} #{mouse_any_flag}") == "0 0")
    let saved = try home.files(in: "").filter { $0.hasSuffix("workspace.json") }
    #expect(try saved.contains { try home.read($0).contains("typedBefore") }, "\(saved)")
  }

  @Test func `a server that is down is reported in one line`() async throws {
    let server = try ScriptedServer([])
    let url = server.url
    server.stop()
    let session = try await open("\(url)")
    try await session.wait(for: "refused")
    try await session.type("{ a }", "F5")
    try await session.wait("the failure of the run") { $0.contains("refused the connection") && $0.contains("failed") }
    try await session.type("C-q")
  }

  @Test func `an unknown host and an untrusted certificate are reported in one line`() async throws {
    let tls = try ChildProcess("/usr/bin/env", ["python3", "\(Checkout.servers)/tls_server.py"])
    let facts = try JSONDocument(parsing: try #require(await tls.nextLine())).root
    let port = try #require(facts["port"]?.string)
    for (url, text) in [
      ("http://nowhere.invalid/graphql", "no address found for nowhere.invalid"),
      ("https://localhost:\(port)/", "the certificate of localhost:\(port) is not trusted"),
    ] {
      let session = try await open(url, columns: 160)
      try await session.wait(for: "F5 runs the operation")
      try await session.type("{ a }", "F5")
      try await session.wait("the failure of the run") { $0.contains("✗ \(text)") }
    }
  }

  /// The server reads a third of 60 MB and then pauses. The system's buffers hold some more.
  @Test(arguments: [false, true])
  func `upload progress is shown while the server reads slowly`(inTheExplorer isExplorer: Bool) async throws {
    let folder = try TemporaryFolder()
    try folder.writeZeros("birds.raw", count: 60_000_000)
    let gate = Gate()
    let server = try ScriptedServer(
      [.json(#"{"data":{"add":31}}"#)], slowReading: .init(byteCount: 20_000_000, gate: gate))
    let mutation = "mutation Add($f: Upload!) { add(file: $f) }"
    let session: TmuxSession
    if isExplorer {
      try folder.write(
        "schema.graphql", "scalar Upload type Query { a: Int } type Mutation { add(file: Upload!): Int }")
      session = try await open("\(server.url) --schema \(folder.path("schema.graphql"))")
      try await session.wait("the schema") { $0.contains("types") && $0.contains("1 Query") }
      try await session.type("C-a", "BSpace")
      try await session.paste(mutation)
      try await session.type("M-2")
      try await session.paste(#"{"f": "\#(folder.path("birds.raw"))"}"#)
      try await session.wait(for: "birds.raw")
      try await session.type("F5")
      // The file is not in the folder that the explorer was started in.
      try await session.wait(for: "birds.raw, 60,000,000 bytes")
      try await session.answer("y")
    } else {
      let command = "query \(server.url) -q '\(mutation)' --upload f=\(folder.path("birds.raw"))"
      session = try await open(command, columns: 250)
    }
    let held = try await session.wait("a third of the upload") { (30..<90).contains(Self.sentPercent($0)) }
    #expect(!held.contains("add: 31") && !held.contains("\"add\":31"))
    gate.open()
    try await session.wait("the answer") { screen in
      isExplorer
        ? screen.contains("add: 31") && screen.contains("● complete")
        : screen.contains(#"{"add":31}"#) && screen.contains("apus: sent 100 %")
    }
    #expect(server.requests.first?.body.count ?? 0 > 60_000_000)
  }

  /// The upload progress on the screen; -1 if there is none.
  private static func sentPercent(_ screen: String) -> Int {
    guard let start = screen.firstRange(of: "sent ") else { return -1 }
    return Int(screen[start.upperBound...].prefix { $0.isNumber }) ?? -1
  }

  @Test func `the explorer requires a terminal`() async throws {
    let outcome = try await ChildProcess.apus("demo")
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors == "apus: the explorer needs a terminal; 'apus query' runs an operation without one\n")
  }

  @Test func `the screen is readable without colors`() async throws {
    let session = try await TmuxSession(columns: 100, rows: 30, environment: ["NO_COLOR": "1"])
    try await session.run("\(Checkout.apus) demo --delay-scale 0")
    try await session.wait(for: "query Migration")
    try await session.type("F5")
    try await session.wait("fulfilled") { $0.contains("● complete") }
    let styled = try await session.screen(styles: true)
    let escape = "\u{1B}["
    let colours = styled.components(separatedBy: escape).dropFirst().map { $0.prefix { $0 != "m" } }
      .flatMap { $0.split(separator: ";") }
      .filter { code in
        Int(code).map { (30...49).contains($0) && $0 != 39 && $0 != 49 || (90...107).contains($0) } ?? false
      }
    #expect(colours.isEmpty, "\(colours)")
    #expect(styled.contains("\(escape)1m") || styled.contains("\(escape)7m"))
  }
}
