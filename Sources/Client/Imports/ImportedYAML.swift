import ApusConfiguration
import ApusJSON

/// Collections in YAML.
enum ImportedYAML {
  /// Returns whether text is an Insomnia 5 collection or an OpenCollection file.
  static func isOne(_ text: String, named name: String) -> Bool {
    if name.hasSuffix(".yml") || name.hasSuffix(".yaml") { return true }
    let start = text.prefix(4096).split(whereSeparator: \.isNewline)
    return start.contains { $0.hasPrefix("opencollection:") || $0.hasPrefix("type:") && $0.contains("insomnia.rest/") }
  }

  /// Returns whether YAML is a file of an OpenCollection: a collection, a folder, a request or an environment.
  static func isOpenCollection(_ root: JSONValue, path: String) -> Bool {
    let isEnvironment = path.split(separator: "/").dropLast().last == "environments"
    return root["opencollection"] != nil || root["info"]?["type"]?.string != nil || root["http"]?["url"] != nil
      || root["graphql"]?["url"] != nil || isEnvironment && root["variables"]?.kind == .array
  }
}

extension ImportedCollection {
  /// Reads Insomnia's format 5, which has the resources of format 4 as a tree.
  mutating func readInsomnia5(_ root: JSONValue) {
    var resources: [JSONValue] = [["_id": "workspace", "_type": "workspace"]]
    func add(_ item: JSONValue, type: String, in parent: String, _ more: [(String, JSONValue)] = []) -> String {
      let id = "resource \(resources.count)"
      let remaining = item.members.filter { !["_id", "_type", "parentId", "children"].contains($0.key) }
      let members: [(String, JSONValue)] = [
        ("_id", JSONValue(id)), ("_type", JSONValue(type)), ("parentId", JSONValue(parent)),
      ]
      resources.append(.object(members + remaining.map { ($0.key, $0.value) } + more))
      return id
    }
    func addAll(_ items: JSONValue?, in parent: String, depth: Int) {
      for item in items?.elements.map({ $0 }) ?? [] where depth < Self.deepest {
        if let children = item["children"] {
          addAll(children, in: add(item, type: "request_group", in: parent), depth: depth + 1)
        } else {
          let scripts = item["scripts"]?.members.map { ("\($0.key)Script", $0.value) } ?? []
          let description = item["meta"]?["description"].map { [("description", $0)] } ?? []
          _ = add(item, type: Self.type(ofInsomnia5: item), in: parent, scripts + description)
        }
      }
    }
    addAll(root["collection"], in: "workspace", depth: 0)
    let base = root["environments"] ?? .null
    if base.kind == .object {
      let id = add(base, type: "environment", in: "workspace")
      for environment in base["subEnvironments"]?.elements.map({ $0 }) ?? [] {
        _ = add(environment, type: "environment", in: id)
      }
    }
    readInsomnia(["resources": .array(resources)])
  }

  /// Returns the resource type of a request. The prefix of its identifier denotes the protocol: `req_`, `ws-req_`, `greq_`.
  private static func type(ofInsomnia5 item: JSONValue) -> String {
    let id = item["meta"]?["id"]?.string ?? ""
    if id.hasPrefix("ws-") || id.hasPrefix("socketio") { return "websocket_request" }
    return id.hasPrefix("greq") ? "grpc_request" : "request"
  }

  /// Reads an OpenCollection file (Bruno's YAML format): a collection, folder, environment or request. A bundled collection
  /// contains all of them.
  ///
  /// Source: OpenCollection 1.0.
  mutating func readOpenCollection(_ root: JSONValue, path: String) {
    let folders = path.split(separator: "/").dropLast().map(String.init)
    let name = path.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? ""
    if folders.last == "environments" {
      readOpenEnvironment(root, named: name)
    } else if root["opencollection"] != nil {
      guard root["info"]?["type"]?.string != "workspace" else { return }
      readBruno(BrunoFile(openCollection: root), path: (folders + ["collection.yml"]).joined(separator: "/"))
      for environment in root["config"]?["environments"]?.elements.map({ $0 }) ?? [] {
        readOpenEnvironment(environment, named: "environment")
      }
      readOpenItems(root["items"], in: folders)
    } else {
      readBruno(BrunoFile(openCollection: root), path: path)
    }
  }

  private mutating func readOpenItems(_ items: JSONValue?, in folders: [String]) {
    for item in items?.elements.map({ $0 }) ?? [] where folders.count < Self.deepest {
      let name = (item["info"]?["name"]?.string ?? "request").replacing("/", with: "-")
      if let inner = item["items"] {
        readBruno(BrunoFile(openCollection: item), path: (folders + [name, "folder.yml"]).joined(separator: "/"))
        readOpenItems(inner, in: folders + [name])
      } else {
        readBruno(BrunoFile(openCollection: item), path: (folders + ["\(name).yml"]).joined(separator: "/"))
      }
    }
  }

  private mutating func readOpenEnvironment(_ root: JSONValue, named name: String) {
    let values = BrunoFile.openValues(root["variables"])
    environments.append(Environment(name: root["name"]?.string ?? name, values: values))
  }
}

extension BrunoFile {
  /// Converts a request, folder or collection to Bruno's older format.
  init(openCollection root: JSONValue) {
    var blocks: [(name: String, lines: [String], pairs: [(name: String, value: String)])] = []
    func add(_ name: String, _ pairs: [(String, JSONValue?)]) {
      let given = pairs.compactMap { key, value in value.map { (name: key, value: Self.text($0)) } }
      if !given.isEmpty { blocks.append((name, [], given)) }
    }
    func add(_ name: String, text: JSONValue?) {
      guard let text = text.map(Self.text), !text.isEmpty else { return }
      blocks.append(
        (name, text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init), []))
    }
    add("meta", [("name", root["info"]?["name"])])
    let request = root["graphql"] ?? root["http"]
    let holder = request ?? root["request"]
    let authentication = holder?["auth"] ?? root["auth"] ?? root["runtime"]?["auth"]
    let kind = authentication?["type"]?.string ?? authentication?.string ?? "inherit"
    if let request {
      let method = request["method"]?.string?.lowercased() ?? "post"
      add(Self.methods.contains(method) ? method : "post", [("url", request["url"]), ("auth", JSONValue(kind))])
    } else {
      add("auth", [("mode", JSONValue(kind))])
    }
    let headers = holder?["headers"]?.elements.filter { !Self.isOff($0) } ?? []
    add("headers", headers.map { ($0["name"]?.string ?? "", $0["value"]) })
    let parameters = holder?["params"]?.elements.filter { !Self.isOff($0) && $0["type"]?.string == "path" } ?? []
    add("params:path", parameters.map { ($0["name"]?.string ?? "", $0["value"]) })
    // The settings are next to the type, or in an object named after it.
    let members = authentication?[kind] ?? authentication
    add("auth:\(kind)", members?.members.map { ($0.key, $0.value) } ?? [])
    let body = request?["body"]
    add("body:graphql", text: body?["query"] ?? body?["graphql"]?["query"])
    add("body:graphql:vars", text: body?["variables"] ?? body?["graphql"]?["variables"])
    if root["graphql"] == nil { add("body:json", text: body?["data"].map { $0.kind == .array ? .null : $0 }) }
    let values = Self.openValues(holder?["variables"]) + Self.openValues(root["runtime"]?["variables"])
    add("vars", values.filter { !$0.isSecret }.map { ($0.name, JSONValue($0.text)) })
    add("vars:secret", text: JSONValue(values.filter(\.isSecret).map(\.name).joined(separator: "\n")))
    for script in (root["runtime"]?["scripts"] ?? holder?["scripts"])?.elements.prefix(10).map({ $0 }) ?? [] {
      add("script:\(script["type"]?.string ?? "")", text: script["code"] ?? script["script"])
    }
    if (root["runtime"]?["assertions"]?.count ?? 0) > 0 { add("assert", text: "assertions") }
    add("docs", text: root["docs"]?.string.map { JSONValue($0) } ?? root["docs"]?["content"])
    self.init(blocks)
  }

  /// Returns the variables of an environment, folder or request. A value can be an object with a type.
  static func openValues(_ variables: JSONValue?) -> [ImportedCollection.Value] {
    (variables?.elements.filter { !isOff($0) } ?? []).compactMap { variable in
      guard let name = variable["name"]?.string, !name.isEmpty else { return nil }
      let isSecret = variable["secret"]?.bool == true
      let value = variable["value"].map { $0["data"] ?? $0 }.map(text) ?? ""
      return ImportedCollection.Value(name: name, text: isSecret ? "" : value, isSecret: isSecret)
    }
  }

  private static func isOff(_ member: JSONValue) -> Bool {
    member["disabled"]?.bool == true || member["enabled"]?.bool == false
  }

  private static func text(_ value: JSONValue) -> String {
    value.string ?? (value.isNull ? "" : JSONWriter.compact(value))
  }
}
