import ApusClientFormats
import ApusSecrets
import Synchronization

/// The file that all runs of an explorer are recorded to, at whichever endpoint they run.
package final class SessionRecording: Sendable {
  private let current = Mutex<RecordingFile?>(nil)

  package init() {}

  /// The open file; nil while nothing is recorded.
  var file: RecordingFile? { current.withLock { $0 } }

  func begin(_ path: String, _ secrets: SecretValues) throws {
    let file = try RecordingFile(path, secrets: secrets)
    current.withLock { $0 = file }
  }

  /// Ends the recording; throws if it could not be written.
  func end() throws {
    let file = current.withLock { file in
      defer { file = nil }
      return file
    }
    try file?.check()
  }
}
