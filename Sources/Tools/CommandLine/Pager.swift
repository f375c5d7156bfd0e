import ApusClientFormats
import ApusConfiguration
import ApusProcesses

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Shows what may be longer than the screen through the person's pager, as git and gh do: only on a terminal, through
/// what `APUS_PAGER`, else `PAGER`, else `less` says. Empty and `cat` mean none.
enum Pager {
  /// Shows a text whose control sequences are the program's own; false when standard output takes no more.
  @discardableResult
  static func show(styled text: String) -> Bool {
    guard let command, page(Array(text.utf8), through: command) else { return StandardStreams.output(styled: text) }
    return true
  }

  /// Shows a text.
  @discardableResult
  static func show(_ text: String) -> Bool {
    StandardStreams.outputIsTerminal ? show(styled: VisibleText.lines(text)) : StandardStreams.output(text)
  }

  /// The environment that the program began with. What a file adds to it later (`--env-file`) starts no program.
  private static let variables = ProcessEnvironment.read()

  /// Takes the environment as it is now.
  static func takeEnvironment() { _ = variables }

  /// A line for the shell.
  private static var command: String? {
    guard StandardStreams.outputIsTerminal, variables["TERM"] != "dumb" else { return nil }
    let command = variables["APUS_PAGER"] ?? variables["PAGER"] ?? "less"
    let words = command.split(separator: " ")
    return words.isEmpty || words == ["cat"] ? nil : command
  }

  /// What `less` needs to end by itself where all fits the screen, to show colours and to leave the text there; what
  /// the person says instead counts.
  private static var environment: [String] {
    variables.merging(["LESS": "FRX", "LV": "-c"]) { given, _ in given }.map { "\($0)=\($1)" }
  }

  /// Whether the pager was there and has shown it.
  private static func page(_ bytes: [UInt8], through command: String) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // In the pager Ctrl-C is the pager's: who ended before it would leave it and the shell with one terminal.
    let ignored = [SIGINT, SIGQUIT].map { ($0, Self.ignore($0)) }
    defer { for (number, action) in ignored { Self.restore(number, action) } }
    let process: pid_t
    do throws(Children.NotStarted) {
      defer { close(ends[0]) }
      process = try Children.start(
        "/bin/sh", ["-c", command], environment: environment, input: .descriptor(ends[0]))
    } catch {
      close(ends[1])
      return false
    }
    // Who has seen enough leaves, and the rest is not written.
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      written += count
    }
    close(ends[1])
    // A shell's words for a program that is not there, or is none.
    return ![126, 127].contains(Children.wait(for: process))
  }

  private static func ignore(_ number: Int32) -> sigaction {
    var before = sigaction()
    var action = sigaction()
    #if canImport(Glibc)
      action.__sigaction_handler.sa_handler = SIG_IGN
    #else
      action.__sigaction_u.__sa_handler = SIG_IGN
    #endif
    sigaction(number, &action, &before)
    return before
  }

  private static func restore(_ number: Int32, _ before: sigaction) {
    var action = before
    sigaction(number, &action, nil)
  }
}
