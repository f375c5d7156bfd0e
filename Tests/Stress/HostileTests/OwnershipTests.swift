import ApusTestSupport
import Foundation
import Testing

/// Files with settings that run commands and send requests are the user's alone, as the files of ssh are.
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
  func `a file or folder that others may write is refused with the fix`(name: String, mode: Int) async throws {
    #expect(chmod(home.path(name), mode_t(mode)) == 0)
    let outcome = try await query()
    #expect(outcome.exitCode == 5 && outcome.errors.contains("run 'chmod go-w \(home.path(name))'"))
    #expect(server.requests.isEmpty)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1)
    #expect(doctor.output.contains("WRONG") && doctor.output.contains("chmod go-w \(home.path(name))"))
    // The fix helps.
    #expect(try await ChildProcess.run("/bin/chmod", ["go-w", home.path(name)]).exitCode == 0)
    #expect(try await query().exitCode == 0)
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["config/config.yml", "config/.env"])
  func `a file that another user owns is refused with the fix`(name: String) async throws {
    #expect(chown(home.path(name), 65534, 65534) == 0)
    let outcome = try await query()
    #expect(outcome.exitCode == 5 && outcome.errors.contains("belongs to another user (65534)"), "\(outcome.errors)")
    #expect(outcome.errors.contains("sudo chown 0 \(home.path(name))"))
    #expect(server.requests.isEmpty)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("belongs to another user"))
  }

  @Test func `the doctor looks at the keys`() async throws {
    chmod(home.path("config/keys.yml"), 0o666)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("chmod go-w \(home.path("config/keys.yml"))"))
  }

  @Test func `the doctor looks at the folder of what is trusted`() async throws {
    try home.write("data/trusted/none", "")
    chmod(home.path("data/trusted"), 0o777)
    let doctor = try await apus("doctor")
    #expect(doctor.exitCode == 1 && doctor.output.contains("chmod go-w \(home.path("data/trusted"))"))
  }

  @Test(arguments: [("--netrc-file", "netrc"), ("--cookie-jar", "cookies")])
  func `credentials that others may write are refused`(option: String, name: String) async throws {
    #expect(try await query(option, home.path(name)).exitCode == 0)
    chmod(home.path(name), 0o666)
    let outcome = try await query(option, home.path(name))
    #expect(outcome.exitCode == 5 && outcome.errors.contains("chmod go-w \(home.path(name))"), "\(outcome.errors)")
    #expect(server.requests.count == 1)
  }

  /// Package managers link to files in such a folder.
  @Test func `a link into a folder with the sticky bit is followed, into another that others may write it is not`()
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

  @Test func `without files there is nothing to refuse`() async throws {
    let empty = try TemporaryFolder()
    let outcome = try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", "{ a }"],
      environment: empty.asHome.merging(["HOME": empty.root]) { $1 })
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(try await apus("doctor").output.contains("keys.yml"))
  }
}
