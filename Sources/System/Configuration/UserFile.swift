import ApusPlatform

/// Reads small files that belong to the user.
package enum UserFile {
  /// Returns the contents of a file; nil if it does not exist. `check` may throw to reject the opened file.
  package static func read(
    _ path: String, limit: Int = YAMLParser.maximumSize,
    check: (stat) throws(ConfigurationError) -> Void = { (_) throws(ConfigurationError) in }
  ) throws(ConfigurationError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure(path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw ConfigurationError(file: path, "this is not a file") }
    try check(status)
    do throws(FileDescriptor.ReadError) {
      return try FileDescriptor.readAll(descriptor, limit: limit)
    } catch {
      switch error {
      case .tooLong: throw ConfigurationError(file: path, "the file is larger than \(limit / 1024) KiB")
      case .system(let code): throw failure(path, code)
      }
    }
  }

  /// Whether a file that exists is a regular one and may be read; true for one that does not exist.
  package static func isReadable(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG && access(path, R_OK) == 0
  }

  /// Returns at most `count` bytes from the start of a regular file; nil if it cannot be read (see `errno`, which is
  /// `EINVAL` for a pipe, socket or device).
  package static func head(of path: String, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
      return nil
    }
    var head = [UInt8](repeating: 0, count: count)
    let found = FileDescriptor.read(descriptor, into: &head)
    return found >= 0 ? Array(head[..<found]) : nil
  }

  /// Lists the files in a folder with one of the endings, sorted by name; none if the folder does not exist.
  package static func names(in folder: String, endings: [String]) -> [String] {
    names(in: folder).filter { name in endings.contains(where: name.hasSuffix) && !name.hasPrefix(".") }
  }

  /// Lists the files and folders in a folder, sorted by name; none if it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func failure(_ path: String, _ code: Int32 = errno) -> ConfigurationError {
    ConfigurationError(file: path, "the file cannot be read: \(String(cString: strerror(code)))")
  }
}
