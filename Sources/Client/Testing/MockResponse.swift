/// A response of a `MockServer`: a status, header fields, and the steps that produce the body.
public struct MockResponse: Sendable {
  /// A step in producing a body.
  public enum Step: Sendable {
    /// Sends bytes of the body.
    case bytes([UInt8])
    /// Waits, measured by the server's clock.
    case wait(Duration)
    /// Waits until the test opens the gate.
    case hold(TestGate)
    /// Ends the response with a network error.
    case fail(NetworkError)
  }

  /// The status code.
  public var status: Int
  /// The header fields.
  public var headers: HTTPHeaders
  /// The steps in order. The response is complete after the last one.
  public var steps: [Step]

  /// Creates a response. Without bytes the body is empty.
  public init(status: Int = 200, headers: HTTPHeaders = [:], steps: [Step]) {
    self.status = status
    self.headers = headers
    self.steps = steps
  }
}

// MARK: - Responses with one body

extension MockResponse {
  /// Returns a complete GraphQL response as JSON text: `{"data":…}`, `{"errors":[…]}`. It is sent unchanged, even if it
  /// is invalid.
  public static func json(_ text: String, status: Int = 200) -> MockResponse {
    MockResponse(status: status, headers: ["Content-Type": "application/json"], steps: [.bytes(Array(text.utf8))])
  }

  /// Returns a response with JSON text as its `data`.
  public static func data(_ json: String) -> MockResponse { .json(#"{"data":\#(json)}"#) }

  /// Returns a response with a model as its `data`, created by its initializer or by the generated `mock`.
  public static func data(_ model: some SelectionSet) -> MockResponse {
    if let path = model.__data.json.nonFinitePath {
      let reason = "\(path) in its response is NaN or infinite, which JSON cannot represent"
      return .failure(.failed(host: "the mock server", reason: reason))
    }
    return .data(JSONWriter.compact(model.__data.json))
  }

  /// Returns a response without data, with one error per message.
  public static func errors(_ messages: String...) -> MockResponse {
    let errors = messages.map { JSONValue.object([("message", JSONValue($0))]) }
    return .json(JSONWriter.compact(.object([("data", .null), ("errors", .array(errors))])))
  }

  /// Returns a response that is not GraphQL, such as the error page of a gateway.
  public static func text(_ text: String, status: Int, type: String = "text/plain") -> MockResponse {
    MockResponse(status: status, headers: ["Content-Type": type], steps: [.bytes(Array(text.utf8))])
  }

  /// Returns a network error instead of a response.
  public static func failure(_ error: NetworkError) -> MockResponse { MockResponse(steps: [.fail(error)]) }
}

// MARK: - Incremental responses

extension MockResponse {
  /// A payload of an incremental response, an event of a subscription, or an action between them.
  public enum Payload: Sendable, ExpressibleByStringLiteral {
    /// A payload as JSON text.
    case json(String)
    /// Waits, measured by the server's clock.
    case wait(Duration)
    /// Waits until the test opens the gate.
    case hold(TestGate)
    /// Ends the response with a network error.
    case fail(NetworkError)

    public init(stringLiteral json: String) { self = .json(json) }
  }

  /// Returns an incremental response: `multipart/mixed` with one part per payload, each complete as soon as it is sent.
  ///
  /// - Parameter specification: The format of the payloads, as in the content type: `deferSpec=20220824` (`path`,
  ///   `label` and `data`) or `incrementalSpec=v0.2` (`pending`, `incremental`, `completed`).
  public static func parts(_ parts: Payload..., specification: String = "deferSpec=20220824") -> MockResponse {
    MockResponse(parts: parts, specification: specification)
  }

  init(parts: [Payload], specification: String) {
    var steps = [Step.bytes(Array("---".utf8))]
    for part in parts {
      steps.append(
        part.step { "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)\r\n---" })
    }
    steps.append(.bytes(Array("--\r\n".utf8)))
    let type = #"multipart/mixed; boundary="-""# + (specification.isEmpty ? "" : "; \(specification)")
    self.init(headers: ["Content-Type": type], steps: steps)
  }

  /// Returns the events of a subscription: `text/event-stream` with one GraphQL response per event, followed by its
  /// completion.
  public static func events(_ events: Payload...) -> MockResponse { MockResponse(events: events) }

  init(events: [Payload]) {
    var steps = events.map { event in event.step { "event: next\ndata: \($0)\n\n" } }
    steps.append(.bytes(Array("event: complete\ndata:\n\n".utf8)))
    self.init(headers: ["Content-Type": "text/event-stream"], steps: steps)
  }
}

extension MockResponse.Payload {
  func step(_ framed: (String) -> String) -> MockResponse.Step {
    switch self {
    // A line break would end a line of an event stream, and is only white space in JSON.
    case .json(let text): .bytes(Array(framed(String(text.map { $0.isASCII && $0.isNewline ? " " : $0 })).utf8))
    case .wait(let duration): .wait(duration)
    case .hold(let gate): .hold(gate)
    case .fail(let error): .fail(error)
    }
  }
}

// MARK: - Modified responses

extension MockResponse {
  /// Returns the response delayed by the server's clock.
  public func delayed(by duration: Duration) -> MockResponse {
    var answer = self
    answer.steps.insert(.wait(duration), at: 0)
    return answer
  }

  /// Returns the response with another status.
  public func status(_ status: Int) -> MockResponse {
    var answer = self
    answer.status = status
    return answer
  }

  /// Returns the response with an additional header field.
  public func header(_ name: String, _ value: String) -> MockResponse {
    var answer = self
    answer.headers.add(name: name, value: value)
    return answer
  }

  /// Returns the response truncated after a number of bytes of the body; then the connection is lost.
  public func cut(afterBytes count: Int) -> MockResponse {
    var answer = self
    var left = count
    answer.steps = []
    for step in steps {
      guard case .bytes(let bytes) = step else {
        answer.steps.append(step)
        continue
      }
      answer.steps.append(.bytes(Array(bytes.prefix(left))))
      left -= bytes.count
      if left < 0 { break }
    }
    answer.steps.append(.fail(.interrupted(host: "the mock server", receivedBytes: count - max(0, left))))
    return answer
  }
}
