import ApusPlatform

extension UserFile {
  /// Makes a folder with those above it, readable by the user alone.
  package static func makeFolder(_ path: String, mode: UInt16 = 0o700) throws(ConfigurationError) {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      built += "/\(part)"
      if mkdir(built, mode_t(mode)) != 0, errno != EEXIST {
        throw ConfigurationError(file: path, "the folder cannot be made: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Makes a folder with those above it; the folder itself is left to the user alone also where it was there.
  package static func makePrivateFolder(_ path: String) throws(ConfigurationError) {
    try makeFolder(path)
    chmod(path, 0o700)
  }

  /// The first step of a path below a folder that is a symbolic link, of which nobody knows where it leads.
  package static func link(below folder: String, to path: String) -> String? {
    var place = folder
    for part in path.split(separator: "/") {
      place += "/\(part)"
      var status = stat()
      if lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return place }
    }
    return nil
  }

  /// The folders in a folder, sorted; those with a dot before the name are left out.
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

  /// Replaces a file's bytes, whole or not at all: the new ones are written beside it and take its place. It is readable
  /// by the user alone, unless a mode for a new file is given: then one that is there keeps its mode. A link stays one, and
  /// the file that it leads to is replaced. One that need not outlast a loss of power is not waited for until it is on the
  /// disk.
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
    // On the disk before it takes the name: after a loss of power the old file or the new one is there, never half of one.
    let isWhole = isWritten && (!isDurable || fsync(descriptor) == 0)
    let isClosed = close(descriptor) == 0
    guard isWhole, isClosed, rename(beside, path) == 0 else {
      let failure = writingFailure(path)
      unlink(beside)
      throw failure
    }
  }

  /// Where a link leads to; the path itself where it is none, or leads nowhere.
  private static func target(of path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let real = realpath(path, nil) else {
      return path
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// What stands between a file's name and the number of the process that writes the new one.
  private static let besideMark = ".apus-"

  /// Removes the halves of files that processes left in the folder of a path when they were killed. This process looks once
  /// into each folder: with many files, each write would list them all.
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

/// The signals that end a program, kept from this thread until a file is whole: where it is the only one, none ends the
/// program with half of a file beside the other.
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
