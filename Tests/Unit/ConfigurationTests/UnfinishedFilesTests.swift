import ApusConfiguration
import ApusPlatform
import ApusTestSupport
import Foundation
import Testing

/// Temporary files of writes that were interrupted.
struct UnfinishedFilesTests {
  @Test func aTemporaryFileIsRemovedUnlessItWasRenamed() throws {
    let folder = try TemporaryFolder(["a": "half", "b": "half"])
    let (first, second) = (folder.path + "/a", folder.path + "/b")
    let files = TemporaryFileRegistry()
    #expect(files.begin(first))
    #expect(!files.begin(second), "one at a time is noted")
    files.removeCurrent()
    #expect(!FileManager.default.fileExists(atPath: first))
    files.end()
    files.removeCurrent()
    #expect(files.begin(second))
    files.end()
    files.removeCurrent()
    #expect(FileManager.default.fileExists(atPath: second), "the replacement stays")
  }

  @Test func aFolderIsSearchedOnceForFilesOfKilledProcesses() throws {
    let folder = try TemporaryFolder()
    // This is not a valid process ID.
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
