import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Held while a program is started, and while a pipe is made that no program is to inherit: one that held the writing end
/// would keep its reader waiting.
let programStart = Mutex(())

/// Makes a pipe whose ends are closed in every program that is started.
func makeClosingPipe(_ ends: inout [Int32]) -> Bool {
  programStart.withLock { _ in
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
  }
}
