#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw failure(path)
      }
      bytes += chunk[..<count]
      guard bytes.count <= limit else {
        throw ConfigurationError(file: path, "the file is larger than \(limit / 1024) KiB")
      }
    }
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

  private static func failure(_ path: String) -> ConfigurationError {
    ConfigurationError(file: path, "the file cannot be read: \(String(cString: strerror(errno)))")
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
