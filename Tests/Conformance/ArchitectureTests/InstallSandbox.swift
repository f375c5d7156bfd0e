import ApusTestSupport
import Foundation

/// A folder for installing and packaging, with a compiler and a package manager that only record their calls.
struct InstallSandbox {
  let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try await program(
      "products/apus",
      "case $1 in --version) echo apus 1 ;; help) echo manual ;; completions) echo \"for $2\" ;; esac")
    try await program(
      "bin/swift",
      "case $* in --version) echo Swift version 6.1 ;; *--show-bin-path) echo \(folder.path("products")) ;; esac")
    // All packages are installed.
    try await program("bin/pkg-config", "exit 0")
    try await program("bin/clang", "cat >/dev/null")
    try await program("bin/apt-get", "echo \"$*\" >>\(folder.path("apt-get-calls"))")
  }

  /// Creates a program. A separate process writes it, because a child of another test could hold a file of this process
  /// open while it is run.
  func program(_ name: String, _ text: String) async throws {
    let script = "mkdir -p \"$(dirname \"$1\")\"; printf '#!/bin/sh\\n%s\\n' \"$2\" >\"$1\"; chmod 755 \"$1\""
    _ = try await ChildProcess.run("/bin/sh", ["-c", script, "sh", folder.path(name), text])
  }

  /// Runs a script of this checkout.
  func run(
    _ script: String, _ words: [String], environment: [String: String] = [:]
  ) async throws -> ChildProcess.Outcome {
    let paths = ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "HOME": folder.path("home")]
    return try await ChildProcess.run(
      "\(Checkout.root)/\(script)", words, environment: paths.merging(environment) { $1 })
  }
}
