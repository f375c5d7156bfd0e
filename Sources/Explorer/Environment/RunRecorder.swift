import ApusClientFormats
import ApusClientRequestChain
import ApusExplorerCore
import Synchronization

/// Records a run's network traffic. A run that was answered from the cache is not recorded.
final class RunRecorder: Sendable {
  private let begin: @Sendable () -> RecordingFile.Run?
  private let begun = Mutex<RecordingFile.Run?>(nil)

  init(_ begin: @escaping @Sendable () -> RecordingFile.Run?) { self.begin = begin }

  private var run: RecordingFile.Run? {
    begun.withLock { begun in
      begun = begun ?? begin()
      return begun
    }
  }

  func record(_ observation: RequestMonitor.Observation) { run?.record(observation) }

  func end(error: String?, exitCode: Int32) {
    guard error != nil || begun.withLock({ $0 != nil }) else { return }
    run?.end(error: error, exitCode: exitCode)
  }
}
