import ApusClientFormats
import ApusConfiguration
import ApusPlatform
import ApusProcesses

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

  private static var variables: [String: String] { ProcessEnvironment.variables }

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
    guard let ends = Descriptor.pipe() else { return false }
    // In the pager Ctrl-C is the pager's: who ended before it would leave it and the shell with one terminal.
    let ignored = [SIGINT, SIGQUIT].map { ($0, Self.ignore($0)) }
    defer { for (number, action) in ignored { Self.restore(number, action) } }
    let process: pid_t
    do throws(Children.NotStarted) {
      defer { close(ends.read) }
      process = try Children.start(
        "/bin/sh", ["-c", command], environment: environment, input: .descriptor(ends.read))
    } catch {
      close(ends.write)
      return false
    }
    // Who has seen enough leaves, and the rest is not written.
    _ = Descriptor.writeAll(bytes, to: ends.write)
    close(ends.write)
    // A shell's words for a program that is not there, or is none.
    return ![126, 127].contains(Children.wait(for: process))
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
