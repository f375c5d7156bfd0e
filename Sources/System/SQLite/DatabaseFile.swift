import ApusPlatform

/// A database in the file system, with the files that SQLite opens beside it.
///
/// The file and its neighbors are checked before SQLite sees them, because anyone may have put them there:
///
/// | file | refused |
/// |---|---|
/// | the database | anything but a regular file; a link to a file that is missing or empty |
/// | `-journal` | all but an empty file. SQLite would play it back, and delete the file that it names |
/// | `-wal`, `-shm` | links, pipes and other special files, files of other users, and a log without its database |
package struct DatabaseFile: Sendable {
  package enum Contents: Sendable {
    case missing, empty, some
  }

  /// The path with symbolic links resolved.
  package let path: String
  package let isLink: Bool
  package let contents: Contents
  /// The owner of the file; the user if it does not exist.
  package let owner: uid_t

  /// Checks the file of a path and its neighbors.
  package init(_ path: String) throws(SQLiteError) {
    (self.path, isLink) = try Self.resolved(path)
    // The neighbors first: another process may create the database and then its log.
    let log = try Self.log(beside: self.path)
    try Self.checkJournal(beside: self.path)
    let memory = try Self.neighbor(self.path + "-shm")
    var status = stat()
    if lstat(self.path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        throw SQLiteError(
          path: path, kind: .refused,
          message: isFolder ? "Is a directory" : "it is not a regular file; use another file")
      }
      (contents, owner) = (status.st_size == 0 ? .empty : .some, status.st_uid)
    } else {
      (contents, owner) = (.missing, geteuid())
    }
    if isLink, contents != .some {
      throw SQLiteError(
        path: path, kind: .refused,
        message: "it is a symbolic link to an empty file; delete the link, or use another file")
    }
    for (ending, neighbor) in [("-wal", log), ("-shm", memory)] {
      guard let neighbor, ![owner, geteuid()].contains(neighbor.st_uid) else { continue }
      throw Self.refusal(self.path + ending, "belongs to another user")
    }
    if contents != .some, let log, log.st_size > 0 {
      throw Self.refusal(self.path + "-wal", "belongs to another database")
    }
  }

  private static func resolved(_ path: String) throws(SQLiteError) -> (path: String, isLink: Bool) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT, let folder = realPath(folder(of: path)) else { throw failure(path) }
      return (folder == "/" ? "/\(name(of: path))" : "\(folder)/\(name(of: path))", false)
    }
    guard let real = realPath(path) else {
      guard errno == ENOENT else { throw failure(path) }
      throw SQLiteError(
        path: path, kind: .refused,
        message: "it is a symbolic link to a file that does not exist; delete the link, or use another file")
    }
    return (real, status.st_mode & S_IFMT == S_IFLNK)
  }

  private static func checkJournal(beside path: String) throws(SQLiteError) {
    let journal = path + "-journal"
    var status = stat()
    guard lstat(journal, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else {
      throw refusal(journal, "is a rollback journal, which Apus does not write and SQLite would play back")
    }
  }

  /// Returns the status of a write-ahead log; nil if there is none.
  private static func log(beside path: String) throws(SQLiteError) -> stat? {
    guard let status = try neighbor(path + "-wal") else { return nil }
    guard status.st_size > 0 else { return status }
    let descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return status }
    defer { close(descriptor) }
    var head: [UInt8] = [0, 0, 0, 0]
    let count = FileDescriptor.read(descriptor, into: &head)
    // SQLite, "WAL-mode File Format", 1. Zeros are left by a power failure.
    guard count < 4 || [[0, 0, 0, 0], [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]].contains(head) else {
      throw refusal(path + "-wal", "is not a write-ahead log")
    }
    return status
  }

  /// Returns the status of a file that SQLite opens; nil if it does not exist.
  private static func neighbor(_ path: String) throws(SQLiteError) -> stat? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else { throw refusal(path, "is not a regular file") }
    return status
  }

  private static func refusal(_ path: String, _ reason: String) -> SQLiteError {
    SQLiteError(path: path, kind: .refused, message: "\(path) \(reason); delete it, or use another file")
  }

  private static func failure(_ path: String) -> SQLiteError {
    SQLiteError(path: path, message: String(cString: strerror(errno)))
  }

  private static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// Removes the permissions of group and others from the database, its log and its shared memory. The files are not
  /// opened, because closing them would release the locks of other connections in this process (fcntl(2)).
  package func restrict() {
    for name in [path, path + "-wal", path + "-shm"] {
      var status = stat()
      guard lstat(name, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG,
        status.st_mode & 0o077 != 0
      else { continue }
      _ = chmod(name, status.st_mode & 0o700)
    }
  }
}
