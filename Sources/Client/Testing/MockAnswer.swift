/// What a `MockServer` answers one request with: a status, header fields, and the body step by step.
public struct MockAnswer: Sendable {
  /// One step on the way through a body.
  public enum Step: Sendable {
    /// The next bytes of the body.
    case bytes([UInt8])
    /// Waits so long by the server's clock.
    case wait(Duration)
    /// Waits until the test opens the gate.
    case hold(TestGate)
    /// The response ends here, with what the network would have said.
    case fail(NetworkError)
  }

  /// The status code.
  public var status: Int
  /// The response's header fields.
  public var headers: HTTPHeaders
  /// What happens, in this order; behind the last step the response is whole.
  public var steps: [Step]

  /// An answer by its parts; without any bytes the body is empty.
  public init(status: Int = 200, headers: HTTPHeaders = [:], steps: [Step]) {
    self.status = status
    self.headers = headers
    self.steps = steps
  }
}

// MARK: - One body

extension MockAnswer {
  /// A whole GraphQL response as JSON text: `{"data":…}`, `{"errors":[…]}`. It is sent as it stands, right or wrong.
  public static func json(_ text: String, status: Int = 200) -> MockAnswer {
    MockAnswer(status: status, headers: ["Content-Type": "application/json"], steps: [.bytes(Array(text.utf8))])
  }

  /// A response with this JSON text as its `data`.
  public static func data(_ json: String) -> MockAnswer { .json(#"{"data":\#(json)}"#) }

  /// A response with a model as its `data`: one that was made by its initializer, or by the `mock` that is generated for it.
  public static func data(_ model: some SelectionSet) -> MockAnswer {
    if let path = model.__data.json.nonFinitePath {
      let reason = "\(path) in its answer is NaN or infinite, which JSON cannot write"
      return .failure(.failed(host: "the mock server", reason: reason))
    }
    return .data(JSONWriter.compact(model.__data.json))
  }

  /// A response without data and with errors, whose messages these are.
  public static func errors(_ messages: String...) -> MockAnswer {
    let errors = messages.map { JSONValue.object([("message", JSONValue($0))]) }
    return .json(JSONWriter.compact(.object([("data", .null), ("errors", .array(errors))])))
  }

  /// Something other than GraphQL: a gateway's page, say.
  public static func text(_ text: String, status: Int, type: String = "text/plain") -> MockAnswer {
    MockAnswer(status: status, headers: ["Content-Type": type], steps: [.bytes(Array(text.utf8))])
  }

  /// No response at all: the network fails.
  public static func failure(_ error: NetworkError) -> MockAnswer { MockAnswer(steps: [.fail(error)]) }
}

// MARK: - Bodies in parts

extension MockAnswer {
  /// A part of a deferred or streamed delivery, or an event of a subscription, and what happens between two of them.
  public enum Part: Sendable, ExpressibleByStringLiteral {
    /// The JSON text of the part, as the incremental format has it.
    case json(String)
    /// Waits so long by the server's clock.
    case wait(Duration)
    /// Waits until the test opens the gate.
    case hold(TestGate)
    /// The response ends here, with what the network would have said.
    case fail(NetworkError)

    public init(stringLiteral json: String) { self = .json(json) }
  }

  /// An incremental delivery: `multipart/mixed`, a part for each JSON text, each whole as soon as it is sent.
  ///
  /// - Parameter specification: which format the parts have, as the content type says: `deferSpec=20220824` (`path`, `label`
  ///   and `data` in each), or `incrementalSpec=v0.2` (`pending`, `incremental`, `completed`).
  public static func parts(_ parts: Part..., specification: String = "deferSpec=20220824") -> MockAnswer {
    MockAnswer(parts: parts, specification: specification)
  }

  init(parts: [Part], specification: String) {
    var steps = [Step.bytes(Array("---".utf8))]
    for part in parts {
      steps.append(
        part.step { "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\($0)\r\n---" })
    }
    steps.append(.bytes(Array("--\r\n".utf8)))
    let type = #"multipart/mixed; boundary="-""# + (specification.isEmpty ? "" : "; \(specification)")
    self.init(headers: ["Content-Type": type], steps: steps)
  }

  /// A subscription's events: `text/event-stream`, each a whole GraphQL response, and its completion behind them.
  public static func events(_ events: Part...) -> MockAnswer { MockAnswer(events: events) }

  init(events: [Part]) {
    var steps = events.map { event in event.step { "event: next\ndata: \($0)\n\n" } }
    steps.append(.bytes(Array("event: complete\ndata:\n\n".utf8)))
    self.init(headers: ["Content-Type": "text/event-stream"], steps: steps)
  }
}

extension MockAnswer.Part {
  func step(_ framed: (String) -> String) -> MockAnswer.Step {
    switch self {
    // A line break in it is white space, but would end a line of an event stream.
    case .json(let text): .bytes(Array(framed(String(text.map { $0.isASCII && $0.isNewline ? " " : $0 })).utf8))
    case .wait(let duration): .wait(duration)
    case .hold(let gate): .hold(gate)
    case .fail(let error): .fail(error)
    }
  }
}

// MARK: - Changed in one respect

extension MockAnswer {
  /// The same, so much later by the server's clock.
  public func delayed(by duration: Duration) -> MockAnswer {
    var answer = self
    answer.steps.insert(.wait(duration), at: 0)
    return answer
  }

  /// The same with this status.
  public func status(_ status: Int) -> MockAnswer {
    var answer = self
    answer.status = status
    return answer
  }

  /// The same with one header field more.
  public func header(_ name: String, _ value: String) -> MockAnswer {
    var answer = self
    answer.headers.add(name: name, value: value)
    return answer
  }

  /// The same up to so many bytes of the body; then the connection is lost.
  public func cut(afterBytes count: Int) -> MockAnswer {
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
    answer.steps.append(.fail(.cut(host: "the mock server", receivedBytes: count - max(0, left))))
    return answer
  }
}
