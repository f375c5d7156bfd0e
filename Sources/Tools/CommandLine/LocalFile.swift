import ApusConfiguration
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusPlatform

/// A file that a command reads or writes.
struct LocalFile: Sendable {
  /// The path relative to the current directory; `-` for standard input.
  let path: String
  /// The root of a file that a project names or a search found; `nil` for a file that the user named.
  let root: ProjectRoot?

  /// Creates a file that the user named.
  init(named path: String) {
    self.path = path
    root = nil
  }

  /// Creates a file of a project or a folder.
  init(_ path: String, in root: ProjectRoot) {
    self.path = path
    self.root = root
  }

  /// Returns the file with the GraphQL in it. A file that is not text is rejected, because it could not be written back
  /// unchanged. A file with an unknown extension is GraphQL.
  func load(limit: Int = ProjectRoot.sizeLimit) throws(CommandError) -> GraphQLSourceFile {
    let language = HostLanguage(path: path)
    return GraphQLSourceFile(
      bytes: try text(limit: limit), name: path, language: language == .other ? .graphql : language)
  }

  /// Returns the bytes of a text file (GraphQL, section 2.1: Unicode scalar values).
  ///
  /// - Parameter limit: The maximum size of a file that the user did not name.
  func text(limit: Int = ProjectRoot.sizeLimit) throws(CommandError) -> [UInt8] {
    guard let root else { return try Self.text(path) }
    try CommandError.checkInterruption()
    let bytes: [UInt8]
    do throws(FileRefusal) {
      bytes = try root.read(path, limit: limit)
    } catch {
      throw .file("\(error)")
    }
    return try Self.checked(bytes, of: path)
  }

  /// Replaces the text of the file atomically, if it still has the bytes `earlier`. Keeps the file's mode.
  func replace(with text: [UInt8], over earlier: [UInt8]) throws(CommandError) {
    guard let root else { return try Self.replace(path, with: text, over: earlier) }
    do throws(FileRefusal) {
      try root.replace(path, with: text, over: earlier)
    } catch {
      throw .file("\(error)")
    }
  }
}

/// Files that a command line names.
extension LocalFile {
  /// Returns the document of a request.
  static func document(_ path: String) throws(CommandError) -> Document {
    Document(parsing: try text(path), name: path)
  }

  /// Returns the bytes of a text file.
  static func text(_ path: String) throws(CommandError) -> [UInt8] {
    try checked(try read(path), of: path)
  }

  /// Returns the bytes if they are UTF-8 text; throws otherwise.
  static func checked(_ bytes: [UInt8], of path: String) throws(CommandError) -> [UInt8] {
    guard let place = firstByteThatIsNoText(in: bytes) else { return bytes }
    throw .file("cannot read \(path): the file is not UTF-8 text (at byte \(place))")
  }

  private static func firstByteThatIsNoText(in bytes: [UInt8]) -> Int? {
    guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
    var decoder = UTF8()
    var rest = bytes.makeIterator()
    var place = 0
    while case .scalarValue(let scalar) = decoder.decode(&rest) { place += UTF8.width(scalar) }
    return place
  }

  /// The maximum size in bytes. Without a limit, reading a device might never end.
  private static let limit = 1 << 30

  /// Returns the contents of a file; `-` is standard input.
  static func read(_ path: String) throws(CommandError) -> [UInt8] {
    try CommandError.checkInterruption()
    // A pipe may never be opened or closed at the other end; a signal must not wait for it.
    TerminationSignals.beginWaitingForInput()
    defer { TerminationSignals.endWaitingForInput() }
    if path == "-" { return try read(STDIN_FILENO, named: path) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file("cannot read \(path): \(reason(errno))") }
    defer { close(descriptor) }
    return try read(descriptor, named: path)
  }

  /// Returns the contents of a regular file. Rejects a pipe or a device, which could block forever.
  static func readRegular(_ path: String) throws(CommandError) -> [UInt8] {
    try CommandError.checkInterruption()
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file("cannot read \(path): \(reason(errno))") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .file("cannot read \(path): it is not a regular file")
    }
    return try read(descriptor, named: path)
  }

  private static func read(_ descriptor: Int32, named path: String) throws(CommandError) -> [UInt8] {
    do throws(FileDescriptor.ReadError) {
      return try FileDescriptor.readAll(descriptor, limit: limit)
    } catch {
      switch error {
      case .system(let code): throw .file("cannot read \(path): \(reason(code))")
      case .tooLong: throw .file("cannot read \(path): it is larger than \(limit >> 20) MiB")
      }
    }
  }

  /// Returns the first byte of a file; `nil` if it is empty.
  static func first(of path: String) throws(CommandError) -> UInt8? {
    guard let head = UserFile.head(of: path, count: 1) else {
      let reason = errno == EINVAL ? "it is a pipe, socket or device; name a file" : reason(errno)
      throw .file("cannot read \(path): \(reason)")
    }
    return head.first
  }

  private static func replace(_ path: String, with text: [UInt8], over earlier: [UInt8]) throws(CommandError) {
    do throws(ConfigurationError) {
      try UserFile.replace(path, with: text, mode: 0o644, over: .bytes(earlier))
    } catch {
      throw .file("\(error)")
    }
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
