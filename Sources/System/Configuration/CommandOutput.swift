import ApusProcesses
import ApusSecrets

/// Runs a shell command for what it prints.
package enum CommandOutput {
  private static let limit = 1 << 16

  /// The command's standard output without the line ends behind it, as `$(…)` gives it in a shell. Waits for the
  /// command; its standard error goes where ours goes, its standard input is empty. It ends with this program.
  package static func of(_ command: String) throws(SecretTextError) -> String {
    do throws(ChildOutput.Failure) {
      let output = try ChildOutput.read("/bin/sh", ["-c", command], limit: limit)
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
}
