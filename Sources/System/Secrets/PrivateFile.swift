import ApusPlatform

/// Opens files that may hold secrets: only their owner may read them, from their first byte on.
package enum PrivateFile {
  package struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// A descriptor to write a file anew with. A device or a pipe is taken as it is; a file of another user is refused.
  package static func create(_ path: String) throws(Failure) -> Int32 {
    // What is there is cut off only when it is known whose it is.
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return descriptor }
    guard status.st_uid == geteuid(), fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
      close(descriptor)
      throw Failure(description: "cannot write \(path): it belongs to another user")
    }
    return descriptor
  }

  /// Makes an empty file where there is none, for a library that would make one that others may read.
  package static func prepare(_ path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    fchmod(descriptor, 0o600)
    close(descriptor)
  }
}
