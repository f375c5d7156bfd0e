import ApusClientAPI
import ApusClientRequestChain
import ApusGraphQLMediaTypes
import ApusJSON
import ApusSecrets

/// A recording of requests and responses with timing, as lines of JSON. Each line has `event` and `atMs`, the time in
/// milliseconds since the start. Lines of all requests except the first also have `run`, the number of the request.
///
///     {"event":"request","atMs":0,"url":…,"operationName":…,"query":…,"variables":{…},"page":true}
///     {"event":"head","atMs":12.3,"status":200,"contentType":"multipart/mixed; …","format":…}
///     {"event":"part","atMs":12.5,"payload":{…}}
///     {"event":"state","atMs":…,"state":"reconnecting","reason":…}
///     {"event":"end","atMs":…,"error":…,"exitCode":3}
///
/// `references` of a request has the places of its secrets: ranges of the query in bytes, and paths in the variables.
///
/// A recording contains no header fields except the content type, no query strings of URLs, and no secrets known to its
/// `Redactor`. A part that is not JSON has its text as `body`. `page` is present only for requests of a pager, and
/// `cachePolicy` only if a query was not simply sent to the network, and `onError` only if the request has that parameter.
package struct Recording: Sendable {
  package enum Event: Sendable {
    /// `references` has the paths of the secrets that were replaced in the variables; `nil` before they are, and in files
    /// that do not list them.
    case request(
      url: String, operationName: String?, query: DraftText, variables: JSONValue, references: [[JSONValue]]?,
      isPage: Bool, cachePolicy: CachePolicy, onError: ErrorBehavior?)
    case head(status: Int, contentType: String, format: String?)
    case part([UInt8])
    case state(String, reason: String?)
    case end(error: String?, exitCode: Int)
  }

  package struct FormatError: Error, Sendable, CustomStringConvertible {
    package let line: Int
    package let reason: String
    package var description: String { "line \(line): \(reason)" }
  }

  /// The first bytes of every recording.
  static let beginning = Array(#"{"event":"request""#.utf8)

  package private(set) var events: [(elapsed: Duration, run: Int, event: Event)] = []

  /// Returns the line of an event, with a line feed; `nil` if it contains a secret that cannot be removed from it.
  package static func line(
    _ event: Event, at elapsed: Duration, run: Int = 0, redactor: Redactor = Redactor()
  ) -> [UInt8]? {
    let number = run > 0 ? [("run", JSONValue(run))] : []
    let isRequest = if case .request = event { true } else { false }
    let bytes = JSONWriter.compactBytes(.object(members(event, elapsed, redactor) + number))
    return redactor.written(bytes, isRequest: isRequest).map { $0 + [0x0A] }
  }

  /// Parses a recording. Unknown events, which a later version may write, are ignored.
  package init(parsing text: [UInt8]) throws(FormatError) {
    for (index, line) in text.split(separator: 0x0A).enumerated() {
      let json: JSONValue
      do throws(JSONSyntaxError) {
        json = try JSONDocument(parsing: line).root
      } catch {
        throw FormatError(line: index + 1, reason: "it is not JSON")
      }
      // The limit is about 30 years.
      guard let name = json["event"]?.string, let milliseconds = json["atMs"]?.double, (0...1e12).contains(milliseconds)
      else { throw FormatError(line: index + 1, reason: "it has no event with a valid time") }
      if let event = Self.event(name, json) {
        events.append((.milliseconds(milliseconds), json["run"]?.int ?? 0, event))
      }
    }
    guard case .request? = events.first?.event else {
      throw FormatError(line: 1, reason: "it is not a recorded request")
    }
  }

  private static func members(_ event: Event, _ elapsed: Duration, _ redactor: Redactor) -> [(String, JSONValue)] {
    func head(_ name: String) -> [(String, JSONValue)] {
      [("event", JSONValue(name)), ("atMs", elapsed.roundedMilliseconds)]
    }
    switch event {
    case .request(let url, let name, let query, let variables, _, let isPage, let policy, let onError):
      let query = redactor.draft(document: query)
      let (variables, references) = redactor.stored(variables)
      var members = head("request")
      members.append(("url", JSONValue(redactor.text(url))))
      members.append(("operationName", name.map { JSONValue(redactor.name($0)) } ?? .null))
      members.append(("query", JSONValue(query.text)))
      members.append(("variables", variables))
      if !query.isComplete || !references.isEmpty {
        let paths = JSONValue.array(references.map { .array($0) })
        members.append(("references", .object([("query", query.json), ("variables", paths)])))
      }
      if isPage { members.append(("page", true)) }
      if policy != .networkOnly { members.append(("cachePolicy", JSONValue(policy.rawValue))) }
      if let onError { members.append(("onError", JSONValue(onError.rawValue))) }
      return members
    case .head(let status, let contentType, let format):
      return head("head") + [("status", JSONValue(status)), ("contentType", JSONValue(redactor.text(contentType)))]
        + (format.map { [("format", JSONValue($0))] } ?? [])
    case .part(let body):
      guard let payload = try? JSONDocument(parsing: body).root else {
        return head("part") + [("body", JSONValue(redactor.text(String(decoding: body, as: UTF8.self))))]
      }
      return head("part") + [("payload", redactor.json(payload, keepsTypes: true))]
    case .state(let state, let reason):
      return head("state") + [("state", JSONValue(state))]
        + (reason.map { [("reason", JSONValue(redactor.text($0)))] } ?? [])
    case .end(let error, let exitCode):
      return head("end") + (error.map { [("error", JSONValue(redactor.text($0)))] } ?? []) + [
        ("exitCode", JSONValue(exitCode))
      ]
    }
  }

  private static func event(_ name: String, _ json: JSONValue) -> Event? {
    switch name {
    case "request":
      let policy: CachePolicy? = json["cachePolicy"]?.string.flatMap { CachePolicy(rawValue: $0) }
      let variables: JSONValue = json["variables"] ?? .object([])
      let text = json["query"]?.string ?? ""
      let places = json["references"]
      let query = places.map { DraftText(text, json: $0["query"]) } ?? Redactor(document: text).stored(document: text)
      return .request(
        url: json["url"]?.string ?? "", operationName: json["operationName"]?.string, query: query,
        variables: variables, references: places.map { $0["variables"]?.elements.map { Array($0.elements) } ?? [] },
        isPage: json["page"]?.bool ?? false, cachePolicy: policy ?? .networkOnly,
        onError: json["onError"]?.string.flatMap { ErrorBehavior(rawValue: $0) })
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
