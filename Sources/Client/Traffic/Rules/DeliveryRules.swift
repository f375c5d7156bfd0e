import ApusClientSubscriptions
import ApusGraphQLLanguage
import ApusJSON

/// Rules that change the delivery of responses, to see how an application behaves.
package struct DeliveryRules: Sendable, Equatable {
  /// The payloads that a rule is about.
  package enum Selector: Sendable, Equatable {
    case everyPayload
    /// The payloads with data or the end of the fragments and streams with a label.
    case label(String)
    /// The payloads with a field, given its response key, in an object whose `__typename` is the type or missing; in any object
    /// without a type.
    case field(type: String?, name: String)
  }

  package enum Action: Sendable, Equatable {
    case delay(Duration)
    /// The fragment fails, with an error in place of its data.
    case fail
    /// The fragment never arrives.
    case drop
  }

  package struct Rule: Sendable, Equatable {
    package let selector: Selector
    package let action: Action
    /// The rule as the user wrote it, with which a changed response is marked.
    package let text: String

    package init(_ selector: Selector, _ action: Action, text: String) {
      (self.selector, self.action, self.text) = (selector, action, text)
    }
  }

  package var rules: [Rule] = []
  /// The number of payloads after which the connection is broken; `nil` for none.
  package var cutAfter: Int?
  /// The status of a response in place of the server's; `nil` for none.
  package var status: Int?
  /// Whether each payload waits until the user releases it (`DeliveryControl`).
  package var holds = false
  /// The names of the operations whose responses are changed; empty for all.
  package var operations: Set<String> = []

  package init() {}

  package var isEmpty: Bool { rules.isEmpty && cutAfter == nil && status == nil && !holds }

  /// Returns the editor of a response; `nil` if the rules do not apply to the request.
  package func editor(
    method: String, target: String, contentType: String?, body: [UInt8]
  ) -> ResponseEditor? {
    let content = RequestContent(method: method, target: target, contentType: contentType, body: body)
    return !isEmpty && areAbout(content.operations) ? ResponseEditor(self) : nil
  }

  /// The response in place of the server's; `nil` for none.
  var answer: (status: Int, body: [UInt8])? {
    status.map { status in
      let message = JSONValue("apus tap: --status \(status)")
      return (status, JSONWriter.compactBytes(.object([("errors", .array([.object([("message", message)])]))])))
    }
  }

  /// Returns the response in place of a WebSocket's handshake; `nil` for none. The handshake has no operation, so that a status for
  /// named operations has no effect, nor on WebSockets of other subprotocols than those of GraphQL.
  package func answer(toSubprotocols names: [String]) -> (status: Int, body: [UInt8])? {
    operations.isEmpty && names.contains { WebSocketSubprotocol(rawValue: $0) != nil } ? answer : nil
  }

  /// Whether the rules change payloads of an operation on a WebSocket. A status replaces its handshake.
  func changesPayloads(of operations: [OperationParameters]) -> Bool {
    (!rules.isEmpty || cutAfter != nil || holds) && areAbout(operations)
  }

  private func areAbout(_ requested: [OperationParameters]) -> Bool {
    let names = requested.map { $0.operationName ?? Self.firstName(in: $0.query) }
    return !names.isEmpty && (operations.isEmpty || names.contains { operations.contains($0 ?? "") })
  }

  private static func firstName(in query: String?) -> String? {
    query.flatMap { Document(parsing: $0).operations.first?.name?.value }
  }
}
