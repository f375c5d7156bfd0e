import ApusClientFormats
import ApusConfiguration
import ApusPlatform
import ApusProcesses

/// Shows long output through a pager, like git and gh: only on a terminal, with `APUS_PAGER`, else `PAGER`, else `less`. An
/// empty value and `cat` disable it.
enum TerminalPager {
  /// Shows text whose control sequences are the program's own. Returns `false` if standard output cannot be written to.
  @discardableResult
  static func show(styled text: String) -> Bool {
    guard let command, page(Array(text.utf8), through: command) else { return StandardStreams.output(styled: text) }
    return true
  }

  /// Shows text with its control characters made visible.
  @discardableResult
  static func show(_ text: String) -> Bool {
    StandardStreams.outputIsTerminal ? show(styled: TerminalSafeText.lines(text)) : StandardStreams.output(text)
  }

  private static var variables: [String: String] { ProcessEnvironment.variables }

  /// The pager as a shell command.
  private static var command: String? {
    guard StandardStreams.outputIsTerminal, variables["TERM"] != "dumb" else { return nil }
    let command = variables["APUS_PAGER"] ?? variables["PAGER"] ?? "less"
    let words = command.split(separator: " ")
    return words.isEmpty || words == ["cat"] ? nil : command
  }

  /// The environment of the pager. By default `less` exits if the text fits on the screen, shows colors and leaves the text
  /// on the screen.
  private static var environment: [String] {
    variables.merging(["LESS": "FRX", "LV": "-c"]) { given, _ in given }.map { "\($0)=\($1)" }
  }

  /// Returns whether the pager could be run.
  private static func page(_ bytes: [UInt8], through command: String) -> Bool {
    guard let ends = FileDescriptor.pipe() else { return false }
    // In the pager, Ctrl-C is for the pager. If this program ended first, the pager and the shell would share the terminal.
    let ignored = [SIGINT, SIGQUIT].map { ($0, Self.ignore($0)) }
    defer { for (number, action) in ignored { Self.restore(number, action) } }
    let process: pid_t
    do throws(ChildProcess.LaunchError) {
      defer { close(ends.read) }
      process = try ChildProcess.start(
        "/bin/sh", ["-c", command], environment: environment, input: .descriptor(ends.read))
    } catch {
      close(ends.write)
      return false
    }
    // The user may close the pager early; the rest of the text is then not written.
    _ = FileDescriptor.writeAll(bytes, to: ends.write)
    close(ends.write)
    // The exit codes of a shell if the program does not exist or is not executable.
    return ![126, 127].contains(ChildProcess.wait(for: process))
  }

  private static func ignore(_ number: Int32) -> sigaction {
    var before = sigaction()
    var action = sigaction.ignoring
    sigaction(number, &action, &before)
    return before
  }

  private static func restore(_ number: Int32, _ before: sigaction) {
    var action = before
    sigaction(number, &action, nil)
  }
}
