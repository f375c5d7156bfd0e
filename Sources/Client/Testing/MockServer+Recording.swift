/// Recordings as fixtures: `apus query --record FILE` and the explorer write them.
extension MockServer {
  /// Answers each request of a recording once, as it was answered then, by the operations' names.
  ///
  /// - Parameters:
  ///   - recording: The bytes of the file.
  ///   - keepsTiming: Whether the parts come as far apart as they did, by the server's clock.
  /// - Throws: `MalformedRecording` when the bytes are no recording.
  public func replay(_ recording: some Sequence<UInt8>, keepsTiming: Bool = false) throws(MalformedRecording) {
    let runs: [RecordedRun]
    do throws(Recording.Malformed) {
      runs = try Recording(parsing: Array(recording)).runs
    } catch {
      throw MalformedRecording(description: "the recording cannot be read: \(error.description)")
    }
    for run in runs { answer(run.operationName, with: MockAnswer(run, keepsTiming: keepsTiming)) }
  }
}

/// Why bytes are no recording: the line, and what is wrong with it.
public struct MalformedRecording: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}

extension MockAnswer {
  fileprivate init(_ run: RecordedRun, keepsTiming: Bool) {
    var parts: [Part] = []
    var elapsed = Duration.zero
    for part in run.parts {
      if keepsTiming, part.elapsed > elapsed { parts.append(.wait(part.elapsed - elapsed)) }
      elapsed = part.elapsed
      parts.append(.json(String(decoding: part.body, as: UTF8.self)))
    }
    if let error = run.ending.error { parts.append(.fail(.failed(host: "the recorded server", reason: error))) }
    let type = run.contentType
    if type.hasPrefix("multipart/") {
      // The boundary is this one's own; which format the parts have, the type says behind it.
      let parameters = type.split(separator: ";").dropFirst().filter { !$0.contains("boundary=") }
      self = MockAnswer(parts: parts, specification: parameters.joined(separator: ";"))
    } else if type.hasPrefix("text/event-stream") || run.status == 101 {
      self = MockAnswer(events: parts)
    } else {
      self = MockAnswer(
        status: run.status, headers: type.isEmpty ? [:] : ["Content-Type": type],
        steps: parts.map { part in part.step { $0 } })
    }
  }
}
