/// Recordings as fixtures, as written by `apus query --record FILE` and the explorer.
extension MockServer {
  /// Responds to each request of a recording once with the recorded response, matched by operation name.
  ///
  /// - Parameters:
  /// - recording: The contents of the file.
  /// - keepsTiming: Whether the payloads are sent with the recorded delays, measured by the server's clock.
  /// - Throws: `RecordingFormatError` if the bytes are not a recording.
  public func replay(_ recording: some Sequence<UInt8>, keepsTiming: Bool = false) throws(RecordingFormatError) {
    let runs: [RecordedRequest]
    do throws(Recording.FormatError) {
      runs = try Recording(parsing: Array(recording)).runs
    } catch {
      throw RecordingFormatError(description: "the recording cannot be read: \(error.description)")
    }
    for run in runs { respond(to: run.draft.operationName, with: MockResponse(run, keepsTiming: keepsTiming)) }
  }
}

/// The reason why bytes are not a recording, with the line.
public struct RecordingFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String
}

extension MockResponse {
  fileprivate init(_ run: RecordedRequest, keepsTiming: Bool) {
    var parts: [Payload] = []
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
      self = MockResponse(parts: parts, specification: parameters.joined(separator: ";"))
    } else if type.hasPrefix("text/event-stream") || run.status == 101 {
      self = MockResponse(events: parts)
    } else {
      self = MockResponse(
        status: run.status, headers: type.isEmpty ? [:] : ["Content-Type": type],
        steps: parts.map { part in part.step { $0 } })
    }
  }
}
