import ApusSecrets
import ApusTestSupport
import Foundation
import Testing

@Suite struct PrivateFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func write(_ name: String) throws {
    let file = FileHandle(fileDescriptor: try PrivateFile.create(folder.path(name)), closeOnDealloc: true)
    try file.write(contentsOf: Data("new".utf8))
  }

  @Test func `an existing file becomes readable by its owner only`() throws {
    try folder.write("open", "old and longer")
    chmod(folder.path("open"), 0o666)
    for name in ["fresh", "open"] {
      try write(name)
      #expect(try folder.mode(of: name) == 0o600)
      #expect(try folder.read(name) == "new")
    }
  }

  @Test func `a file of another user is not changed`() throws {
    // Only root can change a file's owner.
    guard geteuid() == 0 else { return }
    try folder.write("theirs", "old")
    chown(folder.path("theirs"), 1, 1)
    #expect(throws: PrivateFile.FileError.self) { try PrivateFile.create(folder.path("theirs")) }
    #expect(try folder.read("theirs") == "old")
  }

  @Test func `pipes, devices, folders and links to nothing are refused immediately`() throws {
    #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
    try folder.make("folder")
    #expect(symlink(folder.path("nowhere"), folder.path("dangling")) == 0)
    #expect(symlink("/dev/null", folder.path("device")) == 0)
    let before = try folder.files(in: "")
    for name in before + ["../../dev/null"] {
      #expect(throws: PrivateFile.FileError.self, "\(name)") { try PrivateFile.create(folder.path(name)) }
    }
    #expect(throws: PrivateFile.FileError.self) { try PrivateFile.create("/dev/null") }
    #expect(try folder.files(in: "") == before)
  }

  @Test func `a link to a file is followed`() throws {
    try folder.write("target", "old")
    #expect(symlink("target", folder.path("link")) == 0)
    try write("link")
    #expect(try folder.read("target") == "new")
  }

  @Test func `an exclusive file is refused while another caller has it, and keeps its contents`() throws {
    let first = try PrivateFile.create(folder.path("a"), isExclusive: true)
    #expect(Foundation.write(first, "text", 4) == 4)
    #expect(throws: PrivateFile.FileError.self) { try PrivateFile.create(folder.path("a"), isExclusive: true) }
    #expect(try folder.read("a") == "text")
    close(first)
    close(try PrivateFile.create(folder.path("a"), isExclusive: true))
    #expect(try folder.read("a") == "")
  }
}
