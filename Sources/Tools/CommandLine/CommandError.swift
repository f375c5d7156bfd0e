import ApusSecrets

/// The exit codes of the command line. They are a contract with calling programs.
enum ExitCode: Int32, Sendable {
  case success = 0
  /// The result has GraphQL errors, a document is not valid, or `--check` found a difference.
  case resultErrors = 1
  case usageError = 2
  /// The network or the server failed, or data was missing with `cacheOnly`.
  case networkError = 3
  /// The response violated its protocol.
  case protocolError = 4
  /// A local file or database could not be used.
  case fileError = 5
  /// 128 plus the number of the signal that ended the program, as in a shell. `terminated` is also for the other
  /// signals.
  case hungUp = 129
  case interrupted = 130
  case quit = 131
  case terminated = 143

  /// The exit code once data was printed: 2 says that nothing was done.
  var afterData: ExitCode { self == .usageError ? .resultErrors : self }

  /// Creates the exit code of a program that a termination signal ended: 130 for `SIGINT`.
  init(endSignal number: Int32) {
    self = ExitCode(rawValue: 128 + number) ?? .terminated
  }
}

/// The reason why a command failed: a message of one line and an exit code.
struct CommandError: Error, Sendable, CustomStringConvertible {
  let exitCode: ExitCode
  let message: String

  var description: String { message }

  /// A signal requested termination. `AsyncRunner` replaces the message by the name of the signal.
  static let interrupted = CommandError(exitCode: .interrupted, message: "interrupted")

  /// Throws if a signal requested termination. Commands call this before each file and each step of their work.
  static func checkInterruption() throws(CommandError) {
    if Task.isCancelled { throw .interrupted }
  }

  static func usage(_ message: String, command: String) -> CommandError {
    let help = command.isEmpty ? "apus help" : "apus help \(command)"
    return CommandError(exitCode: .usageError, message: "\(message) (see '\(help)')")
  }

  /// An option whose value has a reference that cannot be resolved.
  static func unresolved(_ option: String, _ error: SecretTextError, command: String) -> CommandError {
    let advice = if case .noVariable = error { "; set it, or write $$ for a dollar sign" } else { "" }
    return usage("\(option): \(error)\(advice)", command: command)
  }

  static func file(_ message: String) -> CommandError {
    CommandError(exitCode: .fileError, message: message)
  }
}
