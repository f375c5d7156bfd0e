import ApusClientAPI
import ApusJSON

/// Determines whether a subscription has ended when its response ended normally but without `complete` or without the
/// closing delimiter. Otherwise the connection counts as lost.
package struct EventStreamEnding {
  private var last: ResponsePart?
  /// Whether an event was named `next`, as in GraphQL over SSE, whose servers also send `complete`.
  private var hasNamedEvents = false

  package init() {}

  package mutating func receive(_ part: ResponsePart) {
    last = part
    if part.headers["event"] == "next" { hasNamedEvents = true }
  }

  /// Whether the subscription has ended. Servers that do not name their events never send `complete`. A last event with
  /// errors and without data rejects the operation, so that reconnecting would not help.
  package var isEnd: Bool {
    guard let last else { return false }
    return !last.isMultipart && !hasNamedEvents || Self.isRefusal(last)
  }

  private static func isRefusal(_ part: ResponsePart) -> Bool {
    guard let json = try? JSONDocument(parsing: part.body).root else { return false }
    let result = json[present: "payload"] ?? json
    return result[present: "data"] == nil && !GraphQLError.list(result["errors"]).isEmpty
  }
}
