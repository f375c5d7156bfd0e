/// The names of temporary files beside the file that they replace: `NAME.apus-PROCESS-NUMBER-CHECK`.
///
/// The check is computed from the rest of the name, so that no file of the user is mistaken for one of these.
package enum TemporaryName {
  private static let mark = ".apus-"
  /// The maximum number of bytes of `NAME`; file systems allow 255 for the whole name and its SQLite endings.
  private static let longestStem = 200

  /// Returns the name for one of several temporary files of a process for the same file.
  package static func make(for name: String, process: pid_t = getpid(), number: Int = 0) -> String {
    var stem = name[...]
    while stem.utf8.count > longestStem { stem = stem.dropLast() }
    let body = "\(stem)\(mark)\(process)-\(number)"
    return "\(body)-\(check(of: body))"
  }

  /// Returns the process that created a file of this name; nil for any other name.
  package static func process(of name: String) -> pid_t? {
    var name = name[...]
    for ending in ["-journal", "-wal", "-shm"] where name.hasSuffix(ending) { name = name.dropLast(ending.count) }
    guard let dash = name.lastIndex(of: "-"), name[name.index(after: dash)...] == check(of: name[..<dash]),
      let start = name.ranges(of: mark).last?.upperBound
    else { return nil }
    return pid_t(name[start...].prefix { $0 != "-" }).flatMap { $0 > 0 ? $0 : nil }
  }

  /// FNV-1a with 32 bits, as eight hexadecimal digits.
  private static func check(of text: some StringProtocol) -> String {
    var hash: UInt32 = 0x811C_9DC5
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Returns the path up to its last slash; empty without one.
  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  /// Creates a temporary file for a name or path in an open folder, under the first name that is free.
  ///
  /// - Returns: The name and a descriptor for writing; nil on an error (see `errno`).
  package static func create(for name: String, in folder: Int32, mode: mode_t) -> (name: String, descriptor: Int32)? {
    let place = Self.folder(of: name)
    for number in 0..<100 {
      let free = place + make(for: String(name.dropFirst(place.count)), number: number)
      let descriptor = openat(folder, free, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      if descriptor >= 0 { return (free, descriptor) }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  /// Removes temporary files that killed processes left in an open folder.
  package static func removeLeftovers(in folder: Int32) {
    let descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if isLeftover(name) { unlinkat(descriptor, name, 0) }
    }
  }

  /// Whether a name is that of a temporary file whose process no longer runs.
  package static func isLeftover(_ name: String) -> Bool {
    guard let process = process(of: name) else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
