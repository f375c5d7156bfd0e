import ApusClientRequests
import ApusJSON

/// Import of Altair's collections (`.agc`), windows (`.agq`) and environments (`.agx`).
///
/// Source: Altair's ExportCollectionState, ExportWindowState and ExportEnvironmentState, version 1.
extension ImportedCollection {
  mutating func readAltair(_ root: JSONValue, type: String) {
    switch type {
    case "window": readWindow(root, folders: [], headers: [])
    case "environment": readEnvironment(root)
    default: readCollection(root, folders: [], headers: [])
    }
  }

  private mutating func readEnvironment(_ root: JSONValue) {
    let variables =
      root["variables"] ?? root["variablesJson"]?.string.flatMap { try? JSONDocument(parsingRelaxed: $0).root }
    let values = (variables?.members.map { $0 } ?? []).map { name, value in
      Value(name: name, text: value.string ?? JSONWriter.compact(value))
    }
    environments.append(Environment(name: root["title"]?.string ?? "environment", values: values))
  }

  private mutating func readCollection(_ collection: JSONValue, folders: [String], headers: [Header]) {
    let headers = Array((headers + Self.headers(of: collection)).prefix(ImportedHeaders.limit))
    let place = folders.last ?? collection["title"]?.string ?? "the collection"
    noteScripts(of: collection, at: place)
    for window in collection["queries"]?.elements.map({ $0 }) ?? [] {
      readWindow(window, folders: folders, headers: headers)
    }
    for inner in collection["collections"]?.elements.map({ $0 }) ?? [] where folders.count < Self.deepest {
      readCollection(inner, folders: folders + [inner["title"]?.string ?? "collection"], headers: headers)
    }
  }

  private mutating func readWindow(_ window: JSONValue, folders: [String], headers inherited: [Header]) {
    let name = window["windowName"]?.string ?? "request"
    let place = ImportedRequest.title(folders, name)
    noteScripts(of: window, at: place)
    let windowHeaders = Self.headers(of: window)
    let names = Set(windowHeaders.map { $0.name.lowercased() })
    let url = window["apiUrl"]?.string ?? ""
    let payload = window["subscriptionConnectionParams"]?.string ?? ""
    if !["", "{}"].contains(payload.filter { !$0.isWhitespace }) {
      leftOut.append("\(place): the connection payload of subscriptions (--connection-payload)")
    }
    var request = ImportedHTTPRequest(url: url)
    request.folders = folders
    request.name = name.isEmpty ? "request" : name
    request.headers = inherited.filter { !names.contains($0.name.lowercased()) } + windowHeaders
    var draft = RequestDraft(query: window["query"]?.string ?? "", variables: window["variables"]?.string ?? "")
    let subscriptionURL = window["subscriptionUrl"]?.string ?? ""
    if subscriptionURL != url { draft.options.subscriptionURL = subscriptionURL }
    add(draft, of: request)
  }

  private static func headers(of holder: JSONValue) -> [Header] {
    (holder["headers"]?.elements.map { $0 } ?? []).compactMap { header in
      guard let name = header["key"]?.string, !name.isEmpty, header["enabled"]?.bool != false else { return nil }
      return Header(name: name, value: header["value"]?.string ?? "")
    }
  }

  private mutating func noteScripts(of holder: JSONValue, at place: String) {
    for when in ["preRequest", "postRequest"] {
      let text = holder["\(when)Script"]?.string ?? holder[when]?["script"]?.string ?? ""
      if !text.allSatisfy(\.isWhitespace) { leftOut.append("\(place): a script (\(when))") }
    }
  }
}
