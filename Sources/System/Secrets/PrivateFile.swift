import ApusPlatform

/// Creates files for secrets, which only their owner can read from the start.
package enum PrivateFile {
  package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Opens a file for writing from the start. A symbolic link to a regular file is followed. Pipes, sockets, devices and
  /// files of other users are rejected.
  ///
  /// - Parameter isExclusive: Whether a file that another caller has opened this way is rejected.
  package static func create(_ path: String, isExclusive: Bool = false) throws(FileError) -> Int32 {
    let target: String
    do throws(FileReplacement.Failure) { target = try FileReplacement.target(of: path) } catch {
      throw FileError(description: "cannot write \(path): \(error.reason)")
    }
    // The file is truncated only after its owner is checked.
    let descriptor = open(target, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw FileError(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    do throws(FileError) {
      try prepare(descriptor, of: path, isExclusive)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  private static func prepare(_ descriptor: Int32, of path: String, _ isExclusive: Bool) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(description: "cannot write \(path): it is not a regular file")
    }
    guard status.st_uid == geteuid(), fchmod(descriptor, 0o600) == 0 else {
      throw FileError(description: "cannot write \(path): it belongs to another user")
    }
    // On a file system without locks, the call fails with another error.
    if isExclusive, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      throw FileError(description: "cannot write \(path): another program writes to it; use another file")
    }
    guard ftruncate(descriptor, 0) == 0 else {
      throw FileError(description: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
  }
}
