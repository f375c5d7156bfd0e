import ApusExplorerText

/// Names of header fields that GraphQL servers use, and their common values.
enum HeaderCompletion {
  /// The fields, most used first, with values that can be completed.
  private static let fields: [(name: String, values: [String])] = [
    ("Authorization", ["Bearer $TOKEN", "Bearer ", "Basic ", "Basic $CREDENTIALS"]),
    ("Accept-Language", ["en", "en-US", "de", "es", "fr", "ja"]),
    (
      "Accept",
      [
        "application/graphql-response+json", "application/json", "multipart/mixed", "text/event-stream",
      ]
    ),
    ("X-Api-Key", ["$API_KEY"]),
    ("Cookie", ["$COOKIE"]),
    ("Cache-Control", ["no-cache", "no-store", "max-age=0"]),
    ("Apollo-Require-Preflight", ["true"]),
    ("Apollographql-Client-Name", []),
    ("Apollographql-Client-Version", []),
    ("Content-Language", ["en", "en-US", "de", "es", "fr", "ja"]),
    ("GraphQL-Features", []),
    ("GraphQL-Preflight", ["1"]),
    ("Idempotency-Key", []),
    ("If-None-Match", []),
    ("Origin", ["https://", "http://localhost:"]),
    ("Prefer", ["return=minimal", "return=representation"]),
    ("Referer", ["https://", "http://localhost:"]),
    ("Traceparent", []),
    ("Tracestate", []),
    ("User-Agent", []),
    ("X-Apollo-Operation-Name", []),
    ("X-Auth-Token", ["$TOKEN"]),
    ("X-Correlation-ID", []),
    ("X-CSRF-Token", ["$CSRF_TOKEN"]),
    ("X-Forwarded-For", []),
    ("X-GitHub-Api-Version", ["2022-11-28"]),
    ("X-Hasura-Admin-Secret", ["$HASURA_ADMIN_SECRET"]),
    ("X-Hasura-Role", ["admin", "user", "anonymous"]),
    ("X-Hasura-User-Id", []),
    ("X-Request-ID", []),
    ("X-Requested-With", ["XMLHttpRequest"]),
    ("X-Shopify-Access-Token", ["$SHOPIFY_TOKEN"]),
    ("X-Tenant-ID", []),
  ]

  /// Returns the completions at a position of the headers: names that no line has yet, or values for the line's name,
  /// such as `application/json` after `Accept: `.
  static func completions(in text: TextBuffer, at cursor: TextPosition) -> [Completion] {
    let line = text.line(cursor.line)
    let start = line.utf8.prefix { $0 == 0x20 || $0 == 0x09 }.count
    let before = Array(line.utf8.prefix(cursor.column))
    guard start <= before.count, before.dropFirst(start).first != UInt8(ascii: "#") else { return [] }
    if let colon = before.firstIndex(of: UInt8(ascii: ":")) {
      return values(of: String(decoding: before[start..<colon], as: UTF8.self), before, after: colon, cursor)
    }
    let rest = Array(line.utf8.dropFirst(cursor.column))
    let end = cursor.column + rest.prefix { $0.isHeaderNameByte }.count
    let hasColon = rest.drop { $0.isHeaderNameByte }.first == UInt8(ascii: ":")
    let typed = String(decoding: before[start...], as: UTF8.self)
    let used = Set(
      text.lines.indices.filter { $0 != cursor.line }.compactMap { HeaderLine(text.line($0))?.name.lowercased() })
    return matching(fields.map(\.name).filter { !used.contains($0.lowercased()) }, typed).map { name in
      Completion(
        label: name, kind: "header", insertText: hasColon ? name : "\(name): ",
        replaces: TextPosition(cursor.line, start)..<TextPosition(cursor.line, end))
    }
  }

  private static func values(
    of name: String, _ before: [UInt8], after colon: Int, _ cursor: TextPosition
  ) -> [Completion] {
    guard let field = fields.first(where: { $0.name.lowercased() == name.lowercased() }) else { return [] }
    let start = before[(colon + 1)...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? before.count
    let typed = String(decoding: before[start...], as: UTF8.self)
    return matching(field.values, typed).map { value in
      Completion(
        label: value, kind: "value", replaces: TextPosition(cursor.line, start)..<cursor)
    }
  }

  /// Returns the words that begin with the typed text first, then those of which a later part does.
  private static func matching(_ words: [String], _ typed: String) -> [String] {
    let typed = typed.lowercased()
    let beginning = words.filter { $0.lowercased().hasPrefix(typed) }
    let within = words.filter { word in
      !word.lowercased().hasPrefix(typed)
        && word.lowercased().split(separator: "-").contains { $0.hasPrefix(typed) }
    }
    return beginning + within
  }
}

extension UInt8 {
  fileprivate var isHeaderNameByte: Bool { self > 0x20 && self != UInt8(ascii: ":") }
}
