import ApusPlatform

/// A program in a pseudoterminal, written and read by one thread. The screen is not emulated: tests search the
/// program's output for text.
package final class PseudoTerminal {
  package let process: pid_t
  private let descriptor: Int32
  /// The output since the last call of `forget()`.
  private var written: [UInt8] = []
  private var end: ProgramRun.End?

  package init(
    _ words: [String], environment: [String: String], folder: String, columns: UInt16 = 100, rows: UInt16 = 30
  ) throws(ProgramRun.LaunchError) {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard descriptor >= 0, let terminal = Self.otherEnd(of: descriptor) else {
      throw .init(description: "no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
    process = try Spawn.start(words, environment: environment, folder: folder, terminal: terminal)
  }

  /// Returns the path of the end that the program opens.
  private static func otherEnd(of descriptor: Int32) -> String? {
    #if os(Linux)
      // From <asm-generic/ioctls.h>, which Swift does not import.
      let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      var (number, unlocked): (Int32, Int32) = (0, 0)
      guard ioctl(descriptor, setLock, &unlocked) == 0, ioctl(descriptor, getNumber, &number) == 0 else { return nil }
      return "/dev/pts/\(number)"
    #else
      guard grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else { return nil }
      return String(cString: name)
    #endif
  }

  deinit {
    if end == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(descriptor)
  }

  package func type(_ text: String) {
    _ = FileDescriptor.writeAll(Array(text.utf8), to: descriptor)
  }

  /// Pastes text as a terminal with bracketed paste does.
  package func paste(_ text: String) { type("\u{1B}[200~\(text)\u{1B}[201~") }

  package func signal(_ number: Int32) { kill(process, number) }

  /// Discards the output so far.
  package func forget() {
    readSome(milliseconds: 0)
    written = []
  }

  /// Waits until the program has written one of the texts. Returns false if it ended or the time limit passed.
  package func wait(for texts: String..., within limit: Duration = .seconds(30)) -> Bool {
    wait(forAny: texts, within: limit)
  }

  package func wait(forAny texts: [String], within limit: Duration = .seconds(30)) -> Bool {
    let marks = texts.map { Array($0.utf8) }
    let longest = marks.map(\.count).max() ?? 0
    let deadline = ContinuousClock.now + limit
    var searched = 0
    while true {
      for place in searched..<max(searched, written.count) where marks.contains(where: written[place...].starts) {
        return true
      }
      // A text may start at the end of the current output.
      searched = max(0, written.count - longest)
      guard end == nil, ContinuousClock.now < deadline else { return false }
      readSome(milliseconds: 20)
      reap()
    }
  }

  /// Reads the program's output for some time, as a terminal does.
  package func read(for time: Duration) {
    let deadline = ContinuousClock.now + time
    while end == nil, ContinuousClock.now < deadline { readSome(milliseconds: 1) }
  }

  /// Waits for the program's end while reading its output; nil if it is still running at the limit.
  package func waitForEnd(within limit: Duration = .seconds(20)) -> ProgramRun.End? {
    let deadline = ContinuousClock.now + limit
    while end == nil, ContinuousClock.now < deadline {
      readSome(milliseconds: 2)
      reap()
    }
    readSome(milliseconds: 0)
    return end
  }

  /// The output since the last call of `forget()`.
  package var text: String { String(decoding: written, as: UTF8.self) }

  /// Whether the terminal is in line mode, as a shell leaves it.
  package var isInLineMode: Bool {
    var modes = termios()
    guard tcgetattr(descriptor, &modes) == 0 else { return false }
    return modes.c_lflag & tcflag_t(ICANON) != 0 && modes.c_lflag & tcflag_t(ECHO) != 0
  }

  private func reap() {
    guard end == nil else { return }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return }
    let signal = status & 0x7F
    end = signal == 0 ? .exit(code: status >> 8 & 0xFF) : .signal(signal)
  }

  private func readSome(milliseconds: Int32) {
    var wait = milliseconds
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, wait) > 0 else { return }
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = FileDescriptor.read(descriptor, into: &buffer)
      guard count > 0 else {
        // The other end is not open.
        usleep(1000)
        return
      }
      written += buffer[..<count]
      wait = 0
    }
  }
}
