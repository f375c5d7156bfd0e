import ApusClientAPI
import ApusJSON

/// Decides whether a subscription's response that ended in good order without `complete`, or without its closing delimiter,
/// was the end of the subscription. If it was not, the connection is lost.
struct EventStreamEnding {
  private var last: ResponsePart?
  /// Whether an event was called `next`, as in GraphQL over SSE, whose servers send `complete` too.
  private var hasNamedEvents = false

  mutating func receive(_ part: ResponsePart) {
    last = part
    if part.headers["event"] == "next" { hasNamedEvents = true }
  }

  /// Servers that do not name their events never send `complete`. A last event that has errors and no data is the server's
  /// refusal of the operation: asked again, it would answer the same.
  var isEnd: Bool {
    guard let last else { return false }
    return !last.isMultipart && !hasNamedEvents || Self.isRefusal(last)
  }

  private static func isRefusal(_ part: ResponsePart) -> Bool {
    guard let json = try? JSONDocument(parsing: part.body).root else { return false }
    let result = json[present: "payload"] ?? json
    return result[present: "data"] == nil && !GraphQLError.list(result["errors"]).isEmpty
  }
}
