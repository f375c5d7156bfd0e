/// Reads and writes through file descriptors. Calls interrupted by a signal are repeated.
package enum FileDescriptor {
  /// Reads the next bytes and returns their number; 0 at the end of the file, -1 on an error (see `errno`).
  package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = libraryRead(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  package static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { read(descriptor, into: $0) }
  }

  /// Waits for data or the end of the file; returns false on a timeout. A negative time waits indefinitely.
  package static func waitToRead(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&request, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  /// The reason why `readAll` failed.
  package enum ReadError: Error, Sendable, Equatable {
    case tooLong
    case system(Int32)
  }

  /// Reads up to the end of the file. `limit` is the maximum number of bytes.
  package static func readAll(_ descriptor: Int32, limit: Int = .max) throws(ReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var status = stat()
    // The size of a regular file; 0 for anything else.
    if fstat(descriptor, &status) == 0 {
      guard Int(status.st_size) <= limit else { throw .tooLong }
      bytes.reserveCapacity(max(0, min(Int(status.st_size), 1 << 26)))
    }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, into: &piece)
      guard count >= 0 else { throw .system(errno) }
      if count == 0 { return bytes }
      bytes += piece[..<count]
      guard bytes.count <= limit else { throw .tooLong }
    }
  }

  /// Writes some of the bytes and returns their number; -1 on an error (see `errno`).
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    while true {
      let count = libraryWrite(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Writes all bytes; returns false on an error (see `errno`).
  package static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(rest, to: descriptor)
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
  }

  /// Sends some of the bytes over a socket and returns their number; -1 on an error (see `errno`). Raises no SIGPIPE;
  /// on systems without a flag for that, call `silence` on the socket first.
  package static func send(_ bytes: UnsafeRawBufferPointer, to socket: Int32) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    while true {
      let count = librarySend(socket, bytes.baseAddress, bytes.count, flags)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Disables SIGPIPE for a socket on systems that do it per socket.
  package static func silence(_ socket: Int32) {
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// The type of a stream socket.
  package static var streamSocket: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// Creates a pipe that children do not inherit; nil on an error (see `errno`). A child that another thread starts
  /// between the two calls does inherit it: `pipe2` does not exist on macOS and is not visible to Swift on Linux.
  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard libraryPipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Whether another file can be opened now.
  package static var isAvailable: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 {
      close(descriptor)
      return true
    }
    return errno != EMFILE && errno != ENFILE
  }

  /// Creates a pair of connected sockets without SIGPIPE that children do not inherit; nil on an error (see `errno`).
  package static func socketPair() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      silence(end)
    }
    return (ends[0], ends[1])
  }
}

// The C functions with names that the methods of `FileDescriptor` hide.

private func libraryRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

private func libraryWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

private func librarySend(_ socket: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32) -> Int {
  send(socket, bytes, count, flags)
}

private func libraryPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
