import ApusTestSupport
import Foundation
import Testing

/// `./install.sh` with a compiler and a package manager that only note that they were called.
struct InstallScriptTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try await program(
      "products/apus",
      "case $1 in --version) echo apus 1 ;; help) echo manual ;; completions) echo \"for $2\" ;; esac")
    try await program(
      "bin/swift",
      "case $* in --version) echo Swift version 6.1 ;; *--show-bin-path) echo \(folder.path("products")) ;; esac")
    // There is everything.
    try await program("bin/pkg-config", "exit 0")
    try await program("bin/clang", "cat >/dev/null")
    try await program("bin/apt-get", "echo \"$*\" >>\(folder.path("apt-get-calls"))")
  }

  /// Written by a process of its own: what this one writes, a child of another test could hold open while it is run.
  private func program(_ name: String, _ text: String) async throws {
    let script = "mkdir -p \"$(dirname \"$1\")\"; printf '#!/bin/sh\\n%s\\n' \"$2\" >\"$1\"; chmod 755 \"$1\""
    _ = try await ChildProcess.run("/bin/sh", ["-c", script, "sh", folder.path(name), text])
  }

  private func install(_ words: String..., environment: [String: String] = [:]) async throws -> ChildProcess.Outcome {
    let paths = ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "HOME": folder.path("home")]
    return try await ChildProcess.run(
      "\(Checkout.root)/install.sh", words, environment: paths.merging(environment) { $1 })
  }

  @Test func whatIsInstalledIsTakenBackToTheLastFolder() async throws {
    let prefix = folder.path("new/prefix")
    for _ in 0..<2 {
      let outcome = try await install("--prefix", prefix)
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
    }
    #expect(try folder.read("new/prefix/share/doc/apus/LICENSE").contains("MIT"))
    #expect(try folder.read("new/prefix/share/zsh/site-functions/_apus") == "for zsh\n")
    #expect(try folder.files(in: "new/prefix/share/apus/themes").count > 10)
    #expect(try await install("uninstall", "--prefix", prefix).exitCode == 0)
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test func whatOthersPutThereStays() async throws {
    let prefix = folder.path("prefix")
    try folder.write("prefix/bin/other", "")
    _ = try await install("--prefix", prefix)
    try folder.write("prefix/share/man/man1/other.1", "")
    _ = try await install("uninstall", "--prefix", prefix)
    let files = try folder.files(in: "prefix").filter { !FilePath.isFolder(folder.path("prefix/\($0)")) }
    #expect(files == ["bin/other", "share/man/man1/other.1"])
  }

  @Test func aPackagersFolderStandsBeforeEveryPath() async throws {
    let stage = folder.path("stage")
    let outcome = try await install("--prefix", "/usr/apus-of-tests", environment: ["DESTDIR": stage])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: "/usr/apus-of-tests"))
    let noted = try folder.read("stage/usr/apus-of-tests/share/apus/installed-files")
    #expect(noted.contains("/usr/apus-of-tests/bin/apus\n") && !noted.contains(stage))
    _ = try await install("uninstall", "--prefix", "/usr/apus-of-tests", environment: ["DESTDIR": stage])
    #expect(try folder.files(in: "stage").filter { !FilePath.isFolder("\(stage)/\($0)") } == [])
  }

  @Test func systemPackagesAreNamedAndWithoutRootOnlyNamed() async throws {
    try await program("bin/pkg-config", "[ \"$2\" != simdjson ]")
    try await program("bin/id", "echo 1000")
    let refused = try await install("--prefix", folder.path("prefix"))
    #expect(refused.exitCode == 1)
    #expect(refused.errors.contains("Missing: simdjson"))
    #expect(refused.errors.contains("  env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pkg-config "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("apt-get-calls")))
    try await program("bin/id", "echo 0")
    let allowed = try await install("--prefix", folder.path("prefix"))
    #expect(allowed.errors.contains("  env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pkg-config "))
    #expect(try folder.read("apt-get-calls").hasPrefix("update -qq\ninstall -y -qq pkg-config libcurl4-openssl-dev "))
  }
}

private enum FilePath {
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
