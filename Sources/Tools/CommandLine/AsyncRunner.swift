import ApusPlatform
import Synchronization

/// Runs a command's asynchronous work from the synchronous main thread.
///
/// 1. The main thread reads messages from a pipe: signals, and the end of the work.
/// 2. The first signal cancels the work, which ends cleanly with the signal's exit code.
/// 3. If the work has not ended a second later, because it computes or waits for something that cannot be canceled, the
///    program ends without it and removes unfinished files. If local input is being read, possibly from a pipe that is
///    never closed, the program ends immediately.
/// 4. A second signal ends the program immediately.
enum AsyncRunner {
  /// The time for canceled work to end cleanly, in milliseconds.
  private static let grace: Int32 = 1_000

  private final class Outcome: Sendable {
    let result = Mutex<Result<ExitCode, CommandError>?>(nil)
  }

  static func toEnd(
    _ work: @escaping @Sendable () async throws(CommandError) -> ExitCode
  ) throws(CommandError) -> ExitCode {
    guard let (reader, writer) = FileDescriptor.pipe() else {
      throw .file("cannot open a pipe: \(String(cString: strerror(errno)))")
    }
    defer { for end in [reader, writer] { close(end) } }
    TerminationSignals.listen(writer)
    defer { TerminationSignals.stopListening() }
    let outcome = Outcome()
    let task = Task.detached {
      let result: Result<ExitCode, CommandError>
      do throws(CommandError) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.result.withLock { $0 = result }
      TerminationSignals.send(TerminationSignals.workIsDone, to: writer)
    }
    while true {
      guard let message = receive(from: reader) else { TerminationSignals.endProgram() }
      if message == TerminationSignals.workIsDone { break }
      task.cancel()
    }
    let result = outcome.result.withLock { $0 } ?? .success(.success)
    guard let number = TerminationSignals.first, case .failure(let failure) = result, failure.exitCode == .interrupted
    else {
      return try result.get()
    }
    throw CommandError(exitCode: ExitCode(endSignal: number), message: TerminationSignals.name(of: number))
  }

  /// Returns the next message; `nil` if a signal came and no message followed in time.
  private static func receive(from reader: Int32) -> UInt8? {
    let isEnding = TerminationSignals.first != nil
    if isEnding, TerminationSignals.isWaitingForInput { return nil }
    guard FileDescriptor.waitToRead(reader, milliseconds: isEnding ? grace : -1) else { return nil }
    var message: [UInt8] = [0]
    return FileDescriptor.read(reader, into: &message) == 1 ? message[0] : nil
  }
}
