import ApusDigest
import ApusJSON
import ApusSecrets

extension SharedRequest {
  /// A curl command as browsers and documentation write it. It reads no file: what a pasted text names stays where it is,
  /// and is told.
  init?(curl text: String) {
    let words = ShellWords.split(text)
    guard words.first == "curl" else { return nil }
    let options = CurlOptions(Array(words.dropFirst()))
    guard let given = options.url else { return nil }
    var leftOut = options.leftOut
    var headers = options.headers.map { Header(name: $0.name, foreign: $0.value) }
    // As curl has it, a header that is given goes before what -u makes.
    if options.user != nil, headers.contains(where: { $0.name.lowercased() == "authorization" }) {
      leftOut.append("-u (the header Authorization is sent in its place)")
    } else if let user = options.user {
      let credentials = user.contains(":") ? user : user + ":"
      headers.append(Header(name: "Authorization", foreign: "Basic \(Base64.encode(Array(credentials.utf8)))"))
      if !user.contains(":") { leftOut.append("-u (the password, which curl asks for)") }
    }
    if !options.cookies.isEmpty {
      headers.append(Header(name: "Cookie", foreign: options.cookies.joined(separator: "; ")))
    }
    var data: [String] = []
    for piece in options.data {
      switch piece {
      case .text(let text): data.append(text)
      case .file(let name): leftOut.append("-d @\(name) (the body, which is in that file)")
      }
    }
    var query: [String] = []
    for piece in options.query {
      switch piece {
      case .text(let text): query.append(text)
      case .file(let name): leftOut.append("--url-query @\(name)")
      }
    }
    let url = Self.url(given, adding: query + (options.sendsDataInURL ? data : []))
    let body = options.sendsDataInURL ? "" : data.joined(separator: "&")
    let hasFileBody = options.data.contains { if case .file = $0 { true } else { false } }
    if !options.form.isEmpty {
      guard let request = SharedRequest(url: url, headers: headers, form: options.form, leftOut: &leftOut) else {
        return nil
      }
      self = request
    } else if let request = SharedRequest(url: url, headers: headers, body: body) {
      self = request
    } else if hasFileBody {
      self.init(url: url, headers: Self.kept(headers), query: "")
    } else {
      return nil
    }
    let isGet =
      options.sendsDataInURL || options.method == "GET" || body.isEmpty && options.form.isEmpty && !hasFileBody
    let method = options.method ?? (isGet ? "GET" : "POST")
    if method != "POST" { leftOut.append("\(method) (it is sent with POST)") }
    self.leftOut += leftOut
  }

  private static func url(_ url: String, adding fields: [String]) -> String {
    guard !fields.isEmpty else { return url }
    let fragment = url.firstIndex(of: "#") ?? url.endIndex
    return url[..<fragment] + (url[..<fragment].contains("?") ? "&" : "?") + fields.joined(separator: "&")
      + url[fragment...]
  }

  /// A multipart request: `operations` is the body, `map` says which variables the other parts are. A file becomes its
  /// path, which is what a variable of the type `Upload` holds here.
  ///
  /// Source: GraphQL multipart request specification.
  private init?(url: String, headers: [Header], form: [CurlOptions.FormPart], leftOut: inout [String]) {
    func text(_ name: String) -> String? {
      guard case .text(let text)? = form.first(where: { $0.name == name })?.value else { return nil }
      return text
    }
    guard let operations = text("operations"), let body = try? JSONDocument(parsing: operations).root,
      let query = body["query"]?.string
    else { return nil }
    var variables = body["variables"] ?? .object([])
    let map = text("map").flatMap { try? JSONDocument(parsing: $0).root } ?? .object([])
    var files = 0
    for part in form where part.name != "operations" && part.name != "map" {
      files += 1
      // Each is put into a copy of the variables.
      guard files <= 100 else {
        leftOut.append("-F \(part.name) (of so many, the first 100 are taken)")
        continue
      }
      guard case .file(let path) = part.value, let places = map[part.name], places.count > 0 else {
        leftOut.append("-F \(part.name)")
        continue
      }
      for place in places.elements.compactMap(\.string) {
        let names = place.split(separator: ".").map(String.init)
        guard names.count > 1, names[0] == "variables" else {
          leftOut.append("-F \(part.name) (\(place))")
          continue
        }
        variables = Self.setting(JSONValue(path), at: names.dropFirst(), in: variables)
      }
    }
    self.init(
      url: url, headers: Self.kept(headers), query: query,
      variables: variables.count > 0 ? JSONWriter.pretty(variables) : "", operationName: body["operationName"]?.string)
  }

  private static func setting(_ value: JSONValue, at names: ArraySlice<String>, in whole: JSONValue) -> JSONValue {
    guard let name = names.first else { return value }
    let rest = names.dropFirst()
    if whole.kind == .array {
      return .array(
        whole.elements.enumerated().map { index, element in
          String(index) == name ? setting(value, at: rest, in: element) : element
        })
    }
    var members = whole.kind == .object ? whole.members.map { ($0.0, $0.1) } : []
    let inner = setting(value, at: rest, in: members.first { $0.0 == name }?.1 ?? .object([]))
    if let index = members.firstIndex(where: { $0.0 == name }) {
      members[index].1 = inner
    } else {
      members.append((name, inner))
    }
    return .object(members)
  }

  /// The request for a shell, a line for each part.
  package var curlCommand: String {
    // What would be an option, or a sign of the shell's to whoever reads words, is named as the URL.
    let isPlain = !url.hasPrefix("-") && !CurlOptions.shellSigns.contains(url)
    var lines = [
      "curl \(isPlain ? "" : "--url ")\(ShellWords.quoted(url))", "-H 'Content-Type: application/json'",
    ]
    for header in headers { lines.append("-H \(Self.shellText(header))") }
    lines.append("--data-raw \(ShellWords.quoted(JSONWriter.compact(body)))")
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  /// The same for `apus query`. A cache policy needs a cache to go by: a file in the current folder.
  package var apusCommand: String {
    var lines = ["apus query \(ShellWords.quoted(url))"]
    for header in headers { lines.append("--header \(Self.shellText(header))") }
    if !variables.allSatisfy(\.isWhitespace) {
      let compact = (try? JSONDocument(parsing: variables).root).map { JSONWriter.compact($0) } ?? variables
      lines.append("--variables \(ShellWords.quoted(compact))")
    }
    if !extensions.isEmpty { lines.append("--extensions \(ShellWords.quoted(extensions))") }
    if let operationName { lines.append("--operation \(ShellWords.quoted(operationName))") }
    if let cachePolicy { lines.append("--db apus-cache.sqlite --cache-policy \(cachePolicy)") }
    lines.append("-q \(ShellWords.quoted(query))")
    return lines.joined(separator: " \\\n  ") + "\n"
  }

  /// A value with `$NAME` or `$(command)` in it stays one that the shell fills in; all else is quoted against it.
  private static func shellText(_ header: Header) -> String {
    guard header.value.isLive else { return ShellWords.quoted("\(header.name): \(header.text)") }
    var text = escaped("\(header.name): ")
    for (index, part) in header.value.parts.enumerated() {
      switch part {
      case .text(let plain): text += escaped(plain)
      case .variable(let name):
        var isGlued = false
        if case .text(let next)? = header.value.parts[(index + 1)...].first, let first = next.first {
          isGlued = first.isLetter || first.isNumber || first == "_"
        }
        text += isGlued ? "${\(name)}" : "$\(name)"
      case .command(let command): text += "$(\(command))"
      }
    }
    return "\"\(text)\""
  }

  /// Text between double quotes of a shell.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if "\"\\`$".unicodeScalars.contains(scalar) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
}
