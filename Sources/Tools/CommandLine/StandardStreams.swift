import ApusClientFormats
import ApusJSON
import ApusPlatform
import ApusSecrets
import Synchronization

/// Standard output is data and is flushed at once; standard error is narration. All that this program prints goes through
/// here: what a server, a file or its name says may be in any of it, and none of it acts on a terminal.
enum StandardStreams {
  /// Takes the places of streams that the caller closed, so that no file that is opened later is written to as if it
  /// were one. Using a stream taken so fails as using a closed one does.
  static func claim() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Why standard output took no more, once it has.
  private static let refusal = Mutex<Int32?>(nil)

  /// Writes data: as it is for another program, and for a terminal with its control characters made visible. False when
  /// standard output takes no more, as when its reader has gone away.
  @discardableResult
  static func output(_ text: String) -> Bool { output(styled: outputIsTerminal ? VisibleText.lines(text) : text) }

  /// Writes a JSON value and ends its line. A large one is written in portions, with no second copy of it in memory.
  @discardableResult
  static func output(line value: JSONValue, isPretty: Bool = false) -> Bool {
    var isTaken = true
    JSONWriter.write(value, isPretty: isPretty) { text, isLast in
      if isTaken { isTaken = output(String(decoding: text, as: UTF8.self) + (isLast ? "\n" : "")) }
    }
    return isTaken
  }

  /// Writes bytes of a protocol to another program, as they are.
  @discardableResult
  static func output(bytes: [UInt8]) -> Bool {
    guard let code = bytes.withUnsafeBytes({ write($0, to: STDOUT_FILENO) }) else { return true }
    refusal.withLock { $0 = $0 ?? code }
    return false
  }

  /// Writes lines for a person to read, wherever they go.
  @discardableResult
  static func show(_ text: String) -> Bool { output(styled: VisibleText.lines(text)) }

  /// Writes lines for a person to read in one piece: who interrupts the program gets all of them or none. A line feed in
  /// one of them, as names of files may have, does not begin another.
  @discardableResult
  static func show(lines: some Sequence<String>) -> Bool {
    output(styled: lines.map { VisibleText.of($0) + "\n" }.joined())
  }

  /// Writes text with control sequences of the program's own; nobody else's text is in it but as `VisibleText`.
  @discardableResult
  static func output(styled text: String) -> Bool {
    guard let code = write(text, to: STDOUT_FILENO) else { return true }
    refusal.withLock { $0 = $0 ?? code }
    return false
  }

  /// Throws when something could not be printed; a reader who has seen enough and left is no failure.
  static func checkOutput() throws(CommandFailure) {
    guard let code = refusal.withLock({ $0 }), code != EPIPE else { return }
    throw .file("cannot write to standard output: \(String(cString: strerror(code)))")
  }

  /// Whether the last line of standard error is one that tells how far something is, and was not ended.
  private static let isLineOpen = Mutex(false)

  /// What the command line and its profiles resolved to and must not be shown: a server may say it back.
  static let secrets = SecretValues()

  /// Writes a line to standard error. A line feed in the text does not begin another.
  static func narrate(_ text: String) {
    let text = secrets.hidden(in: text, mark: Redactor.mark)
    let isBehindOther = isLineOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    write((isBehindOther ? "\n" : "") + VisibleText.of(text) + "\n", to: STDERR_FILENO)
  }

  /// Writes how far something is over what was written so before; only for a terminal.
  static func narrate(progress text: String, isLast: Bool) {
    isLineOpen.withLock { $0 = !isLast }
    write("\r\(VisibleText.of(text))\u{1B}[K\(isLast ? "\n" : "")", to: STDERR_FILENO)
  }

  /// Whether the user agrees to the lines that were shown on standard output, by a typed `y` or `yes`. Anything else is a
  /// no, and so is a standard input or standard error without a terminal: the user must have seen the question.
  static func agrees(to question: String, about shown: [String]) -> Bool {
    guard inputIsTerminal, errorIsTerminal else {
      narrate("apus: there is no terminal to answer on, so this is a no; use --yes to agree")
      return false
    }
    // Lines that went to a file or another program were not seen.
    if !outputIsTerminal { for line in shown { narrate(line) } }
    write(VisibleText.of("apus: \(question) [y/N] "), to: STDERR_FILENO)
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  /// The columns of the terminal; `nil` if standard output is not a terminal.
  static var outputWidth: Int? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
  /// Whether colours are wanted: on a terminal, or where they are asked for; never where `NO_COLOR` is set.
  ///
  /// Source: no-color.org, force-color.org, bixense.com/clicolors.
  static var outputTakesColours: Bool {
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

  /// Whether standard input is a pipe or a file, as where somebody has put something into it.
  static var inputIsPiped: Bool {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return false }
    return [S_IFIFO, S_IFREG, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// Writes all of `text`, or returns the number of the error that ended it.
  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    Descriptor.writeAll(bytes, to: descriptor) ? nil : errno
  }
}
