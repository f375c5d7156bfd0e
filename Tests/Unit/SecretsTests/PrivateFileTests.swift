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

  @Test func anExistingFileBecomesReadableByItsOwnerOnly() throws {
    try folder.write("open", "old and longer")
    chmod(folder.path("open"), 0o666)
    for name in ["fresh", "open"] {
      try write(name)
      #expect(try folder.mode(of: name) == 0o600)
      #expect(try folder.read(name) == "new")
    }
  }

  @Test func aFileOfAnotherUserIsNotChanged() throws {
    // Only root can change a file's owner.
    guard geteuid() == 0 else { return }
    try folder.write("theirs", "old")
    chown(folder.path("theirs"), 1, 1)
    #expect(throws: PrivateFile.FileError.self) { try PrivateFile.create(folder.path("theirs")) }
    #expect(try folder.read("theirs") == "old")
  }

  @Test func aDeviceIsOpenedUnchanged() throws {
    close(try PrivateFile.create("/dev/null"))
  }
}
