import ApusGraphQLExecution
import ApusJSON

/// Writes the events of a subscription as a streamed HTTP body.
enum SubscriptionStream: String, Sendable, CaseIterable {
  /// `text/event-stream`: GraphQL over SSE, distinct connections mode. An event is `event: next`, a line break and
  /// `data: {…}`.
  case events
  /// `multipart/mixed;subscriptionSpec=1.0`. A message is `{"payload":{"data":{…}}}`.
  case multipart

  var contentType: String {
    switch self {
    case .events: "text/event-stream; charset=utf-8"
    case .multipart: "multipart/mixed; boundary=\"-\"; subscriptionSpec=1.0"
    }
  }

  /// Returns one chunk per event, with heartbeats in quiet periods.
  func chunks(of events: AsyncStream<JSONValue>, heartbeat: Duration) -> AsyncStream<[UInt8]> {
    let (chunks, output) = AsyncStream.makeStream(of: [UInt8].self)
    let task = Task {
      output.yield(opening)
      await withTaskGroup(of: Void.self) { group in
        // The sleep throws when the group is canceled, which ends the loop.
        group.addTask { while (try? await Task.sleep(for: heartbeat)) != nil { output.yield(keepAlive) } }
        for await event in events { output.yield(chunk(event)) }
        group.cancelAll()
      }
      output.yield(ending)
      output.finish()
    }
    output.onTermination = { _ in task.cancel() }
    return chunks
  }

  /// Returns the complete body for a single result: of a query, or of a rejected request.
  func only(_ result: JSONValue) -> [UInt8] { opening + chunk(result) + ending }

  private func chunk(_ result: JSONValue) -> [UInt8] {
    switch self {
    case .events: Array("event: next\ndata: ".utf8) + JSONWriter.compactBytes(result) + Array("\n\n".utf8)
    case .multipart: part(JSONWriter.compactBytes(Self.envelope(result)))
    }
  }

  /// Returns the message with a result. Errors of a failed event stream are outside the payload.
  private static func envelope(_ result: JSONValue) -> JSONValue {
    guard result["data"]?.isNull ?? true, let errors = result["errors"], errors[0]?["path"] == nil else {
      return .object([("payload", result)])
    }
    return .object([("payload", .null), ("errors", errors)])
  }

  private var opening: [UInt8] { Array((self == .events ? ":\n\n" : "\r\n---").utf8) }
  private var keepAlive: [UInt8] { self == .events ? Array(":\n\n".utf8) : part(Array("{}".utf8)) }
  private var ending: [UInt8] { Array((self == .events ? "event: complete\ndata:\n\n" : "--\r\n").utf8) }

  /// Returns the part with the following delimiter, up to where the closing delimiter differs.
  private func part(_ json: [UInt8]) -> [UInt8] {
    Array("\r\nContent-Type: application/json; charset=utf-8\r\n\r\n".utf8) + json + Array("\r\n---".utf8)
  }
}
