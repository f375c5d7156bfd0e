import ApusClientRequests
import ApusJSON

/// Import of Thunder Client's collections, in which folders refer to their parents.
///
/// Source: Thunder Client's export, version 1.2.
extension ImportedCollection {
  mutating func readThunderClient(_ root: JSONValue) {
    var folders: [String: JSONValue] = [:]
    for folder in root["folders"]?.elements.map({ $0 }) ?? [] {
      if let id = folder["_id"]?.string { folders[id] = folder }
    }
    for variable in root["variables"]?.elements.map({ $0 }) ?? root["data"]?.elements.map({ $0 }) ?? [] {
      guard let name = variable["name"]?.string else { continue }
      values.append(
        Value(
          name: name, text: variable["value"]?.string ?? "", isSecret: variable["isSecret"]?.bool ?? false))
    }
    for request in root["requests"]?.elements.map({ $0 }) ?? [] { readThunder(request, folders) }
  }

  private mutating func readThunder(_ item: JSONValue, _ all: [String: JSONValue]) {
    var folders: [JSONValue] = []
    var id = item["containerId"]?.string ?? ""
    // The limit prevents an endless loop in a file with circular references.
    while folders.count < Self.deepest, let folder = all[id] {
      folders.insert(folder, at: 0)
      id = folder["containerId"]?.string ?? ""
    }
    let name = item["name"]?.string ?? "request"
    let names = folders.map { $0["name"]?.string ?? "folder" }
    let place = ImportedRequest.title(names, name)
    var request = ImportedHTTPRequest(
      url: PathVariables.filled(
        item["url"]?.string ?? "", Self.pairs(item["params"]?.elements.filter { $0["isPath"]?.bool == true })))
    (request.folders, request.name, request.method) = (names, name, item["method"]?.string ?? "POST")
    request.headers = Self.pairs(item["headers"]?.elements.map { $0 }).map { Header(name: $0.name, value: $0.value) }
    if let authentication = ([item] + folders.reversed()).compactMap({ $0["auth"] ?? $0["settings"]?["auth"] }).first {
      let kind = authentication["type"]?.string ?? ""
      let members = authentication[kind] ?? authentication
      let header = header(ofAuthentication: kind, at: place) { key in
        if kind == "bearer", key == "token" { return members.string ?? authentication["bearer"]?.string }
        return members[key]?.string
      }
      if let header { request.headers.append(header) }
    }
    let body = item["body"]
    if let graphQL = body?["graphql"], body?["type"]?.string == "graphql" {
      add(
        RequestDraft(query: graphQL["query"]?.string ?? "", variables: graphQL["variables"]?.string ?? ""), of: request)
    } else {
      request.body = body?["raw"]?.string ?? ""
      add(request)
    }
  }

  private static func pairs(_ members: [JSONValue]?) -> [(name: String, value: String)] {
    (members ?? []).prefix(ImportedHeaders.limit).compactMap { member in
      guard let name = member["name"]?.string, !name.isEmpty, member["isDisabled"]?.bool != true else { return nil }
      return (name, member["value"]?.string ?? "")
    }
  }
}
