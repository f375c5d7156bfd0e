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

  /// The processor's time is that of the system as well, which lists folders.
  @Test func manyFilesOfOneFolderAreWrittenInProportionToTheirNumber() throws {
    let isLinear = try Growth.isLinear(from: 150) { count in
      (folder: try TemporaryFolder(), count: count)
    } work: { input in
      for number in 0..<input.count {
        try UserFile.replace("\(input.folder.path)/\(number)", with: [1], isDurable: false)
      }
    }
    #expect(isLinear)
  }
}
