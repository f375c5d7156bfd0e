import ApusClientRequests
import ApusJSON

/// Import of Hoppscotch's collections for GraphQL and REST, and of its environments. Variables are `<<name>>`.
///
/// Source: Hoppscotch's collections, versions 1 to 8, and its environments.
extension ImportedCollection {
  /// Returns whether JSON is a collection, an environment, or a list of either.
  static func isHoppscotch(_ root: JSONValue) -> Bool {
    if root.kind == .array {
      return root.elements.first { _ in true }.map { $0.kind == .object && isHoppscotch($0) } ?? false
    }
    let isCollection = root["requests"]?.kind == .array && root["folders"]?.kind == .array && root["v"] != nil
    return isCollection || root["variables"]?.kind == .array && root["name"] != nil && root["v"] != nil
  }

  mutating func readHoppscotch(_ root: JSONValue) {
    for item in root.kind == .array ? root.elements.map({ $0 }) : [root] {
      if item["requests"] != nil {
        readHoppscotch(item, folders: [], headers: [], authentication: nil)
      } else {
        let values = (item["variables"]?.elements.map { $0 } ?? []).compactMap { variable -> Value? in
          guard let name = variable["key"]?.string else { return nil }
          let text = variable["value"]?.string ?? variable["currentValue"]?.string ?? variable["initialValue"]?.string
          return Value(name: name, text: Self.template(text ?? ""), isSecret: variable["secret"]?.bool ?? false)
        }
        environments.append(Environment(name: item["name"]?.string ?? "environment", values: values))
      }
    }
  }

  private mutating func readHoppscotch(
    _ collection: JSONValue, folders: [String], headers: [Header], authentication: JSONValue?
  ) {
    let headers = headers + Self.hoppscotchHeaders(collection)
    let authentication = Self.authentication(collection) ?? authentication
    for request in collection["requests"]?.elements.map({ $0 }) ?? [] {
      read(request, folders: folders, headers: headers, authentication: authentication)
    }
    for folder in collection["folders"]?.elements.map({ $0 }) ?? [] where folders.count < Self.deepest {
      readHoppscotch(
        folder, folders: folders + [folder["name"]?.string ?? "folder"], headers: headers,
        authentication: authentication)
    }
  }

  private mutating func read(_ item: JSONValue, folders: [String], headers: [Header], authentication: JSONValue?) {
    let name = item["name"]?.string ?? "request"
    let place = ImportedRequest.title(folders, name)
    var request = ImportedHTTPRequest(url: Self.template(item["url"]?.string ?? item["endpoint"]?.string ?? ""))
    (request.folders, request.name, request.method) = (folders, name, item["method"]?.string ?? "POST")
    let own = Self.hoppscotchHeaders(item)
    let names = Set(own.map { $0.name.lowercased() })
    request.headers = headers.filter { !names.contains($0.name.lowercased()) } + own
    if let authentication = Self.authentication(item) ?? authentication {
      let kind = (authentication["authType"]?.string ?? "").replacing("-", with: "")
      let header = header(ofAuthentication: kind, at: place) { key in
        authentication[key]?.string.map { Self.template($0) }
      }
      if let header { request.headers.append(header) }
    }
    for script in ["preRequestScript", "testScript"] where item[script]?.string?.allSatisfy(\.isWhitespace) == false {
      leftOut.append("\(place): a script (\(script))")
    }
    if let query = item["query"]?.string {
      add(
        RequestDraft(query: Self.template(query), variables: Self.template(item["variables"]?.string ?? "")),
        of: request)
    } else {
      request.body = Self.template(item["body"]?["body"]?.string ?? "")
      add(request)
    }
  }

  private static func hoppscotchHeaders(_ holder: JSONValue) -> [Header] {
    (holder["headers"]?.elements.map { $0 } ?? []).prefix(ImportedHeaders.limit).compactMap { header in
      guard let name = header["key"]?.string, !name.isEmpty, header["active"]?.bool != false else { return nil }
      return Header(name: name, value: template(header["value"]?.string ?? ""))
    }
  }

  private static func authentication(_ holder: JSONValue) -> JSONValue? {
    guard let found = holder["auth"], found["authActive"]?.bool != false,
      ![nil, "inherit", "none"].contains(found["authType"]?.string)
    else { return nil }
    return found
  }

  /// Returns text with `{{name}}` in place of `<<name>>`.
  private static func template(_ text: String) -> String {
    var result = ""
    var rest = LiteralBraces.hidden(text)[...]
    while let open = rest.firstRange(of: "<<") {
      let name = rest[open.upperBound...].prefix { $0.isLetter || $0.isNumber || "_-.$".contains($0) }
      guard !name.isEmpty, rest[name.endIndex...].hasPrefix(">>") else {
        result += rest[..<open.upperBound]
        rest = rest[open.upperBound...]
        continue
      }
      result += "\(rest[..<open.lowerBound]){{\(name)}}"
      rest = rest[name.endIndex...].dropFirst(2)
    }
    return result + rest
  }
}
