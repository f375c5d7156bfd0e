import ApusConfiguration
import ApusPlatform
import ApusTestSupport
import Foundation
import Testing

/// What is left of a file that was being written when the program was ended at once.
struct UnfinishedFilesTests {
  @Test func theFileBesideIsTakenAwayUntilItHasTakenItsPlace() throws {
    let folder = try TemporaryFolder(["a": "half", "b": "half"])
    let (first, second) = (folder.path + "/a", folder.path + "/b")
    let files = UnfinishedFiles()
    #expect(files.begin(first))
    #expect(!files.begin(second), "one at a time is noted")
    files.takeAway()
    #expect(!FileManager.default.fileExists(atPath: first))
    files.end()
    files.takeAway()
    #expect(files.begin(second))
    files.end()
    files.takeAway()
    #expect(FileManager.default.fileExists(atPath: second), "what has taken its place stays")
  }

  @Test func aFolderIsSearchedForFilesOfKilledProcessesOnceAndNotForEachFile() throws {
    let folder = try TemporaryFolder()
    // No process has this number.
    let leftover = "x.apus-1073741824"
    func write(_ name: String) throws { try UserFile.replace("\(folder.path)/\(name)", with: [1], isDurable: false) }
    try folder.write(leftover, "half")
    try write("a")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(leftover)"))
    try folder.write(leftover, "half")
    try write("b")
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(leftover)"))
  }
}
