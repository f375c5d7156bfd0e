import ApusFormatting
import ApusClientRequests
import ApusJSON

/// Import of Postman's collections.
///
/// Source: Postman Collection Format 2.1.0, and the JSON format of exported environments.
extension ImportedCollection {
  mutating func readPostman(_ root: JSONValue) {
    values += (root["variable"]?.elements.map { $0 } ?? []).compactMap(Self.postmanValue)
    noteScripts(of: root, at: root["info"]?["name"]?.string ?? "the collection")
    read(items: root["item"], folders: [], authentication: root["auth"])
  }

  mutating func readPostmanEnvironment(_ root: JSONValue) {
    let values = (root["values"]?.elements.map { $0 } ?? []).compactMap(Self.postmanValue)
    environments.append(Environment(name: root["name"]?.string ?? "environment", values: values))
  }

  private static func postmanValue(_ member: JSONValue) -> Value? {
    guard let name = member["key"]?.string ?? member["id"]?.string, !isOff(member) else { return nil }
    return Value(name: name, text: text(member["value"]), isSecret: member["type"]?.string == "secret")
  }

  private static func isOff(_ member: JSONValue) -> Bool {
    member["disabled"]?.bool == true || member["enabled"]?.bool == false
  }

  private static func text(_ value: JSONValue?) -> String {
    guard let value, !value.isNull else { return "" }
    return value.string ?? JSONWriter.compact(value)
  }

  private mutating func read(items: JSONValue?, folders: [String], authentication: JSONValue?) {
    guard let items else { return }
    guard folders.count < Self.deepest else {
      leftOut.append("\(ImportedRequest.title(folders, "")): folders nested more than \(Self.deepest) levels deep")
      return
    }
    for item in items.elements {
      let name = item["name"]?.string ?? "request"
      noteScripts(of: item, at: ImportedRequest.title(folders, name))
      if item["item"] != nil {
        read(items: item["item"], folders: folders + [name], authentication: item["auth"] ?? authentication)
      } else if let request = item["request"] {
        read(request, named: name, folders: folders, authentication: request["auth"] ?? authentication)
        let answers = item["response"]?.count ?? 0
        if answers > 0 {
          leftOut.append("\(ImportedRequest.title(folders, name)): \(DisplayFormat.plural(answers, "saved response"))")
        }
      }
    }
  }

  private mutating func read(
    _ request: JSONValue, named name: String, folders: [String], authentication: JSONValue?
  ) {
    let place = ImportedRequest.title(folders, name)
    let variables = request["url"]?["variable"]?.elements.filter { !Self.isOff($0) } ?? []
    let url = PathVariables.filled(
      request.string ?? Self.url(request["url"]),
      variables.map { (Self.text($0["key"] ?? $0["id"]), Self.text($0["value"])) })
    var headers: [Header] = []
    for header in request["header"]?.elements.map({ $0 }) ?? [] where !Self.isOff(header) {
      headers.append(Header(name: Self.text(header["key"]), value: Self.text(header["value"])))
    }
    // Format 2.0 can have the headers as text.
    for line in (request["header"]?.string ?? "").split(whereSeparator: \.isNewline) {
      if let field = HeaderText(String(line)) { headers.append(Header(name: field.name, value: field.value)) }
    }
    if let authentication, let kind = authentication["type"]?.string {
      let members = authentication[kind]
      let header = header(ofAuthentication: kind, at: place) { key in
        // Format 2.0 has an object instead of the list of format 2.1.
        let found =
          members?.elements.prefix(ImportedHeaders.limit).first { $0["key"]?.string == key }?["value"] ?? members?[key]
        return found.map { Self.text($0) }
      }
      if let header { headers.append(header) }
    }
    var imported = ImportedHTTPRequest(url: url)
    imported.folders = folders
    imported.name = name
    imported.notes = request["description"]?.string ?? request["description"]?["content"]?.string ?? ""
    imported.headers = headers
    let body = request["body"].flatMap { Self.isOff($0) ? nil : $0 }
    switch body?["mode"]?.string {
    case "graphql":
      let graphQL = body?["graphql"]
      let operationName = graphQL?["operationName"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      add(
        RequestDraft(
          query: Self.text(graphQL?["query"]), variables: Self.text(graphQL?["variables"]), operationName: operationName
        ),
        of: imported)
    case "raw":
      imported.body = Self.text(body?["raw"])
      add(imported)
    case let mode? where mode == "urlencoded" || mode == "formdata" && (body?[mode]?.count ?? 0) > 0:
      let fields = (body?[mode]?.elements.map { $0 } ?? []).filter { !Self.isOff($0) }.map { field in
        let file = field["src"].map { $0.string ?? $0.elements.compactMap(\.string).first ?? "" }
        let isFile = field["type"]?.string == "file"
        return (
          name: Self.text(field["key"]),
          value: isFile ? .file(file ?? "") : MultipartForm.Value.text(Self.text(field["value"]))
        )
      }
      imported.body = MultipartForm(fields).body(&imported.leftOut)
      add(imported)
    case nil, "none": add(imported)
    case let mode?: skip(place, "a body of the kind '\(mode)'")
    }
  }

  /// Returns the URL, which is a string, or an object with the parts and possibly the complete URL.
  private static func url(_ url: JSONValue?) -> String {
    guard let url else { return "" }
    if let text = url.string ?? url["raw"]?.string { return text }
    func joined(_ name: String, by separator: String) -> String {
      url[name]?.string ?? url[name]?.elements.compactMap(\.string).joined(separator: separator) ?? ""
    }
    let scheme = url["protocol"]?.string.map { "\($0)://" } ?? ""
    let port = url["port"]?.string.map { ":\($0)" } ?? ""
    let path = joined("path", by: "/")
    return scheme + joined("host", by: ".") + port + (path.isEmpty || path.hasPrefix("/") ? path : "/\(path)")
  }

  private mutating func noteScripts(of item: JSONValue, at place: String) {
    for event in item["event"]?.elements.map({ $0 }) ?? [] {
      let script = event["script"]?["exec"]
      let text = script?.string ?? script?.elements.compactMap(\.string).joined() ?? ""
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      leftOut.append("\(place): a script (\(event["listen"]?.string ?? "of an event"))")
    }
  }
}
