#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder with some files for one test, removed when the test lets go of it.
final class TemporaryFolder: Sendable {
  let path: String
  private let files: [String]

  init(_ contents: [String: String]) throws {
    var template = Array("/tmp/apus-configuration-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure.cannotCreate }
    path = String(cString: made)
    files = contents.keys.map { $0 }
    for (name, text) in contents {
      guard let file = fopen("\(path)/\(name)", "w") else { throw Failure.cannotCreate }
      fputs(text, file)
      fclose(file)
    }
  }

  deinit {
    for file in files { unlink("\(path)/\(file)") }
    rmdir(path)
  }

  enum Failure: Error { case cannotCreate }
}
