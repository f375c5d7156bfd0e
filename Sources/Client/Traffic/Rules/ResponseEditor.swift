import ApusClientNetwork
import ApusJSON

/// Applies delivery rules to one response over HTTP.
///
/// Each payload is sent as the server sent it, later, without a fragment, or not at all. A payload is never sent before the one
/// in front of it.
package struct ResponseEditor: Sendable {
  /// Bytes to send, after a time since those before them, or when the user releases them.
  package struct Delivery: Sendable, Equatable {
    package let delay: Duration
    package let bytes: [UInt8]
    /// Whether the bytes are a payload that waits until it is released.
    package var isHeld = false
  }

  private let rules: DeliveryRules
  private var segments: PayloadSegments?
  private var payloadCount = 0
  private var fragments = FragmentEdit()
  /// The rules that changed the response, each once, as the user wrote them.
  package private(set) var changes: [String] = []
  /// Whether the connection is broken after the bytes before.
  package private(set) var isCut = false

  init(_ rules: DeliveryRules) { self.rules = rules }

  /// The response in place of the server's; `nil` for none.
  package var answer: (status: Int, body: [UInt8])? {
    rules.status.map { status in
      let message = JSONValue("apus tap: --status \(status)")
      return (status, JSONWriter.compactBytes(.object([("errors", .array([.object([("message", message)])]))])))
    }
  }

  /// Processes the head of the response.
  package mutating func begin(_ headers: HTTPHeaders) {
    segments = PayloadSegments(HTTPHead(status: 200, headers: headers).mediaType)
  }

  /// Processes bytes of the body and returns those to send.
  package mutating func receive(_ bytes: [UInt8]) -> [Delivery] {
    (segments?.receive(bytes) ?? []).compactMap { deliver($0) }
  }

  /// Processes the end of the body.
  package mutating func finish() -> [Delivery] {
    guard let rest = segments?.finish(), !rest.bytes.isEmpty, !isCut else { return [] }
    return deliver(rest).map { [$0] } ?? []
  }

  private mutating func deliver(_ segment: PayloadSegments.Segment) -> Delivery? {
    guard !isCut else { return nil }
    guard !segment.json.isEmpty, let payload = try? JSONDocument(parsing: segment.json).root,
      // An empty object keeps a connection open, and is not a payload.
      payload.kind != .object || payload.count > 0
    else {
      return Delivery(delay: .zero, bytes: segment.bytes)
    }
    fragments.read(payload)
    var (segment, delay) = (segment, Duration.zero)
    var edited: JSONValue? = payload
    for rule in rules.rules where isAbout(rule.selector, payload) {
      switch rule.action {
      case .delay(let duration): delay += duration
      case .fail, .drop:
        guard case .label(let label) = rule.selector else { continue }
        edited = edited.flatMap { fragments.edited($0, label: label, error: rule.action == .fail ? rule.text : nil) }
      }
      note(rule.text)
    }
    payloadCount += 1
    if payloadCount == rules.cutAfter {
      isCut = true
      note("--cut-after \(payloadCount)")
    }
    guard let edited else { return Delivery(delay: delay, bytes: []) }
    if edited != payload { segment.replace(JSONWriter.compactBytes(edited)) }
    if rules.holds { note("--hold") }
    return Delivery(delay: delay, bytes: segment.bytes, isHeld: rules.holds)
  }

  private mutating func note(_ change: String) {
    if !changes.contains(change) { changes.append(change) }
  }

  private func isAbout(_ selector: DeliveryRules.Selector, _ payload: JSONValue) -> Bool {
    switch selector {
    case .everyPayload: true
    case .label(let label): fragments.has(label, in: payload)
    case .field(let type, let name):
      ([payload] + (payload["incremental"]?.elements.map { $0 } ?? [])).contains { entry in
        ["data", "items"].contains { member in entry[member].map { Self.hasField($0, type, name) } == true }
      }
    }
  }

  /// Whether a value has a field in an object of a type. An object without `__typename`, as that of a fragment, counts for each type.
  private static func hasField(_ value: JSONValue, _ type: String?, _ name: String) -> Bool {
    switch value.kind {
    case .object:
      let typename = value["__typename"]?.string
      let isOfType = type == nil || typename == nil || typename == type
      if isOfType, value[name] != nil { return true }
      return value.members.contains { hasField($0.value, type, name) }
    case .array: return value.elements.contains { hasField($0, type, name) }
    case .string, .number, .bool, .null: return false
    }
  }
}
