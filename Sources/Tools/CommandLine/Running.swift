import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a command's asynchronous work from the synchronous main thread; Ctrl-C cancels the work.
enum Running {
  private final class Outcome: Sendable {
    let result = Mutex<Result<ExitCode, CommandFailure>?>(nil)
    let done = DispatchSemaphore(value: 0)
  }

  static func toEnd(
    _ work: @escaping @Sendable () async throws(CommandFailure) -> ExitCode
  ) throws(CommandFailure) -> ExitCode {
    let outcome = Outcome()
    let task = Task.detached {
      let result: Result<ExitCode, CommandFailure>
      do throws(CommandFailure) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.result.withLock { $0 = result }
      outcome.done.signal()
    }
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    let sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    outcome.done.wait()
    for source in sources { source.cancel() }
    for number in numbers { signal(number, SIG_DFL) }
    return try outcome.result.withLock { $0 }?.get() ?? .success
  }
}
