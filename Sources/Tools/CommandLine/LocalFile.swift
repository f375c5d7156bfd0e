import ApusConfiguration

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that a command line names.
enum LocalFile {
  /// The whole file; `-` is standard input.
  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    if path == "-" { return try read(STDIN_FILENO, named: path) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("cannot read \(path): \(reason(errno))") }
    defer { close(descriptor) }
    return try read(descriptor, named: path)
  }

  /// The whole file, which a project's file may have named: a pipe or a device could keep its reader for ever.
  static func readRegular(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file("cannot read \(path): \(reason(errno))") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .file("cannot read \(path): it is no regular file")
    }
    return try read(descriptor, named: path)
  }

  private static func read(_ descriptor: Int32, named path: String) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = readOnce(descriptor, &buffer)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .file("cannot read \(path): \(reason(errno))")
      }
      bytes += buffer[..<count]
    }
  }

  /// The first byte of a file; nil of an empty one.
  static func first(of path: String) throws(CommandFailure) -> UInt8? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("cannot read \(path): \(reason(errno))") }
    defer { close(descriptor) }
    var byte: [UInt8] = [0]
    return readOnce(descriptor, &byte) == 1 ? byte[0] : nil
  }

  /// Replaces a file's text, whole or not at all; a file that is there keeps its mode.
  static func replace(_ path: String, with text: String) throws(CommandFailure) {
    do throws(ConfigurationError) {
      try UserFile.replace(path, with: text.utf8, mode: 0o644)
    } catch {
      throw .file("\(error)")
    }
  }

  private static func readOnce(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    let capacity = buffer.count
    return buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, capacity) }
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
