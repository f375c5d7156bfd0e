import ApusClientFormats
import ApusClientNetwork
import ApusClientRequestChain
import ApusPlatform
import ApusSecrets

/// Writes each operation of an application's traffic to a separate recording, `0001-Birds.ndjson`, with its secrets redacted.
package struct TrafficRecorder: Sendable {
  package struct WriteError: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  private struct Recording {
    let file: RecordingFile
    let run: RecordingFile.Run
  }

  private let folder: String
  private let url: String
  private var recordings: [Int: Recording] = [:]

  /// Creates the folder if it does not exist.
  ///
  /// - Parameter url: The URL of the server, whose path is replaced by that of each request.
  package init(folder: String, url: String) throws(WriteError) {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw WriteError(description: "cannot create the folder \(folder): \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw WriteError(description: "cannot record to \(folder): it is not a folder")
    }
    (self.folder, self.url) = (folder, url)
  }

  /// Writes a report. An operation whose document is not known is not recorded, because it cannot be replayed.
  ///
  /// - Parameter secrets: The secrets of the operation.
  package mutating func receive(_ report: TrafficReport, secrets: SecretValues) throws(WriteError) {
    switch report {
    case .began(let request): try begin(request, secrets)
    case .responded(let request, let head, let elapsed):
      recordings[request.number]?.run.record(.head(head), at: elapsed)
    case .part(let request, let body, let elapsed):
      let part = RequestMonitor.RawPart(headers: [:], body: body, elapsed: elapsed)
      recordings[request.number]?.run.record(.part(part), at: elapsed)
    case .changed(let request, let change, let elapsed):
      recordings[request.number]?.run.note("changed", reason: change, at: elapsed)
    case .ended(let request): try end(request)
    case .hint, .payload, .held, .conflict, .other: break
    }
  }

  private mutating func begin(_ request: TrafficRequest, _ secrets: SecretValues) throws(WriteError) {
    guard let document = request.document else { return }
    let number = String(request.number)
    let name = String(repeating: "0", count: max(0, 4 - number.count)) + number
    do throws(RecordingFile.WriteError) {
      let file = try RecordingFile(
        "\(folder)/\(name)-\(request.operationName ?? "anonymous").ndjson", secrets: secrets)
      let run = file.startRequest(
        url: Origin(url: url).map { "\($0)\(request.path)" } ?? url, operationName: request.operationName,
        query: document, variables: request.parameters.variables, at: .zero)
      recordings[request.number] = Recording(file: file, run: run)
    } catch {
      throw WriteError(description: error.description)
    }
  }

  private mutating func end(_ request: TrafficRequest) throws(WriteError) {
    guard let recording = recordings.removeValue(forKey: request.number) else { return }
    switch request.state {
    case .running, .complete:
      recording.run.end(error: nil, exitCode: request.errorCount > 0 ? 1 : 0, at: request.duration)
    case .cancelled: recording.run.end(error: "the application canceled the request", exitCode: 3, at: request.duration)
    case .failed(let reason): recording.run.end(error: reason, exitCode: 3, at: request.duration)
    }
    do throws(RecordingFile.WriteError) { try recording.file.check() } catch {
      throw WriteError(description: error.description)
    }
  }
}
