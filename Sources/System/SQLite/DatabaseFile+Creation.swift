import ApusPlatform
import Synchronization

/// The creation of databases: complete under a temporary name, and then linked into place.
///
/// So no database of Apus ever has a rollback journal, a process that is killed leaves only temporary files, and of
/// several processes that create one file, one succeeds and the others use its file.
extension DatabaseFile {
  /// Creates the database in write-ahead logging mode if the file is missing or empty, unless another process does so
  /// meanwhile. Removes what killed processes left.
  ///
  /// - Parameter make: Creates the tables.
  package func createIfMissing(
    trustsSchema: Bool = false, _ make: (SQLiteConnection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      if contents == .some { return }
      throw failure
    }
    defer { close(folder) }
    let registry = TemporaryFileRegistry.ofThisProcess
    if registry.isFirst(in: "\(Self.folder(of: path))/") { TemporaryName.removeLeftovers(in: folder) }
    if contents == .some { return }
    guard let created = TemporaryName.create(for: Self.name(of: path), in: folder, mode: 0o600) else { throw failure }
    close(created.descriptor)
    let temporary = "\(Self.folder(of: path))/\(created.name)"
    let isNoted = registry.begin(temporary)
    defer {
      for ending in ["", "-wal", "-shm"] { unlink(temporary + ending) }
      if isNoted { registry.end() }
    }
    try fill(temporary, trustsSchema, make)
    try Self.placing.withLock { (_) throws(SQLiteError) in try place(temporary) }
  }

  /// Serializes the threads of this process.
  private static let placing = Mutex(())

  /// Closes the connection on return, which removes the empty log.
  private func fill(
    _ temporary: String, _ trustsSchema: Bool, _ make: (SQLiteConnection) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    do throws(SQLiteError) {
      let connection = try SQLiteConnection(path: temporary, trustsSchema: trustsSchema)
      // The tables are written to the file itself, so that nothing is lost if the log cannot be copied to it later.
      try connection.execute("PRAGMA journal_mode = MEMORY")
      try make(connection)
      try connection.useWriteAheadLog()
    } catch {
      throw SQLiteError(path: path, kind: error.kind, message: error.message)
    }
  }

  private func place(_ temporary: String) throws(SQLiteError) {
    if contents == .empty { return try replaceEmpty(with: temporary) }
    if link(temporary, path) == 0 || errno == EEXIST { return }
    // On a file system without hard links, the name is reserved.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 || errno == EEXIST else { throw failure }
    if descriptor >= 0 { close(descriptor) }
    try replaceEmpty(with: temporary)
  }

  /// Renames the temporary file to the path of an empty file. A lock on the empty file lets one process do so: the others
  /// find another file at the path afterwards.
  private func replaceEmpty(with temporary: String) throws(SQLiteError) {
    // A file that another thread has created is not opened, because closing it would release the thread's locks (fcntl(2)).
    var status = stat()
    guard lstat(path, &status) == 0 else { throw failure }
    if status.st_size > 0 { return }
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure }
    defer { close(descriptor) }
    var attempts = 200
    // A file system without locks returns another error, and cannot be shared anyway.
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      attempts -= 1
      guard attempts > 0 else {
        throw SQLiteError(path: path, kind: .busy, message: "another program has locked it")
      }
      // flock(2) has no time limit, and another process holds the lock only while it renames its file.
      usleep(50_000)
    }
    var (locked, current) = (stat(), stat())
    guard fstat(descriptor, &locked) == 0, lstat(path, &current) == 0 else { throw failure }
    guard locked.place == current.place, locked.st_size == 0 else { return }
    guard rename(temporary, path) == 0 else { throw failure }
  }

  private var failure: SQLiteError {
    let isFull = errno == ENOSPC || errno == EDQUOT
    return SQLiteError(path: path, kind: isFull ? .full : .other, message: String(cString: strerror(errno)))
  }
}
