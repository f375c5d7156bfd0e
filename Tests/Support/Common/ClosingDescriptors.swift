import Synchronization

#if canImport(ApusPlatform)
  import ApusPlatform
#endif

/// Held while a program is started, and while descriptors are made that no program is to inherit: one that held the writing
/// end of a pipe, or a socket, would keep its reader waiting.
let programStart = Mutex(())

/// Makes a pipe whose ends are closed in every program that is started.
func makeClosingPipe(_ ends: inout [Int32]) -> Bool {
  programStart.withLock { _ in
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
  }
}

/// Makes a TCP socket that is closed in every program that is started, from its first moment where the system can do that.
package func makeClosingSocket() -> Int32 {
  #if os(Linux)
    // SOCK_CLOEXEC is O_CLOEXEC there (socket(2)), and is a number of one library's and a constant of the other's.
    socket(AF_INET, Descriptor.streamSocket | O_CLOEXEC, 0)
  #else
    closing { socket(AF_INET, Descriptor.streamSocket, 0) }
  #endif
}

/// Accepts a connection that waits, into a socket of the same kind.
func acceptClosing(_ listener: Int32) -> Int32 { closing { accept(listener, nil, nil) } }

private func closing(_ make: () -> Int32) -> Int32 {
  programStart.withLock { _ in
    let descriptor = make()
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }
}
