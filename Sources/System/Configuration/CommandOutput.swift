import ApusPlatform
import ApusProcesses
import ApusSecrets
import Dispatch
import Synchronization

/// Runs the user's shell commands, such as `$(pass show birds)` in a header, and returns their output.
package enum CommandOutput {
  private static let limit = 1 << 16

  /// Returns the standard output of a command without trailing newlines, like `$(…)` in a shell. Waits for the command,
  /// which inherits standard error, has empty standard input, and is killed if this program ends.
  package static func of(_ command: String) throws(SecretTextError) -> String { try of(command, running: { _ in }) }

  fileprivate static func of(_ command: String, running: (pid_t?) -> Void) throws(SecretTextError) -> String {
    do throws(ChildOutput.ReadError) {
      let output = try ChildOutput.read("/bin/sh", ["-c", command], limit: limit, running: running)
      let end = (output.lastIndex { $0 != 0x0A && $0 != 0x0D } ?? -1) + 1
      return String(decoding: output[..<end], as: UTF8.self)
    } catch {
      switch error {
      case .notStarted(let reason): throw .commandNotStarted(command, reason: reason)
      case .tooLong: throw .outputTooLong(command)
      case .failed(let status): throw .commandFailed(command, status: status)
      }
    }
  }

  /// Runs `body`, which may run commands, on its own thread, because commands may block on user input or the network
  /// and Swift's task pool has only as many threads as processors. Canceling the task kills the command.
  package static func beside<Result: Sendable>(
    _ body: @escaping @Sendable (_ run: (String) throws(SecretTextError) -> String) throws -> Result
  ) async throws -> Result {
    let running = RunningCommand()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(returning: Swift.Result<Result, any Error> { try body(running.output) })
        }
      }
    } onCancel: {
      running.end()
    }
    try Task.checkCancellation()
    return try result.get()
  }
}

/// The running command, which a canceled task kills.
private final class RunningCommand: Sendable {
  private struct State {
    var process: pid_t?
    var isEnded = false
  }

  private let state = Mutex(State())

  func output(of command: String) throws(SecretTextError) -> String {
    try CommandOutput.of(command) { process in
      state.withLock { state in
        state.process = process
        if state.isEnded, let process { kill(process, SIGTERM) }
      }
    }
  }

  func end() {
    state.withLock { state in
      state.isEnded = true
      if let process = state.process { kill(process, SIGTERM) }
    }
  }
}
