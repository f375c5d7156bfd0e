import ApusClientFormats
import ApusJSON
import ApusPlatform
import ApusSecrets
import Synchronization

/// The standard streams. Standard output carries data and is not buffered; standard error carries messages. All output goes
/// through here, because untrusted text, such as a response or a file name, must not control the terminal.
enum StandardStreams {
  /// Opens `/dev/null` for standard streams that the caller closed, so that a file opened later does not get their number.
  /// Using such a stream fails as if it were closed.
  static func claim() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  private static let printed = Mutex(false)

  /// Whether something was written to standard output.
  static var hasPrinted: Bool { printed.withLock { $0 } }

  /// The error of the first failed write to standard output.
  private static let refusal = Mutex<Int32?>(nil)

  /// Writes data: unchanged for another program, with control characters made visible for a terminal. Returns `false` if
  /// standard output cannot be written to, for example because its reader has exited.
  @discardableResult
  static func output(_ text: String) -> Bool { output(styled: outputIsTerminal ? TerminalSafeText.lines(text) : text) }

  /// Writes a JSON value and a line feed. A large value is written in chunks, without a second copy in memory.
  @discardableResult
  static func output(line value: JSONValue, isPretty: Bool = false) -> Bool {
    var isTaken = true
    JSONWriter.write(value, isPretty: isPretty) { text, isLast in
      if isTaken { isTaken = output(String(decoding: text, as: UTF8.self) + (isLast ? "\n" : "")) }
    }
    return isTaken
  }

  /// Writes the bytes of a protocol unchanged.
  @discardableResult
  static func output(bytes: [UInt8]) -> Bool {
    printed.withLock { $0 = true }
    guard let code = bytes.withUnsafeBytes({ write($0, to: STDOUT_FILENO) }) else { return true }
    refusal.withLock { $0 = $0 ?? code }
    return false
  }

  /// Writes text for the user to read, with control characters made visible.
  @discardableResult
  static func show(_ text: String) -> Bool { output(styled: TerminalSafeText.lines(text)) }

  /// Writes lines for the user to read in one piece, so that an interrupted program writes all of them or none. A line feed
  /// within a line, as in a file name, is made visible.
  @discardableResult
  static func show(lines: some Sequence<String>) -> Bool {
    output(styled: lines.map { TerminalSafeText.of($0) + "\n" }.joined())
  }

  /// Writes text with the program's own control sequences. It must contain untrusted text only as `TerminalSafeText`.
  @discardableResult
  static func output(styled text: String) -> Bool {
    printed.withLock { $0 = true }
    guard let code = write(text, to: STDOUT_FILENO) else { return true }
    refusal.withLock { $0 = $0 ?? code }
    return false
  }

  /// Throws if a write failed. A reader that exited early is not a failure.
  static func checkOutput() throws(CommandError) {
    guard let code = refusal.withLock({ $0 }), code != EPIPE else { return }
    throw .file("cannot write to standard output: \(String(cString: strerror(code)))")
  }

  /// Whether the last line on standard error shows progress and has no line feed yet.
  private static let isLineOpen = Mutex(false)

  /// The resolved secrets of the command line and its profiles. They are redacted in messages, because a server may repeat
  /// them.
  static let secrets = SecretValues()

  /// Writes a line to standard error. A line feed within the text is made visible.
  static func narrate(_ text: String) {
    let text = secrets.hidden(in: text, mark: Redactor.mark)
    let isBehindOther = isLineOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    write((isBehindOther ? "\n" : "") + TerminalSafeText.of(text) + "\n", to: STDERR_FILENO)
  }

  /// Writes progress over the previous progress. Only for a terminal.
  static func narrate(progress text: String, isLast: Bool) {
    isLineOpen.withLock { $0 = !isLast }
    write("\r\(TerminalSafeText.of(text))\u{1B}[K\(isLast ? "\n" : "")", to: STDERR_FILENO)
  }

  /// Asks the user to agree, by typing `y` or `yes`, to the lines shown on standard output. Any other answer is a no, as is
  /// a standard input or standard error that is not a terminal, because the user must see the question.
  ///
  /// Input that was typed before the question was visible for 400 ms is discarded: an early `y` and a late Enter are no
  /// answer.
  static func agrees(
    to question: String, about shown: [String], wait: (Duration) -> Void = StandardStreams.wait
  ) -> Bool {
    guard inputIsTerminal, errorIsTerminal else {
      narrate("apus: there is no terminal to ask on; use --yes to agree")
      return false
    }
    // The user has not seen lines that were redirected to a file or another program.
    if !outputIsTerminal { for line in shown { narrate(line) } }
    write(TerminalSafeText.of("apus: \(question) [y/N] "), to: STDERR_FILENO)
    wait(.milliseconds(400))
    tcflush(STDIN_FILENO, TCIFLUSH)
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Blocks for a duration. A signal ends a sleep early, so that short ones are repeated.
  private static func wait(_ duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end { usleep(10_000) }
  }

  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  /// The width of the terminal in columns; `nil` if standard output is not a terminal.
  static var outputWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
  /// Whether to print colors: on a terminal, or if the environment requests them, but never if `NO_COLOR` is set.
  ///
  /// Source: no-color.org, force-color.org, bixense.com/clicolors.
  static var outputTakesColors: Bool {
    func isSet(_ name: String) -> Bool {
      guard let value = getenv(name).map({ String(cString: $0) }) else { return false }
      return !value.isEmpty && (name == "NO_COLOR" || value != "0")
    }
    if isSet("NO_COLOR") { return false }
    if isSet("FORCE_COLOR") || isSet("CLICOLOR_FORCE") { return true }
    return outputIsTerminal && getenv("TERM").map { String(cString: $0) } != "dumb"
  }

  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether standard input is a pipe or a file.
  static var inputIsPiped: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Writes all of `text`. Returns the error code if it fails.
  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    FileDescriptor.writeAll(bytes, to: descriptor) ? nil : errno
  }
}
