import JSON

/// Requests and what came back, with the timing: one JSON object a line, each with `event` and `atMs`, and behind the first
/// request with `run`, its number.
///
///     {"event":"request","atMs":0,"url":…,"operationName":…,"query":…,"variables":{…},"page":true}
///     {"event":"head","atMs":12.3,"status":200,"contentType":"multipart/mixed; …","format":…}
///     {"event":"part","atMs":12.5,"payload":{…}}
///     {"event":"state","atMs":…,"state":"reconnecting","reason":…}
///     {"event":"end","atMs":…,"error":…,"exitCode":3}
///
/// No header field but the content type is in it, no query string of the URL, and no text, in the document too, whose name
/// says that it is a secret. A part that is no JSON has its text as `body`; `page` is there only where a pager asked.
package struct Recording: Sendable {
  package enum Event: Sendable {
    case request(url: String, operationName: String?, query: String, variables: JSONValue, isPage: Bool)
    case head(status: Int, contentType: String, format: String?)
    case part([UInt8])
    case state(String, reason: String?)
    case end(error: String?, exitCode: Int)
  }

  package struct Malformed: Error, Sendable, CustomStringConvertible {
    package let line: Int
    package let reason: String
    package var description: String { "line \(line): \(reason)" }
  }

  package private(set) var events: [(elapsed: Duration, run: Int, event: Event)] = []

  /// One line, with its line feed.
  package static func line(_ event: Event, at elapsed: Duration, run: Int = 0) -> [UInt8] {
    let number = run > 0 ? [("run", JSONValue(run))] : []
    return JSONWriter.compactBytes(.object(members(event, elapsed) + number)) + [0x0A]
  }

  /// Reads a recording; events of other kinds, which a later version may write, are passed over.
  package init(parsing text: [UInt8]) throws(Malformed) {
    for (index, line) in text.split(separator: 0x0A).enumerated() {
      let json: JSONValue
      do throws(JSONSyntaxError) {
        json = try JSONDocument(parsing: line).root
      } catch {
        throw Malformed(line: index + 1, reason: "it is not JSON")
      }
      // No request takes the 30 years that a larger number would stand for.
      guard let name = json["event"]?.string, let milliseconds = json["atMs"]?.double, (0...1e12).contains(milliseconds)
      else { throw Malformed(line: index + 1, reason: "it has no event with a time") }
      if let event = Self.event(name, json) {
        events.append((.milliseconds(milliseconds), json["run"]?.int ?? 0, event))
      }
    }
    guard case .request? = events.first?.event else { throw Malformed(line: 1, reason: "it is not a recorded request") }
  }

  private static func members(_ event: Event, _ elapsed: Duration) -> [(String, JSONValue)] {
    func head(_ name: String) -> [(String, JSONValue)] {
      [("event", JSONValue(name)), ("atMs", elapsed.roundedMilliseconds)]
    }
    switch event {
    case .request(let url, let name, let query, let variables, let isPage):
      return head("request") + [
        ("url", JSONValue(url)), ("operationName", name.map { JSONValue($0) } ?? .null),
        ("query", JSONValue(Secrets.hidden(inDocument: query))),
        ("variables", Secrets.hidden(in: variables)),
      ] + (isPage ? [("page", true)] : [])
    case .head(let status, let contentType, let format):
      return head("head") + [("status", JSONValue(status)), ("contentType", JSONValue(contentType))]
        + (format.map { [("format", JSONValue($0))] } ?? [])
    case .part(let body):
      guard let payload = try? JSONDocument(parsing: body).root else {
        return head("part") + [("body", JSONValue(String(decoding: body, as: UTF8.self)))]
      }
      return head("part") + [("payload", Secrets.hidden(in: payload))]
    case .state(let state, let reason):
      return head("state") + [("state", JSONValue(state))] + (reason.map { [("reason", JSONValue($0))] } ?? [])
    case .end(let error, let exitCode):
      return head("end") + (error.map { [("error", JSONValue($0))] } ?? []) + [("exitCode", JSONValue(exitCode))]
    }
  }

  private static func event(_ name: String, _ json: JSONValue) -> Event? {
    switch name {
    case "request":
      return .request(
        url: json["url"]?.string ?? "", operationName: json["operationName"]?.string,
        query: json["query"]?.string ?? "", variables: json["variables"] ?? .object([]),
        isPage: json["page"]?.bool ?? false)
    case "head":
      return .head(
        status: json["status"]?.int ?? 200, contentType: json["contentType"]?.string ?? "",
        format: json["format"]?.string)
    case "part":
      return .part(json["payload"].map { JSONWriter.compactBytes($0) } ?? Array((json["body"]?.string ?? "").utf8))
    case "state": return .state(json["state"]?.string ?? "", reason: json["reason"]?.string)
    case "end": return .end(error: json["error"]?.string, exitCode: json["exitCode"]?.int ?? 0)
    default: return nil
    }
  }
}

/// Texts that must not be kept, known by the names of their members.
package enum Secrets {
  private static let names = [
    "password", "passwd", "passphrase", "secret", "token", "apikey", "api_key", "authorization", "credential", "cookie",
  ]

  /// The value with every such text replaced; the value itself when there is none.
  package static func hidden(in value: JSONValue) -> JSONValue {
    switch value.kind {
    case .object:
      guard isPresent(in: value) else { return value }
      return .object(
        value.members.map { ($0.key, isSecret($0.key) && $0.value.kind == .string ? "•••" : hidden(in: $0.value)) })
    case .array:
      guard isPresent(in: value) else { return value }
      return .array(value.elements.map(hidden))
    default: return value
    }
  }

  /// The document with every such text replaced: what stands behind `password:` as a literal.
  package static func hidden(inDocument text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    /// The name that stands before the colon that was read last, as long as nothing but blanks has followed.
    var name: ArraySlice<UInt8> = []
    var hasColon = false
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let isBlock = bytes[index...].starts(with: [0x22, 0x22, 0x22])
        let quotes = isBlock ? 3 : 1
        index += quotes
        while index < bytes.count, !bytes[index...].starts(with: Array(repeating: 0x22, count: quotes)) {
          if !isBlock, bytes[index] == 0x0A { break }
          // In a block only the three quotes are escaped.
          let isEscape = bytes[index] == 0x5C && (!isBlock || bytes[(index + 1)...].starts(with: [0x22, 0x22, 0x22]))
          index += isEscape ? (isBlock ? 4 : 2) : 1
        }
        index = min(bytes.count, index + quotes)
        let isSecret = hasColon && isSecret(String(decoding: name, as: UTF8.self))
        result += isSecret ? Array("\"•••\"".utf8) : Array(bytes[start..<index])
        (name, hasColon) = ([], false)
      case UInt8(ascii: "#"):
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        result += bytes[start..<index]
      case UInt8(ascii: ":"):
        hasColon = !name.isEmpty
        result.append(bytes[index])
        index += 1
      case 0x09, 0x0A, 0x0D, 0x20, UInt8(ascii: ","):
        result.append(bytes[index])
        index += 1
      default:
        while index < bytes.count, Self.isNamePart(bytes[index]) { index += 1 }
        (name, hasColon) = (bytes[start..<index], false)
        if index == start { index += 1 }
        result += bytes[start..<index]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
  }

  package static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains { name.contains($0) }
  }

  private static func isPresent(in value: JSONValue) -> Bool {
    switch value.kind {
    case .object: value.members.contains { isSecret($0.key) && $0.value.kind == .string || isPresent(in: $0.value) }
    case .array: value.elements.contains(where: isPresent)
    default: false
    }
  }
}
