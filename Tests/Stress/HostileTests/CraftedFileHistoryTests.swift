import ApusConfiguration
import ApusExplorerCore
import ApusSQLite
import ApusTestSupport
import Foundation
import Testing

@testable import ApusExplorerPersistence

/// Corrupt files of the user are reported, and leftover files are removed.
struct CraftedFileHistoryTests {
  @Test func aCorruptHistoryIsReportedOnce() async throws {
    let folder = try TemporaryFolder()
    try folder.write("data/history.sqlite", String(repeating: "no database at all ", count: 100))
    var environment = ExplorerEnvironment()
    environment.attachHistory(in: HistoryStore(folders: UserFolders(environment: folder.asHome), now: { 0 }))
    #expect(environment.historyTrouble() == nil)
    #expect(await environment.searchHistory("") == [])
    let reported = try #require(environment.historyTrouble())
    #expect(reported.contains("history.sqlite"))
    #expect(reported.contains("not a database"))
    #expect(await environment.searchHistory("") == [])
    #expect(environment.historyTrouble() == nil)
  }

  @Test func temporaryFilesOfAKilledProcessAreRemoved() async throws {
    let folder = try TemporaryFolder()
    let gone = try ChildProcess("/bin/sh", ["-c", "exit 0"])
    _ = await gone.outcome()
    try folder.write("workspace.json.apus-\(gone.processIdentifier)", "half")
    try folder.write("workspace.json.apus-\(getppid())", "somebody is writing")
    try folder.write("workspace.json.apus-notes", "a file of the person's")
    try UserFile.replace(folder.path("workspace.json"), with: Array("{}".utf8))
    #expect(
      try folder.files(in: "")
        == ["workspace.json", "workspace.json.apus-\(getppid())", "workspace.json.apus-notes"])
  }

  /// The next start removes temporary files of killed processes and no others.
  @Test func theNextStartRemovesTemporaryFilesOfKilledProcesses() async throws {
    let folder = try TemporaryFolder()
    let gone = try ChildProcess("/bin/sh", ["-c", "exit 0"])
    _ = await gone.outcome()
    let (dead, alive) = (gone.processIdentifier, getppid())
    let leftovers = [
      "state/workspaces/a-1/workspace.json.apus-\(dead)", "cache/schemas/a.graphql.apus-\(dead)",
      "data/trusted.apus-\(dead)", "config/keys.yml.apus-\(dead)", "state/editing/apus-\(dead)-Ab12Cd.graphql",
    ]
    let others = [
      "state/workspaces/a-1/workspace.json.apus-\(alive)", "state/workspaces/a-1/workspace.json",
      "state/editing/apus-\(alive)-Ab12Cd.json", "state/editing/edited-Ab12Cd.json", "cache/schemas/a.apus-notes",
      "config/themes/apus-\(dead)-mine.yml", "config/mine.apus-\(dead)x", "elsewhere/b.json.apus-\(dead)",
    ]
    for file in leftovers + others { try folder.write(file, "a text") }
    let program = try ChildProcess(Checkout.apus, ["themes"], environment: folder.asHome)
    _ = await program.outcome()
    let left = Set(try folder.files(in: ""))
    #expect(left.isDisjoint(with: leftovers) && left.isSuperset(of: others), "\(left)")
  }

  @Test func excessiveNumbersInAHistoryAreClamped() async throws {
    let folder = try TemporaryFolder()
    let folders = UserFolders(environment: folder.asHome)
    try await HistoryStore(folders: folders, now: { 0 }).record(
      HistoryEntry(
        endpoint: "http://a.example/", operation: "query A", query: "{ a }", variables: "", status: .complete))
    for number in ["-9223372036854775808", "9223372036854775807"] {
      let connection = try SQLiteConnection(path: folders.data + "/history.sqlite")
      try connection.execute(
        "UPDATE entries SET time = \(number), errors = \(number), microseconds = \(number), bytes = \(number)")
      var environment = ExplorerEnvironment()
      environment.attachHistory(in: HistoryStore(folders: folders, now: { 1_000_000 }))
      let found = await environment.searchHistory("")
      #expect(found.count == 1)
      #expect(found.allSatisfy { $0.note.contains("ago") || $0.note.contains("just now") }, "\(found)")
      #expect(await environment.recentEndpoints().count == 1)
    }
  }
}
