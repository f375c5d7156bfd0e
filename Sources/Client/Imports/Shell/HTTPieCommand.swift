import ApusClientRequests
import ApusJSON

/// The words of an HTTPie command: `http POST api.example/graphql Authorization:Bearer query='{ a }' variables:='{"n": 2}'`.
///
/// Source: HTTPie's documentation of request items, version 3.
struct HTTPieCommand {
  private(set) var request = ImportedHTTPRequest(url: "")
  private var body: [(String, JSONValue)] = []
  private var raw: String?

  static let names: Set<String> = ["http", "https", "httpie", "xh", "xhs"]

  /// Options with a value that does not change the request.
  private static let withValue: Set<String> = [
    "-o", "--output", "--verify", "--cert", "--cert-key", "--timeout", "--proxy", "--session", "--session-read-only",
    "-s",
    "--style", "--pretty", "-p", "--print", "--max-redirects", "--default-scheme", "--ssl", "--format-options",
  ]

  /// Whether a shell command is one of HTTPie with a URL and an item, and not a word that is also in prose.
  static func isOne(_ command: ShellCommand) -> Bool {
    guard let name = command.words.first?.bytes.map({ String(decoding: $0, as: UTF8.self) }), names.contains(name)
    else {
      return false
    }
    return command.words.dropFirst().contains { word in
      let text = word.template
      return text.contains("://") || text.hasPrefix(":") || text.contains("/") || text.contains("localhost")
    }
  }

  init(program: String, _ words: [String], input: String?) {
    var words = words[...]
    var user: String?
    var kind = "basic"
    var isMethodKnown = false
    while let word = words.popFirst() {
      let (name, inline) = Self.option(word)
      switch name {
      case "-a", "--auth": user = inline ?? words.popFirst()
      case "-A", "--auth-type": kind = inline ?? words.popFirst() ?? kind
      case "--raw": raw = inline ?? words.popFirst()
      case _ where Self.withValue.contains(name): if inline == nil { _ = words.popFirst() }
      case _ where name.hasPrefix("-") && name.count > 1: break
      case _ where request.url.isEmpty && !isMethodKnown && Self.isMethod(word):
        request.method = word
        isMethodKnown = true
      case _ where request.url.isEmpty: request.url = Self.url(word, program)
      case _: read(item: word)
      }
    }
    if let user {
      request.headers.append(
        kind == "bearer"
          ? .init(name: "Authorization", value: "Bearer \(user)", isAuthentication: true) : .basic(user))
    }
    if body.isEmpty { request.body = raw ?? input ?? "" } else { request.body = JSONWriter.compact(.object(body)) }
    if !isMethodKnown { request.method = request.body.isEmpty ? "GET" : "POST" }
  }

  private static func option(_ word: String) -> (name: String, inline: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[equals...].dropFirst()))
  }

  private static func isMethod(_ word: String) -> Bool {
    !word.isEmpty && word.allSatisfy { $0.isASCII && $0.isLetter && $0.isUppercase }
  }

  /// Returns the URL of an address: `:3000/graphql` is on this machine.
  private static func url(_ word: String, _ program: String) -> String {
    if word.contains("://") || word.hasPrefix("{{") { return word }
    let scheme = ["https", "xhs"].contains(program) ? "https" : "http"
    if word.hasPrefix(":") { return "\(scheme)://localhost\(word.dropFirst(word.hasPrefix(":/") ? 1 : 0))" }
    return "\(scheme)://\(word)"
  }

  /// Reads an item: the separator that comes first decides, and the longest one at that place.
  private mutating func read(item: String) {
    let separators = [":=@", "=@", ":=", "==", ":", "=", "@"]
    var rest = item[...]
    while let index = rest.firstIndex(where: { ":=@".contains($0) }) {
      guard let separator = separators.first(where: { rest[index...].hasPrefix($0) }) else { return }
      let name = String(item[..<index])
      let value = String(rest[index...].dropFirst(separator.count))
      switch separator {
      case ":": request.headers.append(.init(name: name, value: value))
      case "==": request.url += (request.url.contains("?") ? "&" : "?") + "\(name)=\(URLQuery.encode(value))"
      case "=": set(name, JSONValue(value))
      case ":=": set(name, JSONTemplate.parse(value) ?? JSONValue(value))
      default: request.leftOut.append("the file of '\(name)\(separator)'")
      }
      rest = ""
    }
  }

  /// Sets a member of the body, which may be nested: `variables[first]`.
  private mutating func set(_ name: String, _ value: JSONValue) {
    let keys = name.split { $0 == "[" || $0 == "]" }.map(String.init)
    guard let first = keys.first else { return }
    let inner = keys.dropFirst().reversed().reduce(value) { .object([($1, $0)]) }
    guard let index = body.firstIndex(where: { $0.0 == first }) else {
      body.append((first, inner))
      return
    }
    body[index].1 = Self.merged(body[index].1, inner)
  }

  private static func merged(_ old: JSONValue, _ new: JSONValue) -> JSONValue {
    guard old.kind == .object, new.kind == .object else { return new }
    var members = old.members.map { ($0.key, $0.value) }
    for (key, value) in new.members {
      if let index = members.firstIndex(where: { $0.0 == key }) {
        members[index].1 = merged(members[index].1, value)
      } else {
        members.append((key, value))
      }
    }
    return .object(members)
  }
}
