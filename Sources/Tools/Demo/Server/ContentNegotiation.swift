import ApusAlgorithms
import ApusGraphQLExecution
import ApusGraphQLMediaTypes

/// The media types that a client accepts.
struct ContentNegotiation: Equatable {
  /// The media type of a single JSON response; nil if the client accepts only multipart.
  var json: String?
  /// The incremental format; nil if the client accepts none.
  var incremental: IncrementalFormat?
  /// The format of a subscription's events; nil if the client accepts none.
  var subscription: SubscriptionStream?

  /// Creates a negotiation; nil if the server supports none of the accepted types.
  init?(accept: String?) {
    let ranges = MediaRange.list(in: accept ?? "*/*")
    for range in ranges where range.type == "multipart/mixed" && incremental == nil {
      incremental = IncrementalFormat.allCases.first { format in
        range.parameters.contains { $0.name == format.parameter.lowercased() && $0.value == format.rawValue }
      }
      // Clients that name no specification are older ones.
      if incremental == nil, !range.parameters.contains(where: { $0.name.hasSuffix("spec") }) {
        incremental = .defer20220824
      }
    }
    for range in ranges where subscription == nil {
      switch range.type {
      case "text/event-stream": subscription = .events
      case "multipart/mixed" where range.parameters.contains { $0.name == "subscriptionspec" }:
        subscription = .multipart
      default: break
      }
    }
    for range in ranges where json == nil {
      switch range.type {
      case GraphQLMediaType.response: json = GraphQLMediaType.response
      case GraphQLMediaType.json, "application/*", "*/*": json = GraphQLMediaType.json
      default: break
      }
    }
    // The client prefers a single response.
    let isSinglePreferred = ranges.contains { range in
      Self.isJSON(range) && !ranges.contains { $0.type == "multipart/mixed" && $0.quality >= range.quality }
    }
    if isSinglePreferred { incremental = nil }
    if json == nil, incremental == nil, subscription == nil { return nil }
  }

  private static func isJSON(_ range: MediaRange) -> Bool {
    [GraphQLMediaType.response, GraphQLMediaType.json, "application/*", "*/*"].contains(range.type)
  }
}

/// An entry of an Accept header: `multipart/mixed;incrementalSpec=v0.2;q=0.9`.
struct MediaRange: Equatable {
  struct Parameter: Equatable {
    var name: String
    var value: String
  }

  var type: String
  var parameters: [Parameter]
  var quality: Double

  /// Returns the entries sorted by quality, in a stable order.
  static func list(in header: String) -> [MediaRange] {
    let ranges = split(header, at: ",").compactMap { entry -> MediaRange? in
      let parts = split(entry, at: ";")
      guard let type = parts.first, type.contains("/") else { return nil }
      var range = MediaRange(type: type.lowercased(), parameters: [], quality: 1)
      for part in parts.dropFirst() {
        let pair = part.split(separator: "=", maxSplits: 1).map {
          String($0.trimming(while: isBlank))
        }
        guard pair.count == 2 else { continue }
        let value = pair[1].hasPrefix("\"") ? String(pair[1].dropFirst().dropLast()) : pair[1]
        if pair[0].lowercased() == "q" {
          range.quality = Double(value) ?? 1
        } else {
          range.parameters.append(Parameter(name: pair[0].lowercased(), value: value))
        }
      }
      return range.quality > 0 ? range : nil
    }
    return ranges.enumerated().sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
      .map(\.element)
  }

  private static func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }

  /// Splits text outside of quotes.
  private static func split(_ text: String, at separator: Character) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == separator, !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map { String($0.trimming(while: isBlank)) }.filter { !$0.isEmpty }
  }
}
