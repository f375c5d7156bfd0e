import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON
import ApusSecrets

/// A short excerpt of a body that is not a result, for one line of a terminal.
struct Excerpt {
  private static let limit = 200

  let text: String
  /// Whether the text is the message in a JSON body.
  let isMessage: Bool

  init(body: [UInt8], type: MediaType) {
    let body = body.prefix(64 << 10)
    let first = body.first { !$0.isWhiteSpace }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || first == UInt8(ascii: "\""),
      let document = try? JSONDocument(parsing: Array(body)), let message = Self.message(in: document.root)
    {
      text = SingleLineText.line(message, limit: Self.limit)
      isMessage = true
      return
    }
    isMessage = false
    let source = String(decoding: body, as: UTF8.self)
    let isHTML = type.name.contains("html") || BodyLikeness(body) == .page
    text = SingleLineText.line(isHTML ? HTMLText.summary(of: source) : source, limit: Self.limit)
  }

  /// The members that commonly hold a message, best first.
  private static let messageKeys = [
    "message", "error_description", "error", "detail", "title", "errormessage", "error_message", "msg", "reason",
    "faultstring", "fault",
  ]

  /// Returns the error message in a JSON body, at the places that servers commonly use:
  /// `{"error": {"message": "Not found"}}`.
  private static func message(in json: JSONValue, depth: Int = 0) -> String? {
    if let text = json.string { return text }
    guard depth < 3 else { return nil }
    if json.kind == .array {
      let messages = json.elements.compactMap { message(in: $0, depth: depth + 1) }
      return messages.isEmpty ? nil : messages.joined(separator: "; ")
    }
    if let errors = json["errors"], errors.kind == .array, let text = message(in: errors, depth: depth + 1) {
      return text
    }
    let members = json.members.map { (key: $0.key.lowercased(), value: $0.value) }
    for key in messageKeys {
      guard let value = members.first(where: { $0.key == key })?.value else { continue }
      if let text = message(in: value, depth: depth + 1), !text.isEmpty { return text }
    }
    return nil
  }
}
