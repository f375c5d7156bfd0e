import ApusPlatform

/// Writes to the standard input of another program.
package enum ChildInput {
  /// Runs a program with the bytes as its input; returns whether it started, read everything and exited with 0 in time.
  /// Its output is discarded, and it is killed after the time limit. Its background jobs continue, as programs that
  /// hold the clipboard need.
  ///
  /// Blocks the calling thread for at most `limit`. The process must ignore SIGPIPE, as `apus` does, because the
  /// program may close its input early.
  package static func send(
    _ bytes: [UInt8], to program: String, _ arguments: [String], within limit: Duration
  ) -> Bool {
    let end = ContinuousClock.now + limit
    guard let pipe = FileDescriptor.pipe() else { return false }
    let process: pid_t
    do throws(ChildProcess.LaunchError) {
      defer { close(pipe.read) }
      process = try ChildProcess.start(
        program, arguments, input: .descriptor(pipe.read), output: .nowhere, errors: .nowhere, inOwnGroup: true)
    } catch {
      close(pipe.write)
      return false
    }
    let isWritten = write(bytes, to: pipe.write, until: end)
    close(pipe.write)
    var status: Int32 = 0
    while ContinuousClock.now < end {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process { return isWritten && status == 0 }
      if ended < 0, errno != EINTR { return false }
      // No system has a wait for one child with a timeout, so this polls.
      usleep(2_000)
    }
    kill(process, SIGKILL)
    _ = ChildProcess.wait(for: process)
    return false
  }

  /// Writes as fast as the program reads, until the deadline.
  private static func write(_ bytes: [UInt8], to descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { FileDescriptor.write($0, to: descriptor) }
      if count > 0 {
        written += count
        continue
      }
      guard errno == EAGAIN, ContinuousClock.now < end else { return false }
      var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&polled, 1, 10)
    }
    return true
  }
}
