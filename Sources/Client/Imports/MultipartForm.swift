import ApusJSON

/// The parts of a form with file uploads: `operations` is the request body, and `map` assigns the other parts to variables.
///
/// Source: GraphQL multipart request specification.
struct MultipartForm {
  enum Value {
    case text(String)
    /// The path of an uploaded file.
    case file(String)
  }

  private let parts: [(name: String, value: Value)]

  init(_ parts: [(name: String, value: Value)]) { self.parts = parts }

  /// Returns the body as JSON. Each file is replaced by its path, which Apus accepts as the value of an `Upload` variable.
  func body(_ leftOut: inout [String]) -> String {
    guard let operations = text("operations"), let body = JSONTemplate.parse(operations) else { return fields }
    var variables = body["variables"] ?? .object([])
    let map = text("map").flatMap { try? JSONDocument(parsing: $0).root } ?? .object([])
    var files = 0
    for part in parts where part.name != "operations" && part.name != "map" {
      guard case .file(let file) = part.value, let paths = map[part.name], paths.count > 0 else {
        leftOut.append("-F \(part.name)")
        continue
      }
      for path in paths.elements.compactMap(\.string) {
        files += 1
        // Each file copies the variables, so limit their number.
        guard files <= 100 else {
          leftOut.append("-F \(part.name) (only the first 100 files are imported)")
          break
        }
        let names = path.split(separator: ".").map(String.init)
        guard names.count > 1, names[0] == "variables" else {
          leftOut.append("-F \(part.name) (\(path))")
          continue
        }
        variables = Self.setting(JSONValue(file), at: names.dropFirst(), in: variables)
      }
    }
    return JSONTemplate.text(Self.setting(variables, at: ["variables"], in: body))
  }

  /// The form as fields of a URL query, if it has no `operations`.
  private var fields: String {
    parts.map { "\(URLQuery.encode($0.name))=\(URLQuery.encode(value(of: $0.value)))" }.joined(separator: "&")
  }

  private func value(of value: Value) -> String {
    switch value {
    case .text(let text), .file(let text): text
    }
  }

  private func text(_ name: String) -> String? {
    guard case .text(let text)? = parts.first(where: { $0.name == name })?.value else { return nil }
    return text
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
}
