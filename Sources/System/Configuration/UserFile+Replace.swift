import ApusPlatform

extension UserFile {
  /// Creates a folder and its parents, by default accessible only to the user.
  package static func makeFolder(_ path: String, mode: UInt16 = 0o700) throws(ConfigurationError) {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      built += "/\(part)"
      if mkdir(built, mode_t(mode)) != 0, errno != EEXIST {
        throw ConfigurationError(file: path, "the folder cannot be made: \(String(cString: strerror(errno)))")
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

  /// Replaces the contents of a file atomically, by renaming a temporary file. New files are private to the user; if
  /// `mode` is given, it applies to new files and existing files keep theirs. A symbolic link stays a link, and its
  /// target is replaced. With `isDurable` false, the call does not wait until the data is on disk.
  package static func replace(
    _ path: String, with bytes: some Collection<UInt8>, mode given: UInt16? = nil, isDurable: Bool = true
  ) throws(ConfigurationError) {
    let path = target(of: path)
    let signals = TerminationSignalsHeldBack()
    defer { signals.letThrough() }
    var status = stat()
    var mode = mode_t(given ?? 0o600)
    if given != nil, stat(path, &status) == 0 { mode = mode_t(status.st_mode & 0o7777) }
    let beside = "\(path)\(besideMark)\(getpid())"
    removeLeftovers(beside: path)
    unlink(beside)
    let isNoted = UnfinishedFiles.ofThisProcess.begin(beside)
    defer { if isNoted { UnfinishedFiles.ofThisProcess.end() } }
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw writingFailure(beside) }
    let isWritten = Descriptor.writeAll(Array(bytes), to: descriptor)
    // The data must reach the disk before the rename, so that a power failure leaves the old or the new file, never a
    // part.
    let isWhole = isWritten && (!isDurable || fsync(descriptor) == 0)
    let isClosed = close(descriptor) == 0
    guard isWhole, isClosed, rename(beside, path) == 0 else {
      let failure = writingFailure(path)
      unlink(beside)
      throw failure
    }
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
  private static func removeLeftovers(beside path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    guard UnfinishedFiles.ofThisProcess.isFirst(in: folder), let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let mark = name.ranges(of: besideMark).last, let process = pid_t(name[mark.upperBound...]), process > 0
      else { continue }
      if kill(process, 0) != 0, errno == ESRCH { unlink(folder + name) }
    }
  }

  private static func writingFailure(_ path: String) -> ConfigurationError {
    ConfigurationError(file: path, "the file cannot be written: \(String(cString: strerror(errno)))")
  }
}

/// Blocks the signals that terminate a program on this thread until a file is complete, so that a single-threaded
/// program leaves no temporary file.
private struct TerminationSignalsHeldBack {
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
