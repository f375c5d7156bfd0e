import Synchronization

#if canImport(ApusPlatform)
  import ApusPlatform
#endif

/// Held while a program is started, and while descriptors are created that it must not inherit. A program that
/// inherited a pipe or a socket would keep its reader waiting.
let programStart = Mutex(())

/// Creates a pipe whose ends are closed in child processes.
func makeClosingPipe(_ ends: inout [Int32]) -> Bool {
  programStart.withLock { _ in
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
  }
}

/// Creates a TCP socket that is closed in child processes, atomically if the system supports that.
package func makeClosingSocket() -> Int32 {
  #if os(Linux)
    // SOCK_CLOEXEC equals O_CLOEXEC (socket(2)); C libraries import it in different ways.
    socket(AF_INET, FileDescriptor.streamSocket | O_CLOEXEC, 0)
  #else
    closing { socket(AF_INET, FileDescriptor.streamSocket, 0) }
  #endif
}

/// Accepts a connection as a socket that is closed in child processes.
func acceptClosing(_ listener: Int32) -> Int32 { closing { accept(listener, nil, nil) } }

private func closing(_ make: () -> Int32) -> Int32 {
  programStart.withLock { _ in
    let descriptor = make()
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
  }
}
