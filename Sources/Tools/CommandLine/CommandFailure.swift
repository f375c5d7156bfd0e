/// The exit codes of the command line, a contract with the programs that call it.
enum ExitCode: Int32, Sendable {
  case success = 0
  /// A result with GraphQL errors, a document that is not valid, or `--check` found work.
  case resultHasErrors = 1
  case wrongUsage = 2
  /// The network or the server failed, or `cacheOnly` missed.
  case networkFailed = 3
  /// The response broke its protocol.
  case protocolBroken = 4
  /// A local file or database failed.
  case localFileFailed = 5
  /// 128 and the signal's number, as a shell has it for a program that a signal ends.
  case hungUp = 129
  case interrupted = 130
  case quit = 131
  case terminated = 143

  /// What a program ends with that a signal asked to end.
  init(endSignal number: Int32) {
    self = ExitCode(rawValue: 128 + number) ?? .interrupted
  }
}

/// Why a command ended without doing its work: one line for a person, one code for a program.
struct CommandFailure: Error, Sendable, CustomStringConvertible {
  let exitCode: ExitCode
  let message: String

  var description: String { message }

  /// A signal asked the program to end. `Running` replaces the message by the name of the signal.
  static let interrupted = CommandFailure(exitCode: .interrupted, message: "interrupted")

  /// Throws when a signal asked the program to end: before each file and each step of a command's work.
  static func checkInterruption() throws(CommandFailure) {
    if Task.isCancelled { throw .interrupted }
  }

  static func usage(_ message: String, command: String) -> CommandFailure {
    let help = command.isEmpty ? "apus help" : "apus help \(command)"
    return CommandFailure(exitCode: .wrongUsage, message: "\(message) (see '\(help)')")
  }

  static func file(_ message: String) -> CommandFailure {
    CommandFailure(exitCode: .localFileFailed, message: message)
  }
}
