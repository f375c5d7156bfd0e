import Synchronization

/// A deliberate violation that one audit of `apus audit` reports, to show that the audit can fail.
package struct ServerBreak: Sendable {
  /// A change of the demo server's behavior. Text is changed as a whole body, or chunk by chunk.
  enum Hook: Sendable {
    /// Changes a request before it is processed.
    case request(@Sendable (inout ServerRequest) -> Void)
    /// Changes the status and header fields of a response.
    case head(@Sendable (ServerRequest, inout ServerResponse) -> Void)
    /// Changes the body of a response.
    case text(@Sendable (ServerRequest, String) -> String)
    /// Changes a WebSocket message from the client; nil drops it.
    case incoming(@Sendable (String) -> String?)
    /// Changes a WebSocket message to the client, or sends several.
    case outgoing(@Sendable (String) -> [String])
    /// Sends an additional response to a WebSocket message from the client.
    case reply(@Sendable (String) -> String?)
    /// Changes the close code of a WebSocket.
    case close(@Sendable (Int) -> Int)
    /// Waits before a request is processed.
    case delay(@Sendable (ServerRequest) async -> Void)
    /// Sends the streamed response to matching requests only when it is complete.
    case hold(@Sendable (ServerRequest) -> Bool)
    /// Creates a hook with separate state for each server.
    indirect case stateful(@Sendable () -> Hook)
  }

  package let audit: String
  /// The ids of other audits that fail as well.
  package let companions: Set<String>
  private(set) var hook: Hook

  init(_ audit: String, companions: Set<String> = [], _ hook: Hook) {
    self.audit = audit
    self.companions = companions
    self.hook = hook
  }

  /// Returns the break with its own state for one server.
  func started() -> ServerBreak {
    guard case .stateful(let make) = hook else { return self }
    var started = self
    started.hook = make()
    return started
  }

  package static let all: [ServerBreak] = http + responses + incremental + subscriptions + others

  package static func named(_ audit: String) -> ServerBreak? { all.first { $0.audit == audit } }
}

extension [ServerBreak] {
  /// Responds to a request with all breaks applied.
  func answer(_ request: ServerRequest, _ respond: (ServerRequest) async -> ServerResponse) async -> ServerResponse {
    guard !isEmpty else { return await respond(request) }
    var changed = request
    for case .request(let change) in map(\.hook) { change(&changed) }
    for case .delay(let wait) in map(\.hook) { await wait(request) }
    var answer = await respond(changed)
    for case .hold(let applies) in map(\.hook) where applies(request) { answer.body = answer.body.held() }
    for case .head(let change) in map(\.hook) { change(request, &answer) }
    for case .text(let change) in map(\.hook) { answer.body = answer.body.mapText { change(request, $0) } }
    return answer
  }

  /// Returns the client's message as the server receives it.
  func incoming(_ text: [UInt8]) -> [UInt8]? {
    var text: String? = String(decoding: text, as: UTF8.self)
    for case .incoming(let change) in map(\.hook) { text = text.flatMap(change) }
    return text.map { [UInt8]($0.utf8) }
  }

  /// Returns the messages that the client receives.
  func outgoing(_ text: [UInt8]) -> [[UInt8]] {
    var texts = [String(decoding: text, as: UTF8.self)]
    for case .outgoing(let change) in map(\.hook) { texts = texts.flatMap(change) }
    return texts.map { [UInt8]($0.utf8) }
  }

  func replies(to text: [UInt8]) -> [[UInt8]] {
    map(\.hook).compactMap { hook in
      guard case .reply(let reply) = hook else { return nil }
      return reply(String(decoding: text, as: UTF8.self)).map { [UInt8]($0.utf8) }
    }
  }

  func closeCode(_ code: Int) -> Int {
    map(\.hook).reduce(code) { code, hook in if case .close(let change) = hook { change(code) } else { code } }
  }
}

final class BreakMemory<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  /// Replaces the value and returns the old one.
  func replace(_ change: (Value) -> Value) -> Value {
    value.withLock { value in
      defer { value = change(value) }
      return value
    }
  }
}

extension ServerResponse.Body {
  /// Returns the body in one piece, sent when it is complete.
  fileprivate func held() -> Self {
    guard case .stream(let chunks) = self else { return self }
    let (changed, output) = AsyncStream.makeStream(of: [UInt8].self)
    let task = Task {
      var bytes: [UInt8] = []
      for await chunk in chunks { bytes += chunk }
      output.yield(bytes)
      output.finish()
    }
    output.onTermination = { _ in task.cancel() }
    return .stream(changed)
  }

  fileprivate func mapText(_ change: @escaping @Sendable (String) -> String) -> Self {
    switch self {
    case .bytes(let bytes): return .bytes(Array(change(String(decoding: bytes, as: UTF8.self)).utf8))
    case .stream(let chunks):
      let (changed, output) = AsyncStream.makeStream(of: [UInt8].self)
      let task = Task {
        for await chunk in chunks { output.yield(Array(change(String(decoding: chunk, as: UTF8.self)).utf8)) }
        output.finish()
      }
      output.onTermination = { _ in task.cancel() }
      return .stream(changed)
    case .upgrade: return self
    }
  }
}

// MARK: Helpers for the tables

extension ServerRequest {
  var text: String { String(decoding: body, as: UTF8.self) }
  var accept: String { header("Accept") ?? "" }
  /// Whether the client accepts both JSON media types, as most do.
  var acceptsBoth: Bool { accept == "application/graphql-response+json, application/json;q=0.9" }
  func has(_ part: String) -> Bool { text.contains(part) }

  mutating func set(_ name: String, _ value: String?) {
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
    if let value { headers.append((name, value)) }
  }

  mutating func replace(_ old: String, _ new: String) { body = Array(text.replacing(old, with: new).utf8) }
}

extension ServerResponse {
  var contentType: String { headers.first { $0.name == "Content-Type" }?.value ?? "" }

  mutating func set(_ name: String, _ value: String?) {
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
    if let value { headers.append((name, value)) }
  }
}
