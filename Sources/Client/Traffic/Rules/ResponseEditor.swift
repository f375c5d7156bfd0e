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
    package let isHeld: Bool

    package init(delay: Duration, bytes: [UInt8], isHeld: Bool = false) {
      (self.delay, self.bytes, self.isHeld) = (delay, bytes, isHeld)
    }
  }

  private let rules: DeliveryRules
  private var editor: PayloadEditor
  private var segments: PayloadSegments?

  init(_ rules: DeliveryRules) { (self.rules, editor) = (rules, PayloadEditor(rules)) }

  /// The rules that changed the response, each once, as the user wrote them.
  package var changes: [String] { editor.changes }
  /// Whether the connection is broken after the bytes before.
  package var isCut: Bool { editor.isCut }

  /// The response in place of the server's; `nil` for none.
  package var answer: (status: Int, body: [UInt8])? { rules.answer }

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
    let edit = editor.edit(payload)
    guard let edited = edit.payload else { return Delivery(delay: edit.delay, bytes: []) }
    var segment = segment
    if edited != payload { segment.replace(JSONWriter.compactBytes(edited)) }
    return Delivery(delay: edit.delay, bytes: segment.bytes, isHeld: edit.isHeld)
  }
}
