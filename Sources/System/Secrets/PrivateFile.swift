import ApusPlatform

/// Creates files for secrets, which only their owner can read from the start.
package enum PrivateFile {
  package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Opens a file for writing from the start. Devices and pipes are used as they are; files of other users are
  /// rejected.
  package static func create(_ path: String) throws(FileError) -> Int32 {
    // The file is truncated only after its owner is checked.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw FileError(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return descriptor }
    guard status.st_uid == geteuid(), fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
      close(descriptor)
      throw FileError(description: "cannot write \(path): it belongs to another user")
    }
    return descriptor
  }

  /// Creates an empty private file if none exists, for libraries that would create one that others can read.
  package static func prepare(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    fchmod(descriptor, 0o600)
    close(descriptor)
  }
}
