import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes

/// Splits a body of parts or events while its bytes arrive.
///
/// Both readers are mutated in place, because copying the received bytes of a large part on each read would be slow.
package struct PartSplitter {
  /// One of the two is set.
  private var multipart: MultipartReader?
  private var events: ServerSentEventReader?
  /// Whether the server announced that no more events follow.
  private var isComplete = false

  /// Creates a reader for a content type; nil for a body without parts.
  package init?(_ type: MediaType) {
    if type.isMultipart {
      multipart = MultipartReader(boundary: type.boundary)
    } else if type.isEventStream {
      events = ServerSentEventReader()
    } else {
      return nil
    }
  }

  /// Whether the last part has arrived.
  package var isClosed: Bool { multipart?.isClosed ?? isComplete }

  /// Returns the parts that are complete.
  package mutating func receive(_ bytes: [UInt8]) throws(MultipartError) -> [(headers: HTTPHeaders, body: [UInt8])] {
    if let parts = try multipart?.receive(bytes) { return parts.map(Self.split) }
    var parts: [(headers: HTTPHeaders, body: [UInt8])] = []
    for event in try events?.receive(bytes) ?? [] where !isComplete {
      if event.name == "complete" { isComplete = true }
      // No protocol defines this event, but some servers report errors with it.
      if event.name == "error" {
        throw .errorEvent(Excerpt(body: event.data, type: MediaType(parsing: "application/json")).text)
      }
      // Events with other names are ignored. Events without data are heartbeats.
      guard event.name == "next" || event.name == "message", !event.data.isEmpty else { continue }
      parts.append((["event": event.name], event.data))
    }
    return parts
  }

  /// Returns the text after the last delimiter as a part.
  package mutating func finish() -> (headers: HTTPHeaders, body: [UInt8])? {
    multipart?.finish().map(Self.split)
  }

  private static func split(_ part: MultipartPart) -> (headers: HTTPHeaders, body: [UInt8]) {
    (HTTPHeaders(part.headers.map { .init(name: $0.name, value: $0.value) }), part.body)
  }
}
