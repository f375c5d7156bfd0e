import ApusPlatform
import ApusRawDatabase
import ApusSQLite
import ApusTestSupport
import Foundation
import Testing

@testable import ApusClientCache

/// The places of a cache file and of its neighbors, and what may be there (`Docs/Development/Security.md`, "Files beside a
/// database").
@Suite(.timeLimit(.minutes(1))) struct CacheFilePlacesTests {
  enum Item: CaseIterable {
    case missing, empty, text, link, danglingLink, linkToEmpty, hardLink, pipe, socket, device, folder
  }

  /// Puts an item at `c` or beside it, with `outside` as the target of links.
  private func put(_ item: Item, at name: String, in folder: TemporaryFolder) throws {
    try folder.write("outside", "theirs")
    try folder.write("blank", "")
    let path = folder.path(name)
    unlink(path)
    switch item {
    case .missing: break
    case .empty: try folder.write(name, "")
    case .text: try folder.write(name, "a text of the user")
    case .link: #expect(symlink(folder.path("outside"), path) == 0)
    case .danglingLink: #expect(symlink(folder.path("nowhere"), path) == 0)
    case .linkToEmpty: #expect(symlink(folder.path("blank"), path) == 0)
    case .hardLink: #expect(link(folder.path("outside"), path) == 0)
    case .pipe: #expect(mkfifo(path, 0o600) == 0)
    case .socket: try listen(path)
    case .device: #expect(symlink("/dev/zero", path) == 0)
    case .folder: try folder.make(name)
    }
  }

  private func listen(_ path: String) throws {
    let socket = ApusPlatform.socket(AF_UNIX, FileDescriptor.streamSocket, 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 }
    }
    try #require(isBound)
  }

  private func opens(_ folder: TemporaryFolder, isReadOnly: Bool = false) -> Bool {
    (try? SQLiteNormalizedCache(path: folder.path("c"), isReadOnly: isReadOnly)) != nil
  }

  private func expectUntouched(_ folder: TemporaryFolder) throws {
    #expect(try folder.read("outside") == "theirs")
    #expect(try folder.read("blank") == "")
    #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
  }

  /// The library replaces a file that is not a database; everything that is not a
  /// regular file stays.
  @Test(arguments: Item.allCases)
  func `a cache is created only where nothing or an empty file is`(item: Item) throws {
    let folder = try TemporaryFolder()
    try put(item, at: "c", in: folder)
    let isCreated = [.missing, .empty].contains(item)
    let isReplaced = [.text, .hardLink].contains(item)
    #expect(opens(folder) == (isCreated || isReplaced))
    try expectUntouched(folder)
    if isCreated { #expect(try folder.mode(of: "c") == 0o600) }
    #expect(try !folder.files(in: "").contains { $0.contains(".apus-") })
  }

  @Test(arguments: Item.allCases)
  func `a rollback journal is refused unless it is empty, and stays`(item: Item) throws {
    for hasCache in [true, false] {
      let folder = try TemporaryFolder()
      if hasCache { _ = try SQLiteNormalizedCache(path: folder.path("c")) }
      try put(item, at: "c-journal", in: folder)
      let isAccepted = [.missing, .empty].contains(item)
      #expect(opens(folder) == isAccepted)
      if hasCache { #expect(opens(folder, isReadOnly: true) == isAccepted) }
      try expectUntouched(folder)
      if !isAccepted { #expect(try folder.files(in: "").contains("c-journal")) }
      if item == .text { #expect(try folder.read("c-journal") == "a text of the user") }
    }
  }

  @Test(arguments: ["c-wal", "c-shm"], Item.allCases)
  func `a log or shared memory is refused if it is a link or a special file`(name: String, item: Item) throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("c"))
    try put(item, at: name, in: folder)
    // SQLite empties any file in the place of the shared memory.
    let isAccepted = [.missing, .empty].contains(item) || item == .text && name == "c-shm"
    #expect(opens(folder, isReadOnly: true) == isAccepted)
    #expect(opens(folder) == isAccepted)
    try expectUntouched(folder)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"), arguments: ["c-wal", "c-shm"])
  func `a log or shared memory of another user is refused`(name: String) throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("c"))
    try folder.write(name, "")
    chown(folder.path(name), 65534, 65534)
    #expect(!opens(folder) && !opens(folder, isReadOnly: true))
    // A cache of another user can be read with its own log.
    chown(folder.path("c"), 65534, 65534)
    #expect(opens(folder, isReadOnly: true))
  }

  @Test func `files that others could read become private, and their links stay`() throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("c"))
    for name in ["c", "c-wal", "c-shm"] {
      if name != "c" { try folder.write(name, "") }
      chmod(folder.path(name), 0o666)
    }
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    for name in ["c", "c-wal", "c-shm"] { #expect(try folder.mode(of: name) == 0o600, "\(name)") }
    withExtendedLifetime(cache) {}
  }

  @Test func `the journal beside the target of a link is refused`() throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteNormalizedCache(path: folder.path("target"))
    #expect(symlink("target", folder.path("c")) == 0)
    #expect(opens(folder))
    try folder.write("target-journal", "theirs")
    #expect(!opens(folder))
    #expect(try folder.read("target-journal") == "theirs")
  }

  @Test func `a damaged file that a link leads to stays`() throws {
    let folder = try TemporaryFolder()
    try folder.write("target", String(repeating: "no database at all", count: 100))
    #expect(symlink("target", folder.path("c")) == 0)
    let error = #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: folder.path("c")) }
    #expect(error?.kind == .corrupt)
    #expect(try folder.files(in: "") == ["c", "target"])
  }

  @Test(arguments: ["", "CREATE TABLE theirs(a);", "CREATE VIEW theirs AS SELECT 1;"])
  func `a database of another program with the application id stays`(statements: String) throws {
    for version in [0, RecordFile.version] {
      let folder = try TemporaryFolder()
      try RawDatabase(folder.path("c")).execute(
        "\(statements) PRAGMA application_id = \(RecordFile.applicationID); PRAGMA user_version = \(version)")
      let before = try folder.bytes("c")
      let error = #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: folder.path("c")) }
      #expect(error?.kind == .unrecognized)
      #expect(try folder.bytes("c") == before)
      #expect(try folder.files(in: "") == ["c"])
    }
  }

  /// A log whose database is gone would be played back into a new one.
  @Test func `a log without its database is refused`() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    _ = try await cache.apply([.removeAll], at: 1)
    try FileManager.default.copyItem(atPath: folder.path("c-wal"), toPath: folder.path("kept"))
    try FileManager.default.removeItem(atPath: folder.path("c"))
    #expect(throws: CacheFileError.self) { try SQLiteNormalizedCache(path: folder.path("c")) }
    #expect(try folder.bytes("c-wal") == folder.bytes("kept"))
  }

  @Test func `the log of a killed program is read`() async throws {
    let folder = try TemporaryFolder()
    let cache = try SQLiteNormalizedCache(path: folder.path("c"))
    _ = try await cache.apply(
      [
        .merge(
          try CacheImport.records(
            try json(
              #"{"format":"apus-cache","version":1,"records":{"QUERY_ROOT":{"a":1}}}"#)))
      ], at: 1)
    for ending in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: folder.path("c\(ending)"), toPath: folder.path("killed\(ending)"))
    }
    #expect(try await SQLiteNormalizedCache(path: folder.path("killed")).snapshot().count == 1)
  }

  @Test(arguments: [true, false])
  func `several threads that create one cache all succeed`(isEmptyBefore: Bool) async throws {
    let folder = try TemporaryFolder()
    if isEmptyBefore { try folder.write("c", "") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          let cache = try SQLiteNormalizedCache(path: folder.path("c"))
          _ = try await cache.apply(
            [
              .merge(
                try CacheImport.records(
                  try json(
                    #"{"format":"apus-cache","version":1,"records":{"Bird:\#(number)":{"a":1}}}"#)))
            ], at: 1)
        }
      }
      try await group.waitForAll()
    }
    #expect(try await SQLiteNormalizedCache(path: folder.path("c")).snapshot().count == 6)
    #expect(try !folder.files(in: "").contains { $0.contains(".apus-") })
  }
}
