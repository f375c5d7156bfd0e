import ApusConfiguration
import ApusPlatform

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
    do throws(Descriptor.ReadingFailure) {
      return try Descriptor.readAll(descriptor)
    } catch {
      switch error {
      case .system(let code): throw .file("cannot read \(path): \(reason(code))")
      case .tooLong: throw .file("cannot read \(path): it is too long")
      }
    }
  }

  /// The first byte of a file; nil of an empty one.
  static func first(of path: String) throws(CommandFailure) -> UInt8? {
    guard let head = UserFile.head(of: path, count: 1) else {
      throw .file("cannot read \(path): \(reason(errno))")
    }
    return head.first
  }

  /// Replaces a file's text, whole or not at all; a file that is there keeps its mode.
  static func replace(_ path: String, with text: String) throws(CommandFailure) {
    do throws(ConfigurationError) {
      try UserFile.replace(path, with: text.utf8, mode: 0o644)
    } catch {
      throw .file("\(error)")
    }
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
