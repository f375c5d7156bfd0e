import ApusJSON
import ApusTestSupport
import Foundation

/// Kills the explorer at random times while a user types and runs queries. The saved session must be complete, not
/// older than before the kill, and restored at the next start.
struct KilledExplorers {
  let url: String
  let lane: Int
  let seed: UInt64

  func run(_ count: Int, _ faults: Faults) {
    do {
      let home = try TemporaryFolder()
      var random = SplitMix(seed: seed &+ 1000 &+ UInt64(lane))
      // The name of the last query known to be on disk.
      var saved: String?
      for round in 0..<count { saved = try self.round(round, home, saved: saved, &random, faults) }
      try end(home, saved: saved, faults)
    } catch {
      faults.add("\(error)")
    }
  }

  private func round(
    _ round: Int, _ home: TemporaryFolder, saved: String?, _ random: inout SplitMix, _ faults: Faults
  ) throws -> String? {
    let terminal = try open(home)
    guard terminal.wait(for: saved ?? "Query") else {
      faults.add("round \(round): \(saved ?? "the explorer") is not on the screen: \(terminal.text.suffix(2000))")
      return nil
    }
    let name = "Kept\(lane)x\(round)"
    terminal.type("\u{1}")
    terminal.paste("query \(name) { bird(id: \"b\(round + 1)\") { id } }")
    terminal.read(for: .milliseconds(Int.random(in: 0...700, using: &random)))
    if Bool.random(using: &random) { terminal.type("\u{1B}[15~") }
    terminal.read(for: .milliseconds(Int.random(in: 0...700, using: &random)))
    let isWritten = try names(in: home) == [name]
    terminal.signal(SIGKILL)
    guard terminal.waitForEnd() == .signal(SIGKILL) else {
      faults.add("round \(round): the explorer had ended: \(terminal.text.suffix(500))")
      return nil
    }
    let after = try names(in: home)
    if isWritten, after != [name] {
      faults.add("round \(round): \(name) was written and is missing: \(after.compactMap { $0 })")
    }
    faults.note(after == [name] ? "explorers killed after a write" : "explorers killed before a write")
    return after.first ?? nil
  }

  /// Starts the explorer again and quits it normally. Everything must be restored, and the folders must contain no
  /// other files.
  private func end(_ home: TemporaryFolder, saved: String?, _ faults: Faults) throws {
    let terminal = try open(home)
    guard terminal.wait(for: saved ?? "Query") else { return faults.add("at the end \(saved ?? "nothing") is shown") }
    terminal.type("\u{11}")
    let end = terminal.waitForEnd()
    if end != .exit(code: 0) { faults.add("at the end Ctrl-Q ends it with \(end.map { "\($0)" } ?? "nothing")") }
    if !terminal.text.contains("\u{1B}[?1049l") || !terminal.isInLineMode {
      faults.add("the terminal was not restored")
    }
    let expectedFiles = ["lock", "workspace.json", "response-", "history.sqlite"]
    let files = try home.files(in: "").filter { name in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: home.path(name), isDirectory: &isFolder)
      let last = name.split(separator: "/").last.map(String.init) ?? name
      return !isFolder.boolValue && !name.hasPrefix("cache/") && !expectedFiles.contains(where: last.hasPrefix)
    }
    if !files.isEmpty { faults.add("there are other files: \(files)") }
    try checkHistory(home, faults)
  }

  private func checkHistory(_ home: TemporaryFolder, _ faults: Faults) throws {
    let paths = try home.files(in: "").filter { $0.hasSuffix(".sqlite") }.map(home.path)
    let script =
      "import sqlite3,sys\nfor path in sys.argv[1:]: print(sqlite3.connect(path).execute('PRAGMA integrity_check').fetchone()[0])"
    let outcome = try ProgramRun(
      ["/usr/bin/env", "python3", "-c", script] + paths, environment: ["PATH": "/usr/bin:/bin"], folder: home.root
    ).run()
    if outcome.output != String(repeating: "ok\n", count: paths.count) {
      faults.add("the history is corrupt: \(outcome.output) \(outcome.errors)")
    }
  }

  private func open(_ home: TemporaryFolder) throws -> PseudoTerminal {
    var environment = home.asHome
    environment["HOME"] = home.root
    environment["TERM"] = "xterm-256color"
    environment["LC_ALL"] = "C.UTF-8"
    return try PseudoTerminal([Checkout.apus, url], environment: environment, folder: home.root)
  }

  /// Returns the names of the queries in the session's file, read directly; empty if it does not exist yet.
  private func names(in home: TemporaryFolder) throws -> [String?] {
    guard let file = try home.files(in: "state/workspaces").first(where: { $0.hasSuffix("workspace.json") }) else {
      return []
    }
    let json = try JSONDocument(parsing: try home.read("state/workspaces/\(file)")).root
    let texts = json["tabs"]?.elements.compactMap { $0["query"]?["text"]?.string } ?? []
    return texts.map { text in
      // A truncated name does not count.
      guard text.hasPrefix("query "), text.contains(" {") else { return nil }
      return text.dropFirst(6).split(separator: " ").first.map(String.init)
    }
  }
}
