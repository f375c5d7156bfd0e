import ApusClientAPI
import ApusClientNetwork
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusGraphQLMediaTypes
import ApusJSON
import ApusPlatform
import ApusSecrets
import Synchronization

/// A file in which a session is recorded, one line per event. Only its owner can read it.
package final class RecordingFile: Sendable {
  package struct WriteError: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  package let path: String
  private let descriptor: Int32
  private let secrets: SecretValues?
  private let start = ContinuousClock.now
  private let state = Mutex<(runs: Int, problem: String?)>((0, nil))

  /// Creates the file. An existing recording is overwritten; any other file, and a recording that another program writes,
  /// cause an error.
  ///
  /// - Parameter secrets: Secret values to redact, in addition to those recognized by name or pattern.
  package init(_ path: String, secrets: SecretValues? = nil) throws(WriteError) {
    self.path = path
    self.secrets = secrets
    guard !Self.isOfAnother(path) else {
      throw WriteError(description: "cannot record to \(path): it exists and is not a recording; use another file")
    }
    do throws(PrivateFile.FileError) {
      descriptor = try PrivateFile.create(path, isExclusive: true)
    } catch {
      throw WriteError(description: error.description)
    }
  }

  deinit { close(descriptor) }

  /// Returns whether the file exists and has content other than a recording.
  private static func isOfAnother(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var head = [UInt8](repeating: 0, count: Recording.beginning.count)
    let count = FileDescriptor.read(descriptor, into: &head)
    return count > 0 && !head[..<count].elementsEqual(Recording.beginning)
  }

  /// A request of the session, to which the events of its response are added.
  package struct Run: Sendable {
    fileprivate let file: RecordingFile
    fileprivate let number: Int
    fileprivate let redactor: Redactor

    /// Records an observation.
    ///
    /// - Parameter time: The time of the observation since the start of the recording; `nil` for the current time.
    package func record(_ observation: RequestMonitor.Observation, at time: Duration? = nil) {
      switch observation {
      case .head(let head):
        write(.head(status: head.status, contentType: head.headers["Content-Type"] ?? "", format: nil), time)
      case .part(let part): write(.part(part.payload.map { JSONWriter.compactBytes($0) } ?? part.body), time)
      case .subscription(.reconnecting(_, let reason)): write(.state("reconnecting", reason: reason), time)
      case .subscription(let state): write(.state(state.name, reason: nil), time)
      case .sent, .ended, .fellBack: break
      }
    }

    /// Records a state that is not that of a subscription, which readers pass over.
    package func note(_ state: String, reason: String, at time: Duration) {
      write(.state(state, reason: reason), time)
    }

    package func end(error: String?, exitCode: Int32, at time: Duration? = nil) {
      write(.end(error: error, exitCode: Int(exitCode)), time)
    }

    fileprivate func write(_ event: Recording.Event, _ time: Duration? = nil) {
      file.write(event, at: time, run: number, redactor)
    }
  }

  /// Records a request. Several requests can be in progress at the same time. `isPage` marks a request of a pager.
  package func startRequest(
    url: String, operationName: String?, query: String, variables: JSONValue, isPage: Bool = false,
    cachePolicy: CachePolicy = .networkOnly, onError: ErrorBehavior? = nil, at time: Duration? = nil
  ) -> Run {
    let number = state.withLock { state in
      defer { state.runs += 1 }
      return state.runs
    }
    let run = Run(
      file: self, number: number, redactor: Redactor(values: secrets, document: query, variables: variables))
    run.write(
      .request(
        url: url, operationName: operationName, query: DraftText(query), variables: variables, references: nil,
        isPage: isPage, cachePolicy: cachePolicy, onError: onError), time)
    return run
  }

  /// Throws if a line could not be written.
  package func check() throws(WriteError) {
    if let problem = state.withLock({ $0.problem }) {
      throw WriteError(description: "the recording is incomplete: \(problem)")
    }
  }

  private func write(_ event: Recording.Event, at time: Duration?, run: Int, _ redactor: Redactor) {
    let line = Recording.line(event, at: time ?? start.duration(to: .now), run: run, redactor: redactor)
    state.withLock { state in
      guard state.problem == nil else { return }
      guard let line else {
        state.problem = "a secret in a response cannot be removed from it"
        return
      }
      if !FileDescriptor.writeAll(line, to: descriptor) { state.problem = String(cString: strerror(errno)) }
    }
  }
}
