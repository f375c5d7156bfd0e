import ApusFormatting
import ApusASCII
import ApusClientRequests
import ApusJSON
import ApusSecrets

/// Import of HTTP Archive logs of browsers. GraphQL requests are imported without duplicates.
///
/// Source: HTTP Archive 1.2.
extension ImportedCollection {
  /// Headers that browsers add automatically.
  private static let browserHeaders: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-length", "content-type",
    "dnt", "host", "if-none-match", "origin", "pragma", "priority", "referer", "te", "upgrade-insecure-requests",
    "user-agent",
  ]

  mutating func readHAR(_ root: JSONValue) {
    var others = 0
    var dropped: Set<String> = []
    var seen: Set<[String]> = []
    var count = 0
    for entry in root["log"]?["entries"]?.elements.map({ $0 }) ?? [] {
      guard let sent = entry["request"], let url = sent["url"]?.string else { continue }
      var request = ImportedHTTPRequest(url: LiteralBraces.hidden(url))
      for header in (sent["headers"]?.elements.prefix(ImportedHeaders.limit).map { $0 } ?? []) {
        let name = header["name"]?.string ?? ""
        let lowered = name.lowercased()
        if name.hasPrefix(":") || lowered.hasPrefix("sec-") || Self.browserHeaders.contains(lowered) {
          if !name.hasPrefix(":") { dropped.insert(lowered) }
        } else if !name.isEmpty {
          request.headers.append(Header(name: name, value: LiteralBraces.hidden(header["value"]?.string ?? "")))
        }
      }
      let messages = entry["_webSocketMessages"]?.elements.filter { $0["type"]?.string == "send" } ?? []
      if messages.contains(where: Self.hasConnectionPayload) {
        leftOut.append("\(RedactedURL.withoutSecrets(url)): the payload of connection_init (--connection-payload)")
      }
      let bodies = messages.isEmpty ? [Self.body(of: sent)] : messages.compactMap(Self.subscription)
      for body in bodies {
        request.body = LiteralBraces.hidden(body)
        let found = GraphQLContents(of: request)
        for problem in found.problems {
          if problem.hasPrefix(GraphQLContents.notGraphQL) {
            others += 1
          } else {
            skip(RedactedURL.withoutSecrets(url), problem)
          }
        }
        for content in found.contents
        where seen.insert([found.url, content.query.text, content.variables.text]).inserted {
          count += 1
          request.url = found.url
          request.name = content.name ?? "request \(count)"
          add(content, of: request)
        }
      }
    }
    if others > 0 { skipOthers(others) }
    if !dropped.isEmpty {
      leftOut.append("headers that browsers add automatically: \(dropped.sorted().joined(separator: ", "))")
    }
  }

  private mutating func skipOthers(_ count: Int) {
    skip(DisplayFormat.plural(count, "request"), "not GraphQL", count: count)
  }

  /// Returns the body, which some browsers store as form fields.
  private static func body(of sent: JSONValue) -> String {
    if let text = sent["postData"]?["text"]?.string, !text.isEmpty {
      guard sent["postData"]?["encoding"]?.string == "base64", let bytes = Base64.decode(text) else { return text }
      return String(decoding: bytes, as: UTF8.self)
    }
    let fields = sent["postData"]?["params"]?.elements.map { field in
      "\(URLQuery.encode(field["name"]?.string ?? ""))=\(URLQuery.encode(field["value"]?.string ?? ""))"
    }
    return fields?.joined(separator: "&") ?? ""
  }

  private static func hasConnectionPayload(_ message: JSONValue) -> Bool {
    guard let root = message["data"]?.string.flatMap({ try? JSONDocument(parsing: $0).root }) else { return false }
    return root["type"]?.string == "connection_init" && (root["payload"]?.count ?? 0) > 0
  }

  /// Returns the request in a message that starts an operation over a WebSocket, or `nil` for other messages.
  ///
  /// Source: graphql-transport-ws (`subscribe`), and the older graphql-ws of subscriptions-transport-ws (`start`).
  private static func subscription(_ message: JSONValue) -> String? {
    guard let data = message["data"]?.string, let root = try? JSONDocument(parsing: data).root,
      ["subscribe", "start"].contains(root["type"]?.string ?? ""), let payload = root["payload"]
    else { return nil }
    return JSONWriter.compact(payload)
  }
}
