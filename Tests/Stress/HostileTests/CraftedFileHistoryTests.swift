import ApusClientRequests
import ApusConfiguration
import ApusExplorerCore
import ApusPlatform
import ApusSQLite
import ApusTestSupport
import Foundation
import Testing

@testable import ApusExplorerPersistence

/// Corrupt files of the user are reported, and leftover files are removed.
@Suite(.timeLimit(.minutes(5))) struct CraftedFileHistoryTests {
  @Test func `a corrupt history is reported once`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("data/history.sqlite", String(repeating: "no database at all ", count: 100))
    var environment = ExplorerEnvironment()
    environment.attachHistory(in: HistoryStore(folders: UserFolders(environment: folder.asHome), now: { 0 }))
    #expect(environment.history.trouble() == nil)
    #expect(await environment.history.search("") == [])
    let reported = try #require(environment.history.trouble())
    #expect(reported.contains("history.sqlite"))
    #expect(reported.contains("not a database"))
    #expect(await environment.history.search("") == [])
    #expect(environment.history.trouble() == nil)
  }

  @Test func `temporary files of a killed process are removed`() async throws {
    let folder = try TemporaryFolder()
    let gone = try ChildProcess("/bin/sh", ["-c", "exit 0"])
    _ = await gone.outcome()
    let written = TemporaryName.make(for: "workspace.json", process: getppid())
    try folder.write(TemporaryName.make(for: "workspace.json", process: gone.processIdentifier), "half")
    try folder.write(written, "another program is writing")
    try folder.write("workspace.json.apus-\(gone.processIdentifier)", "a file of the user")
    try UserFile.replace(folder.path("workspace.json"), with: Array("{}".utf8))
    #expect(
      try Set(folder.files(in: "")) == ["workspace.json", written, "workspace.json.apus-\(gone.processIdentifier)"])
  }

  /// The next start removes temporary files of killed processes and no others.
  @Test func `the next start removes temporary files of killed processes`() async throws {
    let folder = try TemporaryFolder()
    let gone = try ChildProcess("/bin/sh", ["-c", "exit 0"])
    _ = await gone.outcome()
    let (dead, alive) = (gone.processIdentifier, getppid())
    func temporary(_ path: String, _ process: pid_t) -> String {
      let url = URL(fileURLWithPath: path, relativeTo: nil)
      let place = path.dropLast(url.lastPathComponent.count)
      return place + TemporaryName.make(for: url.lastPathComponent, process: process)
    }
    let leftovers =
      [
        "state/workspaces/a-1/workspace.json", "cache/schemas/a.graphql", "data/trusted", "config/keys.yml",
      ].map { temporary($0, dead) } + [
        "state/editing/apus-\(dead)-Ab12Cd.graphql", temporary("data/history.sqlite", dead) + "-wal",
      ]
    let others = [
      temporary("state/workspaces/a-1/workspace.json", alive), "state/workspaces/a-1/workspace.json",
      "state/editing/apus-\(alive)-Ab12Cd.json", "state/editing/edited-Ab12Cd.json", "cache/schemas/a.apus-notes",
      "config/themes/apus-\(dead)-mine.yml", "config/mine.apus-\(dead)x", "config/keys.yml.apus-\(dead)",
      temporary("elsewhere/b.json", dead),
    ]
    for file in leftovers + others { try folder.write(file, "a text") }
    let program = try ChildProcess(Checkout.apus, ["themes"], environment: folder.asHome)
    _ = await program.outcome()
    let left = Set(try folder.files(in: ""))
    #expect(left.isDisjoint(with: leftovers) && left.isSuperset(of: others), "\(left)")
  }

  @Test func `excessive numbers in a history are clamped`() async throws {
    let folder = try TemporaryFolder()
    let folders = UserFolders(environment: folder.asHome)
    try await HistoryStore(folders: folders, now: { 0 }).record(
      HistoryEntry(
        operation: "query A", request: RequestDraft(url: "http://a.example/", query: "{ a }"), status: .complete))
    for number in ["-9223372036854775808", "9223372036854775807"] {
      let connection = try SQLiteConnection(path: folders.data + "/history.sqlite", trustsSchema: true)
      try connection.execute(
        "UPDATE entries SET time = \(number), errors = \(number), microseconds = \(number), bytes = \(number)")
      var environment = ExplorerEnvironment()
      environment.attachHistory(in: HistoryStore(folders: folders, now: { 1_000_000 }))
      let found = await environment.history.search("")
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.note.contains("ago") || $0.note.contains("just now") }, "\(found)")
      #expect(await environment.history.endpoints().count == 1)
    }
  }
}
