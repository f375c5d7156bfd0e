/// Reading and writing by descriptor. A call that a signal interrupts is made again.
package enum Descriptor {
  /// The next bytes: how many there were; 0 at the end, -1 for an error, which `errno` tells.
  package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = libraryRead(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  package static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Int {
    buffer.withUnsafeMutableBytes { read(descriptor, into: $0) }
  }

  /// Waits until there is something to read, or the end; false when the time is over. A negative time has no end.
  package static func waitToRead(_ descriptor: Int32, milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&request, 1, milliseconds)
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }

  /// Why not all was read.
  package enum ReadingFailure: Error, Sendable, Equatable {
    case tooLong
    /// The number of the system's error.
    case system(Int32)
  }

  /// All that there is to read, up to the end; `limit` is the most bytes.
  package static func readAll(_ descriptor: Int32, limit: Int = .max) throws(ReadingFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var status = stat()
    // A file says how much there is, of anything else this is 0.
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

  /// Writes some of the bytes: how many; -1 for an error, which `errno` tells.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    while true {
      let count = libraryWrite(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }

  /// Writes all of the bytes; false for an error, which `errno` tells.
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

  /// Sends some of the bytes over a socket, without the signal that a closed connection raises: how many; -1 for an error,
  /// which `errno` tells. Where the system has no flag for that, the socket must have been `silenced`.
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

  /// Has a socket raise no signal when it is written to and its connection is closed.
  package static func silence(_ socket: Int32) {
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// The kind of a socket that carries a stream of bytes.
  package static var streamSocket: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }

  /// A pipe whose ends no child inherits; nil for an error, which `errno` tells. A child that another thread starts between
  /// the two calls does: the one call for both (`pipe2`) is not on macOS, and Swift does not see it on Linux.
  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard libraryPipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Whether the process and the system allow another one now.
  package static var isAvailable: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 {
      close(descriptor)
      return true
    }
    return errno != EMFILE && errno != ENFILE
  }

  /// Two sockets that are connected with each other, which no child inherits and which raise no signal; nil for an error,
  /// which `errno` tells.
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

// The library's functions of the same names, which those above hide within `Descriptor`.

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
