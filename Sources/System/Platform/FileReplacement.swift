/// Replaces files atomically: the contents are written to a temporary file, which is then renamed.
package enum FileReplacement {
  /// The reason why a file was not replaced. It has its old contents then.
  package enum Failure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The value of `errno`.
    case system(Int32)
    /// Another program changed the file.
    case changed
    /// A pipe, socket or device.
    case notRegular
    /// A symbolic link to a file that does not exist.
    case danglingLink

    package var description: String {
      self == .changed ? "\(reason); it was not overwritten" : "the file cannot be written: \(reason)"
    }

    package var reason: String {
      switch self {
      case .system(let code): String(cString: strerror(code))
      case .changed: "another program changed the file"
      case .notRegular: "it is not a regular file"
      case .danglingLink: "it is a symbolic link to a file that does not exist"
      }
    }
  }

  /// The contents that a file had when it was read, before it is replaced.
  package enum EarlierContents: Sendable {
    case any
    /// There was no such file.
    case missing
    case bytes([UInt8])

    package init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .missing }
  }

  /// Finds the path to replace: that of a regular file or of none, with symbolic links resolved.
  package static func target(of path: String) throws(Failure) -> String {
    var status = stat()
    guard lstat(path, &status) == 0 else { return path }
    var path = path
    if status.st_mode & S_IFMT == S_IFLNK {
      guard let real = realpath(path, nil) else { throw errno == ENOENT ? .danglingLink : .system(errno) }
      path = String(cString: real)
      free(real)
      guard lstat(path, &status) == 0 else { throw .system(errno) }
    }
    if status.st_mode & S_IFMT == S_IFDIR { throw .system(EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    return path
  }

  /// Replaces a file in an open folder.
  ///
  /// A file that another program changed since its contents were read is left alone. The comparison is the last step
  /// before the rename: only a change between these two calls of the system is lost, for no rename compares.
  ///
  /// - Parameters:
  ///   - name: The name in the folder, or a path.
  ///   - path: The path of the file, for the handler of signals.
  ///   - mode: The mode of a new file; an existing file keeps its own. With nil, the file is private.
  ///   - isDurable: Whether the call waits until the data is on disk.
  package static func replace(
    _ name: String, in folder: Int32, path: String, with bytes: [UInt8], mode given: UInt16?, isDurable: Bool,
    over earlier: EarlierContents
  ) throws(Failure) {
    let signals = BlockedTerminationSignals()
    defer { signals.letThrough() }
    var status = stat()
    var mode = mode_t(given ?? 0o600)
    if given != nil, fstatat(folder, name, &status, 0) == 0 { mode = mode_t(status.st_mode & 0o7777) }
    removeLeftovers(beside: name, in: folder, path: path)
    guard let beside = TemporaryName.create(for: name, in: folder, mode: mode) else { throw .system(errno) }
    let registered =
      TemporaryName.folder(of: path) + String(beside.name.dropFirst(TemporaryName.folder(of: name).count))
    let isRegistered = TemporaryFileRegistry.ofThisProcess.begin(registered)
    defer { if isRegistered { TemporaryFileRegistry.ofThisProcess.end() } }
    do throws(Failure) {
      try write(bytes, to: beside.descriptor, isDurable: isDurable)
      guard hasContents(earlier, name, in: folder) else { throw .changed }
      guard renameat(folder, beside.name, folder, name) == 0 else { throw .system(errno) }
    } catch {
      unlinkat(folder, beside.name, 0)
      throw error
    }
  }

  /// Writes all bytes and closes the file.
  private static func write(_ bytes: [UInt8], to descriptor: Int32, isDurable: Bool) throws(Failure) {
    // The data must reach the disk before the rename, so that a power failure leaves the old or the new file, never a
    // part.
    let isWritten = FileDescriptor.writeAll(bytes, to: descriptor) && (!isDurable || fsync(descriptor) == 0)
    let code = errno
    let isClosed = close(descriptor) == 0
    guard isWritten else { throw .system(code) }
    guard isClosed else { throw .system(errno) }
  }

  /// Whether a file has these contents now.
  private static func hasContents(_ earlier: EarlierContents, _ name: String, in folder: Int32) -> Bool {
    if case .any = earlier { return true }
    let descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if case .missing = earlier { return errno == ENOENT }
      return false
    }
    defer { close(descriptor) }
    guard case .bytes(let bytes) = earlier else { return false }
    return (try? FileDescriptor.readAll(descriptor, limit: bytes.count)) == bytes
  }

  /// Removes temporary files that killed processes left in the folder of a path. Each folder is searched only once per
  /// process, because listing it on every write would be slow.
  private static func removeLeftovers(beside name: String, in folder: Int32, path: String) {
    guard TemporaryFileRegistry.ofThisProcess.isFirst(in: TemporaryName.folder(of: path)) else { return }
    let place = TemporaryName.folder(of: name)
    let descriptor = openat(folder, place.isEmpty ? "." : place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    TemporaryName.removeLeftovers(in: descriptor)
    close(descriptor)
  }
}

/// Blocks the signals that terminate a program on this thread until a file is complete, so that a single-threaded
/// program leaves no temporary file.
private struct BlockedTerminationSignals {
  private var before = sigset_t()

  init() {
    var ending = sigset_t()
    sigemptyset(&ending)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&ending, number) }
    pthread_sigmask(SIG_BLOCK, &ending, &before)
  }

  func letThrough() {
    var before = before
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
