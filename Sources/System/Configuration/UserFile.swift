import ApusPlatform

/// Reads small files of a person's.
package enum UserFile {
  /// The file's bytes; nil if there is no such file. `check` may refuse the file that was opened.
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
    do throws(Descriptor.ReadingFailure) {
      return try Descriptor.readAll(descriptor, limit: limit)
    } catch {
      switch error {
      case .tooLong: throw ConfigurationError(file: path, "the file is larger than \(limit / 1024) KiB")
      case .system(let code): throw failure(path, code)
      }
    }
  }

  /// The first bytes of a file, fewer where it has no more; nil if it cannot be read.
  package static func head(of path: String, count: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: count)
    let found = Descriptor.read(descriptor, into: &head)
    return found >= 0 ? Array(head[..<found]) : nil
  }

  /// The names of the files in a folder that end in one of the given ways, sorted; none if there is no such folder.
  package static func names(in folder: String, endings: [String]) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if endings.contains(where: name.hasSuffix), !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func failure(_ path: String, _ code: Int32 = errno) -> ConfigurationError {
    ConfigurationError(file: path, "the file cannot be read: \(String(cString: strerror(code)))")
  }
}
