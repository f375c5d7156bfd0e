import ApusPlatform

/// Gives another program something to read.
package enum ChildInput {
  /// Whether a program was there, read all of it, and ended well in time. It has nowhere to print to; one that takes longer
  /// is ended. What it leaves behind when it ends, as those do that hold a clipboard, goes on.
  ///
  /// Blocks the thread that calls it, for `limit` at most. A program that does not read what it is given raises SIGPIPE,
  /// which this process must ignore, as `apus` does from its beginning.
  package static func give(
    _ bytes: [UInt8], to program: String, _ arguments: [String], within limit: Duration
  ) -> Bool {
    let end = ContinuousClock.now + limit
    guard let pipe = Descriptor.pipe() else { return false }
    let process: pid_t
    do throws(Children.NotStarted) {
      defer { close(pipe.read) }
      process = try Children.start(
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
      // The systems have no wait for one child with a limit: its end is looked for every few milliseconds.
      usleep(2_000)
    }
    kill(process, SIGKILL)
    _ = Children.wait(for: process)
    return false
  }

  /// Writes as fast as it is read, for as long as there is time.
  private static func write(_ bytes: [UInt8], to descriptor: Int32, until end: ContinuousClock.Instant) -> Bool {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Descriptor.write($0, to: descriptor) }
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
