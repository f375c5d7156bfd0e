import ClientFormats
import ClientNetwork
import ClientOperation
import ClientRequestChain
import JSON
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file that `--record` names, written line by line as things happen; only its owner may read it.
final class RecordingFile: Sendable {
  private let descriptor: Int32
  private let start = ContinuousClock.now
  private let problem = Mutex<String?>(nil)

  init(_ path: String) throws(CommandFailure) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file("cannot write \(path): \(String(cString: strerror(errno)))") }
    // A file that was there keeps its mode when it is opened; a device or a pipe is not this program's to lock up.
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { fchmod(descriptor, 0o600) }
  }

  deinit { close(descriptor) }

  func begin(url: String, operation: CompiledOperation, variables: JSONValue) {
    write(
      .request(url: url, operationName: operation.name, query: operation.documentText, variables: variables))
  }

  func note(_ observation: RequestMonitor.Observation) {
    switch observation {
    case .head(let head):
      write(.head(status: head.status, contentType: head.headers["Content-Type"] ?? "", format: nil))
    case .part(let part): write(.part(part.payload.map { JSONWriter.compactBytes($0) } ?? part.body))
    case .subscription(.reconnecting(_, let reason)): write(.state("reconnecting", reason: reason))
    case .subscription(let state): write(.state(state.name, reason: nil))
    case .sent, .ended: break
    }
  }

  /// Notes the end; throws when a line could not be written.
  func end(error: String?, exitCode: Int32) throws(CommandFailure) {
    write(.end(error: error, exitCode: Int(exitCode)))
    if let problem = problem.withLock({ $0 }) { throw .file("the recording is not whole: \(problem)") }
  }

  private func write(_ event: Recording.Event) {
    let line = Recording.line(event, at: start.duration(to: .now))
    problem.withLock { problem in
      guard problem == nil else { return }
      var rest = line[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          problem = String(cString: strerror(errno))
          return
        }
      }
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
