/// What a scripted connection does once a request is whole: bytes to send, gates to wait for, ways to end.
package struct ScriptedAnswer: Sendable {
  package enum Piece: Sendable {
    case text(String)
    case bytes([UInt8])
    /// Nothing goes on until the test opens the gate.
    case hold(Gate)
    /// The connection ends here with a FIN: everything sent still arrives.
    case close
    /// The connection ends here with a RST.
    case reset
  }

  /// How the body's end is told to the client.
  package enum Framing: Sendable {
    case chunked
    /// The true length.
    case contentLength
    /// Any length, true or not; the connection is closed behind the body.
    case claiming(length: Int)
    /// No length: the body ends with the connection.
    case untilClose
  }

  enum Step: Sendable {
    case send([UInt8])
    case hold(Gate)
    case close
    case reset
    /// Stay silent until the client leaves.
    case silence
  }

  let steps: [Step]

  /// A well-formed head, and a body whose pieces are sent as they stand, each chunk at once.
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

  /// One JSON text with its true length.
  package static func json(_ text: String, status: Int = 200, headers: [(String, String)] = []) -> ScriptedAnswer {
    .response(
      status: status, headers: [("Content-Type", "application/json")] + headers, framing: .contentLength,
      [.text(text)])
  }

  /// A `multipart/mixed` stream: each text is the JSON of one part, sent with the delimiter that follows it, so
  /// that the part is whole as soon as it arrives; the closing delimiter comes with the last one, or behind a gate that
  /// follows that.
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

  /// Bytes as they stand, head included; the connection stays open behind them unless a piece ends it.
  package static func raw(_ pieces: [Piece]) -> ScriptedAnswer {
    ScriptedAnswer(steps: pieces.map(\.step))
  }

  /// Reads the request and never answers.
  package static let never = ScriptedAnswer(steps: [.silence])

  /// The same answer, its first byte held back by a gate.
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
