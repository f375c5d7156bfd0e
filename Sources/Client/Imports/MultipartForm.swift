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
    guard let operations = text("operations"), var body = JSONTemplate.parse(operations) else { return fields }
    let map = text("map").flatMap { try? JSONDocument(parsing: $0).root } ?? .object([])
    var files = 0
    for part in parts where part.name != "operations" && part.name != "map" {
      guard case .file(let file) = part.value, let paths = map[part.name], paths.count > 0 else {
        leftOut.append("the form field '\(part.name)' was not imported: the field 'map' does not assign it")
        continue
      }
      for path in paths.elements.compactMap(\.string) {
        files += 1
        // Each file copies the body, so limit their number.
        guard files <= 100 else {
          leftOut.append("the form field '\(part.name)' was not imported: only the first 100 files are imported")
          break
        }
        // The path of a batch starts with the number of the operation.
        let names = path.split(separator: ".").map(String.init)
        let isInVariables = names.first == "variables" || body.kind == .array && names.dropFirst().first == "variables"
        guard names.count > 1, isInVariables else {
          leftOut.append("the form field '\(part.name)' was not imported: '\(path)' is not the path of a variable")
          continue
        }
        body = Self.setting(JSONValue(file), at: names[...], in: body)
      }
    }
    return JSONTemplate.text(body)
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

  private static func setting(_ value: JSONValue, at names: ArraySlice<String>, in complete: JSONValue) -> JSONValue {
    guard let name = names.first else { return value }
    let rest = names.dropFirst()
    if complete.kind == .array {
      return .array(
        complete.elements.enumerated().map { index, element in
          String(index) == name ? setting(value, at: rest, in: element) : element
        })
    }
    var members = complete.kind == .object ? complete.members.map { ($0.0, $0.1) } : []
    let inner = setting(value, at: rest, in: members.first { $0.0 == name }?.1 ?? .object([]))
    if let index = members.firstIndex(where: { $0.0 == name }) {
      members[index].1 = inner
    } else {
      members.append((name, inner))
    }
    return .object(members)
  }
}

extension MultipartForm {
  /// Reads a body of the type `multipart/form-data`. In an HTTP file, a file is a line such as `< ./a.png`.
  ///
  /// Source: RFC 7578.
  init?(body: String) {
    let lines = body.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.drop { $0.isEmpty }
    guard let boundary = lines.first, boundary.hasPrefix("--"), boundary.utf8.count > 2 else { return nil }
    var parts: [(name: String, value: Value)] = []
    for part in lines.split(whereSeparator: { $0 == boundary || $0 == "\(boundary)--" }) {
      let head = part.prefix { !$0.isEmpty }
      let value = part.dropFirst(head.count + 1)
      guard let disposition = head.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
        let name = Self.attribute("name", of: disposition)
      else { continue }
      if let file = Self.attribute("filename", of: disposition) {
        let path = value.first.flatMap { $0.hasPrefix("< ") ? String($0.dropFirst(2)) : nil }
        parts.append((name, .file(path ?? file)))
      } else {
        parts.append((name, .text(value.joined(separator: "\n"))))
      }
    }
    guard !parts.isEmpty else { return nil }
    self.init(parts)
  }

  private static func attribute(_ name: String, of line: Substring) -> String? {
    for field in line.split(separator: ";").dropFirst() {
      let field = field.drop { $0 == " " }
      guard field.hasPrefix("\(name)=") else { continue }
      let value = field.dropFirst(name.count + 1)
      return value.hasPrefix("\"") ? String(value.dropFirst().prefix { $0 != "\"" }) : String(value)
    }
    return nil
  }
}
