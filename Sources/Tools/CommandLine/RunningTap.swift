import ApusClientTraffic
import ApusPlatform
import ApusTap

/// A running relay, and the processing of its traffic.
struct RunningTap: Sendable {
  /// The URL for the application.
  let url: String
  let cache: ShadowCache
  private let relay: Relay
  private let queue: TrafficQueue
  private let processing: Task<Result<ExitCode, CommandError>, Never>

  init(
    url: String, cache: ShadowCache, _ relay: Relay, _ queue: TrafficQueue, _ analysis: sending TrafficAnalysis,
    _ output: TapOutput, _ release: TapRelease?
  ) {
    (self.url, self.cache, self.relay, self.queue) = (url, cache, relay, queue)
    processing = Task {
      let result = await Self.process(queue, analysis, output, release)
      relay.stop()
      return result
    }
  }

  /// Returns the result when the output cannot be written, or after the task was canceled or the tap was stopped.
  func end() async -> Result<ExitCode, CommandError> {
    await withTaskCancellationHandler {
      await processing.value
    } onCancel: {
      stop()
    }
  }

  /// Begins to close the port and all connections. The facts of the connections that are open now are still processed.
  func stop() {
    relay.stop()
    let hasStarted = SystemThread.start {
      relay.waitUntilStopped(limit: .milliseconds(500))
      queue.finish()
    }
    if !hasStarted { queue.finish() }
  }

  private static func process(
    _ queue: TrafficQueue, _ given: TrafficAnalysis, _ output: TapOutput, _ release: TapRelease?
  ) async -> Result<ExitCode, CommandError> {
    var (analysis, output) = (given, output)
    var failure: CommandError?
    await queue.process { event in
      do throws(CommandError) {
        for report in await analysis.receive(event) {
          release?.receive(report)
          guard try output.receive(report) else { return false }
        }
        return true
      } catch {
        failure = error
        return false
      }
    }
    output.finish(failure)
    return failure.map { .failure($0) } ?? .success(.success)
  }
}
