import ApusClientRequests
import ApusJSON

/// Import of Insomnia's exports, in which every resource refers to its parent.
///
/// Source: Insomnia's export format 4 (JSON).
extension ImportedCollection {
  mutating func readInsomnia(_ root: JSONValue) {
    var resources: [String: JSONValue] = [:]
    let all = root["resources"]?.elements.map { $0 } ?? []
    for resource in all { if let id = resource["_id"]?.string { resources[id] = resource } }
    for resource in all {
      let folders = Self.groups(above: resource, resources)
      let name = resource["name"]?.string ?? "request"
      switch resource["_type"]?.string {
      case "request": readRequest(resource, named: name, in: folders)
      case "environment": readEnvironment(resource, isBase: resources[Self.parent(resource)]?.isEnvironment != true)
      case "request_group": noteGroup(resource, at: ImportedRequest.title(folders.map(\.name), name))
      // Workspaces contain the other resources, and cookie jars are not imported.
      case "workspace", "cookie_jar", nil: break
      case let type? where type.hasSuffix("_request"):
        skip(ImportedRequest.title(folders.map(\.name), name), "a resource of the type '\(type)'")
      case let type?:
        leftOut.append("\(ImportedRequest.title(folders.map(\.name), name)): a resource of the type '\(type)'")
      }
    }
  }

  private static func parent(_ resource: JSONValue) -> String { resource["parentId"]?.string ?? "" }

  /// Returns the folders that contain a resource, outermost first.
  private static func groups(
    above resource: JSONValue, _ resources: [String: JSONValue]
  ) -> [(name: String, group: JSONValue)] {
    var groups: [(name: String, group: JSONValue)] = []
    var id = parent(resource)
    // The limit prevents an endless loop in a file with circular references.
    while groups.count < 32, let group = resources[id], group["_type"]?.string == "request_group" {
      groups.insert((group["name"]?.string ?? "folder", group), at: 0)
      id = parent(group)
    }
    return groups
  }

  private mutating func readRequest(
    _ resource: JSONValue, named name: String, in groups: [(name: String, group: JSONValue)]
  ) {
    let folders = groups.map(\.name)
    let place = ImportedRequest.title(folders, name)
    var given = ImportedHeaders()
    for holder in groups.map(\.group) + [resource] {
      for header in (holder["headers"]?.elements.map { $0 } ?? []).prefix(ImportedHeaders.limit)
      where header["disabled"]?.bool != true {
        let name = header["name"]?.string ?? ""
        if !name.isEmpty { given.set(name, plain(header["value"]?.string ?? "", at: place)) }
      }
    }
    let variables = (resource["pathParameters"]?.elements.map { $0 } ?? []).map { parameter in
      (name: parameter["name"]?.string ?? "", value: plain(parameter["value"]?.string ?? "", at: place))
    }
    var request = ImportedHTTPRequest(
      url: PathVariables.filled(plain(resource["url"]?.string ?? "", at: place), variables))
    request.folders = folders
    request.name = name
    request.notes = resource["description"]?.string ?? ""
    request.headers = given.all
    let holders = [resource] + groups.reversed().map(\.group)
    if let authentication = holders.compactMap({ $0["authentication"] }).first(where: {
      ![nil, "", "inherit"].contains($0["type"]?.string)
    }),
      authentication["disabled"]?.bool != true
    {
      let texts = authentication.members.prefix(ImportedHeaders.limit).map {
        ($0.key, plain($0.value.string ?? "", at: place))
      }
      let given = Dictionary(texts, uniquingKeysWith: { first, _ in first })
      let header = header(ofAuthentication: given["type"] ?? "", at: place) { given[$0] }
      if let header { request.headers.append(header) }
    }
    var query: [String] = []
    for parameter in resource["parameters"]?.elements.map({ $0 }) ?? [] where parameter["disabled"]?.bool != true {
      guard let name = parameter["name"]?.string, !name.isEmpty else { continue }
      query.append("\(name)=\(plain(parameter["value"]?.string ?? "", at: place))")
    }
    if !query.isEmpty { request.url += (request.url.contains("?") ? "&" : "?") + query.joined(separator: "&") }
    for script in ["preRequestScript", "afterResponseScript"] where resource[script]?.string?.isEmpty == false {
      leftOut.append("\(place): a script (\(script))")
    }
    let body = resource["body"]
    if body?["fileName"]?.string?.isEmpty == false { leftOut.append("\(place): a body from a file") }
    request.body = plain(body?["text"]?.string ?? "", at: place)
    let fields = (body?["params"]?.elements.filter { $0["disabled"]?.bool != true } ?? []).map { field in
      let isFile = field["type"]?.string == "file"
      let value = isFile ? field["fileName"]?.string ?? "" : plain(field["value"]?.string ?? "", at: place)
      return (name: field["name"]?.string ?? "", value: isFile ? .file(value) : MultipartForm.Value.text(value))
    }
    if request.body.isEmpty, !fields.isEmpty { request.body = MultipartForm(fields).body(&request.leftOut) }
    add(request)
  }

  /// Reads an environment. The base environment applies to all requests; its sub-environments add values.
  private mutating func readEnvironment(_ resource: JSONValue, isBase: Bool) {
    var found: [Value] = []
    func read(_ value: JSONValue, _ name: String) {
      if value.kind == .object {
        for (key, member) in value.members { read(member, name.isEmpty ? key : "\(name).\(key)") }
      } else if !value.isNull {
        found.append(Value(name: name, text: plain(value.string ?? JSONWriter.compact(value), at: "an environment")))
      }
    }
    read(resource["data"] ?? .object([]), "")
    if isBase {
      values += found
    } else {
      environments.append(Environment(name: resource["name"]?.string ?? "environment", values: found))
    }
  }

  private mutating func noteGroup(_ resource: JSONValue, at place: String) {
    if (resource["environment"]?.count ?? 0) > 0 { leftOut.append("\(place): the folder's own environment") }
  }

  /// Returns text with `{{name}}` in place of `{{ _.name }}`. A template tag, which only Insomnia can evaluate, is replaced
  /// by a variable with its name.
  private mutating func plain(_ text: String, at place: String) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "{%"), let close = rest[open.upperBound...].firstRange(of: "%}") {
      let tag = rest[open.upperBound..<close.lowerBound].drop { $0 == " " || $0 == "-" }.prefix {
        $0.isLetter || $0 == "_"
      }
      leftOut.append("\(place): the template tag '\(tag)'")
      result += "\(rest[..<open.lowerBound]){{\(tag)}}"
      rest = rest[close.upperBound...]
    }
    return ImportTemplate(result + rest).renamed { name in
      // A filter, which changes the value, is not supported and removed.
      let name = name.prefix { $0 != "|" }
      return String(name.hasPrefix("_.") ? name.dropFirst(2) : name)
    }
  }
}

extension JSONValue {
  fileprivate var isEnvironment: Bool { self["_type"]?.string == "environment" }
}
