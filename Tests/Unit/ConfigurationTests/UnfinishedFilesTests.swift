import ApusConfiguration
import ApusPlatform
import ApusTestSupport
import Foundation
import Testing

/// Temporary files of writes that were interrupted.
struct UnfinishedFilesTests {
  @Test func `a temporary file is removed unless it was renamed`() throws {
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

  /// This is not a valid process ID.
  private static let ended: pid_t = 1_073_741_824

  @Test func `a folder is searched once for files of killed processes`() throws {
    let folder = try TemporaryFolder()
    let leftover = TemporaryName.make(for: "x", process: Self.ended)
    func write(_ name: String) throws { try UserFile.replace("\(folder.path)/\(name)", with: [1], isDurable: false) }
    try folder.write(leftover, "half")
    try write("a")
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(leftover)"))
    try folder.write(leftover, "half")
    try write("b")
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(leftover)"))
  }

  @Test func `files that only resemble temporary files stay`() throws {
    let folder = try TemporaryFolder()
    let whole = TemporaryName.make(for: "a", process: Self.ended)
    let names = [
      "a.apus-1073741824", "a.apus-\(getpid())", "a.apus-1073741824-0", "a.apus-1073741824-0-00000000",
      "b" + whole.dropFirst(), whole + "0", whole + "-backup", TemporaryName.make(for: "a"), ".apus-1", "apus-1",
    ]
    for name in names { try folder.write(name, "theirs") }
    try UserFile.replace("\(folder.path)/a", with: [1], isDurable: false)
    for name in names { #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(name)"), "\(name)") }
  }

  @Test(arguments: ["", "-journal", "-wal", "-shm"])
  func `the name of a temporary file has its process`(ending: String) {
    for name in ["a", "a.apus-1-0-00000000", "ü.graphql", String(repeating: "é", count: 127)] {
      let made = TemporaryName.make(for: name, process: 4711, number: 12)
      #expect(TemporaryName.process(of: made + ending) == 4711)
      #expect((made + ending).utf8.count <= 255)
    }
  }

  @Test func `the mode, the link and the target of a replaced file stay`() throws {
    let folder = try TemporaryFolder(["target": "old"])
    chmod(folder.path + "/target", 0o640)
    #expect(symlink("target", folder.path + "/link") == 0)
    try UserFile.replace(folder.path + "/link", with: Array("new".utf8), mode: 0o600)
    #expect(try String(contentsOfFile: folder.path + "/target", encoding: .utf8) == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/link") == "target")
  }

  @Test func `pipes, folders and links to nothing are not replaced`() throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    #expect(symlink("nowhere", folder.path + "/dangling") == 0)
    #expect(symlink("/dev/null", folder.path + "/device") == 0)
    #expect(mkdir(folder.path + "/folder", 0o700) == 0)
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for name in before {
      #expect(throws: ConfigurationError.self, "\(name)") { try UserFile.replace("\(folder.path)/\(name)", with: [1]) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
  }
}
