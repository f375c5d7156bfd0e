import ApusPlatform

extension UserFile {
  /// Creates a folder and its parents, by default accessible only to the user.
  package static func makeFolder(_ path: String, mode: UInt16 = 0o700) throws(ConfigurationError) {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      built += "/\(part)"
      if mkdir(built, mode_t(mode)) != 0, errno != EEXIST {
        throw ConfigurationError(file: path, "cannot create the directory: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Creates a folder and its parents, and makes the folder private even if it exists.
  package static func makePrivateFolder(_ path: String) throws(ConfigurationError) {
    try makeFolder(path)
    chmod(path, 0o700)
  }

  /// Returns the first symbolic link on the way from a folder to a path below it, because such a link may lead
  /// anywhere.
  package static func link(below folder: String, to path: String) -> String? {
    var place = folder
    for part in path.split(separator: "/") {
      place += "/\(part)"
      var status = stat()
      if lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return place }
    }
    return nil
  }

  /// Returns the names of the visible folders in a folder, sorted.
  package static func folders(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      guard entry.pointee.d_type == UInt8(DT_DIR) else { continue }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The contents that a file had when it was read, before it is replaced.
  package enum EarlierContents: Sendable {
    case any
    /// There was no such file.
    case missing
    case bytes([UInt8])

    package init(_ bytes: [UInt8]?) { self = bytes.map { .bytes($0) } ?? .missing }
  }

  /// Replaces the contents of a file atomically, by renaming a temporary file. New files are private to the user; if
  /// `mode` is given, it applies to new files and existing files keep theirs. A symbolic link stays a link, and its
  /// target is replaced. With `isDurable` false, the call does not wait until the data is on disk.
  /// See `replace(_:in:path:with:mode:isDurable:over:)` for files that other programs change.
  package static func replace(
    _ path: String, with bytes: some Collection<UInt8>, mode: UInt16? = nil, isDurable: Bool = true,
    over earlier: EarlierContents = .any
  ) throws(ConfigurationError) {
    let path = target(of: path)
    try replace(path, in: AT_FDCWD, path: path, with: bytes, mode: mode, isDurable: isDurable, over: earlier)
  }

  /// Replaces a file in an open folder.
  ///
  /// A file that another program changed since its contents were read is left alone. The comparison is the last step
  /// before the rename: only a change between these two calls of the system is lost, for no rename compares.
  ///
  /// - Parameters:
  ///   - name: The name in the folder.
  ///   - path: The path of the file, for messages.
  package static func replace(
    _ name: String, in folder: Int32, path: String, with bytes: some Collection<UInt8>, mode given: UInt16?,
    isDurable: Bool, over earlier: EarlierContents
  ) throws(ConfigurationError) {
    let signals = BlockedTerminationSignals()
    defer { signals.letThrough() }
    var status = stat()
    var mode = mode_t(given ?? 0o600)
    if given != nil, fstatat(folder, name, &status, 0) == 0 { mode = mode_t(status.st_mode & 0o7777) }
    let ending = "\(besideMark)\(getpid())"
    removeLeftovers(beside: name, in: folder, path: path)
    unlinkat(folder, name + ending, 0)
    let isNoted = TemporaryFileRegistry.ofThisProcess.begin(path + ending)
    defer { if isNoted { TemporaryFileRegistry.ofThisProcess.end() } }
    let descriptor = openat(folder, name + ending, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw writingFailure(path + ending) }
    let isWritten = FileDescriptor.writeAll(Array(bytes), to: descriptor)
    // The data must reach the disk before the rename, so that a power failure leaves the old or the new file, never a
    // part.
    let isWhole = isWritten && (!isDurable || fsync(descriptor) == 0)
    let isClosed = close(descriptor) == 0
    var failure: ConfigurationError?
    if !isWhole || !isClosed {
      failure = writingFailure(path)
    } else if !hasContents(earlier, name, in: folder) {
      failure = ConfigurationError(file: path, "another program changed the file; it was not overwritten")
    } else if renameat(folder, name + ending, folder, name) != 0 {
      failure = writingFailure(path)
    }
    guard let failure else { return }
    unlinkat(folder, name + ending, 0)
    throw failure
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

  /// Returns the target of a symbolic link; the path itself if it is not a link or the target does not exist.
  private static func target(of path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let real = realpath(path, nil) else {
      return path
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// The separator between a file name and the process number in the name of a temporary file.
  private static let besideMark = ".apus-"

  /// Removes temporary files that killed processes left next to a path. Each folder is searched only once per process,
  /// because listing it on every write would be slow.
  private static func removeLeftovers(beside name: String, in folder: Int32, path: String) {
    func folderPart(_ path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./" }
    guard TemporaryFileRegistry.ofThisProcess.isFirst(in: folderPart(path)) else { return }
    let descriptor = openat(folder, folderPart(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let mark = name.ranges(of: besideMark).last, let process = pid_t(name[mark.upperBound...]), process > 0
      else { continue }
      if kill(process, 0) != 0, errno == ESRCH { unlinkat(descriptor, name, 0) }
    }
  }

  private static func writingFailure(_ path: String) -> ConfigurationError {
    ConfigurationError(file: path, "the file cannot be written: \(String(cString: strerror(errno)))")
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
