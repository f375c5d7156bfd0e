/// The reaction of a scripted connection to a request: bytes to send, gates to wait for, and ways to end.
package struct ScriptedAnswer: Sendable {
  package enum Piece: Sendable {
    case text(String)
    case bytes([UInt8])
    /// Waits until the test opens the gate.
    case hold(Gate)
    /// Closes the connection with a FIN. All sent data still arrives.
    case close
    /// Closes the connection with a RST.
    case reset
  }

  /// The framing of the body, by which the client recognizes its end.
  package enum Framing: Sendable {
    case chunked
    /// The correct length.
    case contentLength
    /// Any length, correct or not. The connection is closed after the body.
    case claiming(length: Int)
    /// Without a length: the body ends with the connection.
    case untilClose
  }

  enum Step: Sendable {
    case send([UInt8])
    case hold(Gate)
    case close
    case reset
    /// Sends nothing until the client leaves.
    case silence
  }

  let steps: [Step]

  /// Returns a response with a valid head. The pieces of the body are sent unchanged, each as a chunk.
  package static func response(
    status: Int = 200, reason: String? = nil, headers: [(String, String)] = [], framing: Framing = .chunked,
    _ body: [Piece]
  ) -> ScriptedAnswer {
    var head = "HTTP/1.1 \(status) \(reason ?? (status == 200 ? "OK" : "Scripted"))\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    switch framing {
    case .chunked: head += "Transfer-Encoding: chunked\r\n"
    case .contentLength: head += "Content-Length: \(body.reduce(0) { $0 + $1.byteCount })\r\n"
    case .claiming(let length): head += "Content-Length: \(length)\r\n"
    case .untilClose: head += "Connection: close\r\n"
    }
    head += "\r\n"
    var steps = [Step.send(Array(head.utf8))]
    for piece in body {
      switch (piece.step, framing) {
      case (.send(let bytes), .chunked):
        guard !bytes.isEmpty else { continue }
        steps.append(.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)))
      case (let step, _): steps.append(step)
      }
    }
    switch framing {
    case .chunked: steps.append(.send(Array("0\r\n\r\n".utf8)))
    case .contentLength: break
    case .claiming, .untilClose: steps.append(.close)
    }
    return ScriptedAnswer(steps: steps)
  }

  /// Returns a JSON response with the correct length.
  package static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> ScriptedAnswer {
    .response(
      status: status, headers: [("Content-Type", "application/json")] + headers, framing: .contentLength,
      [.text(text)])
  }

  /// Returns a `multipart/mixed` response. Each text is the JSON of one part, sent with the following delimiter, so
  /// that the part is complete when it arrives. The closing delimiter is sent with the last part, or after a gate that
  /// follows it.
  package static func multipart(
    boundary: String = "-", specification: String? = "deferSpec=20220824", headers: [(String, String)] = [],
    framing: Framing = .chunked, _ parts: [Piece]
  ) -> ScriptedAnswer {
    let contentType = "multipart/mixed; boundary=\"\(boundary)\"" + (specification.map { "; \($0)" } ?? "")
    var body: [Piece] = []
    let last = parts.lastIndex { if case .send = $0.step { true } else { false } }
    let endsHeld = if case .hold? = parts.last?.step { true } else { false }
    for (index, part) in parts.enumerated() {
      guard case .send(let bytes) = part.step else {
        body.append(part)
        continue
      }
      let opening = body.contains { if case .send = $0.step { true } else { false } } ? "" : "--\(boundary)"
      let head = opening + "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
      let delimiter = "\r\n--\(boundary)" + (index == last && !endsHeld ? "--\r\n" : "")
      body.append(.bytes(Array(head.utf8) + bytes + Array(delimiter.utf8)))
    }
    if endsHeld { body.append(.text("--\r\n")) }
    return .response(headers: [("Content-Type", contentType)] + headers, framing: framing, body)
  }

  /// Returns a response of these bytes, including the head. The connection stays open unless a piece ends it.
  package static func raw(_ pieces: [Piece]) -> ScriptedAnswer {
    ScriptedAnswer(steps: pieces.map(\.step))
  }

  /// Reads the request and never responds.
  package static let never = ScriptedAnswer(steps: [.silence])

  /// Returns the response with its first byte delayed until a gate opens.
  package func held(by gate: Gate) -> ScriptedAnswer {
    ScriptedAnswer(steps: [.hold(gate)] + steps)
  }
}

extension ScriptedAnswer.Piece {
  fileprivate var step: ScriptedAnswer.Step {
    switch self {
    case .text(let text): .send(Array(text.utf8))
    case .bytes(let bytes): .send(bytes)
    case .hold(let gate): .hold(gate)
    case .close: .close
    case .reset: .reset
    }
  }

  fileprivate var byteCount: Int {
    if case .send(let bytes) = step { bytes.count } else { 0 }
  }
}
