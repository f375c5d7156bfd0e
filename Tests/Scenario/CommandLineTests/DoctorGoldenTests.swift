import ApusTestSupport
import Testing

/// The lines of `apus doctor` for a healthy home and for one with a mistake of each kind.
/// `APUS_WRITE_DOCS=1 swift test --filter DoctorGoldenTests` writes the files again.
@Suite(.timeLimit(.minutes(3))) struct DoctorGoldenTests {
  private static let broken = [
    "config/config.yml": """
    theme: no-such-theme
    hints: perhaps
    profiles:
      birds:
        url: https://birds.example/graphql
        headers: {Authorization: Bearer $NOT_SET}
        cacert: /no/such/ca.pem
        theme: none-such
      typo:
        timeot: 3
    """,
    "config/keys.yml": "keymap: vimm\nbindings:\n  everywhere:\n    F9: nonsense\n",
    "config/.env": "A=1\nnot a variable\n",
    "config/themes/broken.yml": "name: x\n",
    ".graphqlrc.yml": "schema: missing.graphql\nextensions: {apus: {dialect: relai}}\n",
    "apus-generate.yml": "shema: a\noutput: b\n",
  ]

  private func report(_ files: [String: String], _ environment: [String: String]) async throws
    -> String
  {
    let home = try TemporaryFolder()
    for (name, text) in files { try home.write(name, text) }
    let unset = ["TMUX", "STY", "SSH_CONNECTION", "NO_COLOR", "COLORTERM", "LANG", "LC_CTYPE"]
      .flatMap { ["-u", $0] }
    let outcome = try await ChildProcess.run(
      "/usr/bin/env", ["-C", home.root] + unset + [Checkout.apus, "doctor"],
      environment: home.asHome.merging(environment) { $1 })
    let report = outcome.output.replacing(home.root, with: "HOME").replacing(/[0-9]+(\.[0-9]+)+/, with: "VERSION")
    var lines = report.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The libraries differ from system to system. Where one is missing, a second line has the reason for its use.
    if let keyring = lines.firstIndex(where: { $0.contains("  secret ") }) {
      lines.remove(at: keyring)
      if lines[keyring].hasPrefix("         ") { lines.remove(at: keyring) }
    }
    for (index, line) in lines.enumerated() where line.contains("libcurl/") {
      lines[index] = "  ok     curl        libcurl/VERSION"
    }
    return lines.joined(separator: "\n")
  }

  @Test(arguments: [
    ("healthy", [:], ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]),
    ("broken", broken, ["TERM": "no-such-terminal", "LC_ALL": "C"]),
  ])
  func `every line is as expected`(
    name: String, files: [String: String], environment: [String: String]
  ) async throws {
    try GoldenFile.check(try await report(files, environment), "Doctor/\(name)")
  }
}
