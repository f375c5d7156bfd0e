#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that a command line names.
enum LocalFile {
  /// The whole file; `-` is standard input.
  static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY)
    guard descriptor >= 0 else { throw .file("cannot read \(path): \(reason(errno))") }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
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
