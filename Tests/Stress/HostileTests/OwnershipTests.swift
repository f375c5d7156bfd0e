import ApusTestSupport
import Foundation
import Testing

/// Files with settings that run commands and send requests must be writable only by the user, like those of ssh.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct OwnershipTests {
  private let home: TemporaryFolder
  private let server: ScriptedServer

  init() throws {
    home = try TemporaryFolder()
    server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    try home.write("config/config.yml", "profiles: { birds: { url: \"\(server.url)\", headers: { X: $NAMED } } }\n")
    try home.write("config/.env", "NAMED=value\n")
    try home.write("config/keys.yml", "keymap: vim\n")
    try home.write("netrc", "machine 127.0.0.1 login me password hush\n")
    try home.write("cookies", "")
  }

  private func apus(_ words: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      Checkout.apus, words, environment: home.asHome.merging(["HOME": home.root, "TERM": "xterm-256color"]) { $1 })
  }

  private func query(_ words: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      Checkout.apus, ["query", "birds", "-q", "{ a }"] + words,
      environment: home.asHome.merging(["HOME": home.root]) { $1 })
  }

  @Test(arguments: [
    ("config/config.yml", 0o664), ("config/config.yml", 0o646), ("config/.env", 0o622), ("config", 0o775),
    ("config", 0o707),
  ])
  func `a file or folder writable by others is rejected with a fix`(name: String, mode: Int) async throws {
    #expect(chmod(home.path(name), mode_t(mode)) == 0)
    let outcome = try await query()
    #expect(outcome.exitCode == 5 && outcome.errors.contains("run 'chmod go-w \(home.path(name))'"))
    #expect(server.requests.isEmpty)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1)
    #expect(doctor.output.contains("WRONG") && doctor.output.contains("chmod go-w \(home.path(name))"))
    // The suggested fix works.
    #expect(try await ChildProcess.run("/bin/chmod", ["go-w", home.path(name)]).exitCode == 0)
    #expect(try await query().exitCode == 0)
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["config/config.yml", "config/.env"])
  func `a file of another user is rejected with a fix`(name: String) async throws {
    #expect(chown(home.path(name), 65534, 65534) == 0)
    let outcome = try await query()
    #expect(outcome.exitCode == 5 && outcome.errors.contains("belongs to another user (65534)"), "\(outcome.errors)")
    #expect(outcome.errors.contains("sudo chown 0 \(home.path(name))"))
    #expect(server.requests.isEmpty)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("belongs to another user"))
  }

  @Test func `doctor checks the key file`() async throws {
    chmod(home.path("config/keys.yml"), 0o666)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("chmod go-w \(home.path("config/keys.yml"))"))
  }

  @Test(arguments: ["data/history.sqlite", "state/workspaces"])
  func `doctor checks the history and the saved sessions`(name: String) async throws {
    if name.hasSuffix(".sqlite") { try home.write(name, "") } else { try home.make(name) }
    chmod(home.path(name), 0o777)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("chmod go-w \(home.path(name))"), "\(doctor.output)")
  }

  @Test func `doctor checks the trust folder`() async throws {
    try home.write("data/trusted/none", "")
    chmod(home.path("data/trusted"), 0o777)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("chmod go-w \(home.path("data/trusted"))"))
  }

  @Test(arguments: [("--netrc-file", "netrc"), ("--cookie-jar", "cookies")])
  func `credential files writable by others are rejected`(option: String, name: String) async throws {
    #expect(try await query(option, home.path(name)).exitCode == 0)
    chmod(home.path(name), 0o666)
    let outcome = try await query(option, home.path(name))
    #expect(outcome.exitCode == 5 && outcome.errors.contains("chmod go-w \(home.path(name))"), "\(outcome.errors)")
    #expect(server.requests.count == 1)
  }

  /// Package managers link to files in such folders.
  @Test func `a link into a world-writable folder is followed only if it has the sticky bit`()
    async throws
  {
    try home.write("store/config.yml", try home.read("config/config.yml"))
    try FileManager.default.removeItem(atPath: home.path("config/config.yml"))
    try FileManager.default.createSymbolicLink(
      atPath: home.path("config/config.yml"), withDestinationPath: home.path("store/config.yml"))
    chmod(home.path("store"), 0o1777)
    #expect(try await query().exitCode == 0)
    chmod(home.path("store"), 0o777)
    #expect(try await query().exitCode == 5)
  }

  @Test func `without files nothing is rejected`() async throws {
    let empty = try TemporaryFolder()
    let outcome = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", "{ a }"],
      environment: empty.asHome.merging(["HOME": empty.root]) { $1 })
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try await apus("doctor").output.contains("keys.yml"))
  }
}
