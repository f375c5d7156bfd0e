import ApusJSON
import ApusSecrets

/// What a browser noted of its requests; those that are GraphQL are taken, the same one once.
///
/// Source: HTTP Archive 1.2.
extension ImportedCollection {
  /// What a browser adds by itself, and whoever runs the request anew does, too.
  private static let browserHeaders: Set<String> = [
    "accept", "accept-encoding", "accept-language", "cache-control", "connection", "content-length", "content-type",
    "dnt", "host", "if-none-match", "origin", "pragma", "priority", "referer", "te", "upgrade-insecure-requests",
    "user-agent",
  ]

  mutating func readHAR(_ root: JSONValue) {
    var others = 0
    var dropped: Set<String> = []
    var seen: Set<[String]> = []
    for entry in root["log"]?["entries"]?.elements.map({ $0 }) ?? [] {
      guard let sent = entry["request"], let url = sent["url"]?.string else { continue }
      var headers: [Header] = []
      for header in sent["headers"]?.elements.map({ $0 }) ?? [] {
        let name = header["name"]?.string ?? ""
        let lowered = name.lowercased()
        if name.hasPrefix(":") || lowered.hasPrefix("sec-") || Self.browserHeaders.contains(lowered) {
          if !name.hasPrefix(":") { dropped.insert(lowered) }
        } else if !name.isEmpty {
          headers.append(Header(name: name, value: header["value"]?.string ?? ""))
        }
      }
      let body = sent["postData"]?["text"]?.string ?? ""
      let type = Header(name: "Content-Type", value: sent["postData"]?["mimeType"]?.string ?? "")
      for part in Self.batch(body) {
        let notes = leftOut.count
        add(folders: [], name: "request", url: url, headers: headers + [type], body: part)
        if leftOut.count > notes {
          leftOut.removeLast()
          if (try? JSONDocument(parsing: part).root)?["extensions"]?["persistedQuery"] != nil {
            leftOut.append("\(ShownURL.withoutSecrets(url)): a persisted query, of which only the hash was sent")
          } else {
            others += 1
          }
        } else if var request = requests.popLast(),
          seen.insert([request.url, request.query, request.variables]).inserted
        {
          request.name = Self.name(of: request, requests.count + 1)
          requests.append(request)
        }
      }
    }
    if others > 0 { leftOut.append("\(others) requests that are no GraphQL") }
    if !dropped.isEmpty { leftOut.append("what a browser adds by itself: \(dropped.sorted().joined(separator: ", "))") }
  }

  /// Some clients send several operations as one list.
  private static func batch(_ body: String) -> [String] {
    guard let root = try? JSONDocument(parsing: body).root, root.kind == .array, root.count > 0 else { return [body] }
    return root.elements.map { JSONWriter.compact($0) }
  }

  /// The operation's name, as the body or the document has it.
  private static func name(of request: Request, _ number: Int) -> String {
    if let name = request.operationName, !name.isEmpty { return name }
    let words = request.query.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    let isNamed = words.count > 1 && ["query", "mutation", "subscription"].contains(words[0])
    return isNamed ? String(words[1]) : "request \(number)"
  }
}
