/// Recordings as fixtures, as written by `apus query --record FILE` and the explorer.
extension MockServer {
  /// Responds to each request of a recording once with the recorded response, matched by operation name.
  ///
  /// - Parameters:
  /// - recording: The contents of the file.
  /// - keepsTiming: Whether the payloads are sent with the recorded delays, measured by the server's clock.
  /// - Throws: `MalformedRecording` if the bytes are not a recording.
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

/// The reason why bytes are not a recording, with the line.
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
      // The parameters other than the boundary, which the mock response chooses itself, determine the format.
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
