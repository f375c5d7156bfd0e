import ApusJSON

/// A file of a request.
struct UploadedFile: Sendable {
  var name: String
  var contentType: String
  var bytes: [UInt8]
}

/// The parts of a `multipart/form-data` body (RFC 7578), in order.
struct UploadedForm {
  struct Part {
    var name: String
    /// The file name; nil for a part without a file.
    var fileName: String?
    var contentType: String
    var bytes: [UInt8]
  }

  private(set) var parts: [Part] = []

  /// Creates a form; nil if the body is invalid or has no closing delimiter.
  init?(_ body: [UInt8], boundary: String) {
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The body may begin with a delimiter.
    let text = Array("\r\n".utf8) + body
    guard var start = text.firstRange(of: delimiter)?.upperBound else { return nil }
    while !text[start...].starts(with: Array("--".utf8)) {
      guard let end = text[start...].firstRange(of: delimiter), let part = Self.part(text[start..<end.lowerBound])
      else {
        return nil
      }
      parts.append(part)
      start = end.upperBound
    }
  }

  func part(_ name: String) -> Part? { parts.first { $0.name == name } }

  private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    var part = Part(name: "", contentType: "text/plain", bytes: Array(bytes[end.upperBound...]))
    var isNamed = false
    for line in String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      switch line[..<colon].lowercased() {
      case "content-type": part.contentType = String(value)
      case "content-disposition":
        let parameters = MediaRange.list(in: "form-data/\(value)").first?.parameters ?? []
        if let name = parameters.first(where: { $0.name == "name" }) {
          part.name = name.value
          isNamed = true
        }
        part.fileName = parameters.first { $0.name == "filename" }?.value
      default: continue
      }
    }
    return isNamed ? part : nil
  }
}

extension UploadedForm {
  /// The reason why a form is not a GraphQL multipart request.
  struct FormatError: Error {
    var message: String
  }

  /// Returns the request in a form: the JSON of `operations`, with the index of a file at each path in `map`, and the
  /// files (GraphQL multipart request specification). The map `{"0": ["variables.photo"]}` assigns the part `0` to the
  /// variable `photo`.
  func request() throws(FormatError) -> (body: JSONValue, files: [UploadedFile]) {
    var body = try json("operations")
    let map = try json("map")
    guard body.kind == .object, map.kind == .object else {
      throw FormatError(message: "\"operations\" and \"map\" must be JSON objects.")
    }
    var files: [UploadedFile] = []
    for index in 0..<map.count {
      guard let (name, paths) = map.member(at: index), let part = part(name), paths.kind == .array else {
        throw FormatError(
          message: "\"map\" names a part that the request does not have, or its value is not a list of paths.")
      }
      for path in paths.elements {
        let components = (path.string ?? "").split(separator: ".").map(String.init)
        guard components.first == "variables", let changed = body.placing(files.count, at: components[...]) else {
          throw FormatError(message: "\"map\" has a path to no variable that is null: \(path).")
        }
        body = changed
      }
      files.append(UploadedFile(name: part.fileName ?? name, contentType: part.contentType, bytes: part.bytes))
    }
    return (body, files)
  }

  private func json(_ name: String) throws(FormatError) -> JSONValue {
    guard let part = part(name) else { throw FormatError(message: "The form has no part \"\(name)\".") }
    do throws(JSONSyntaxError) {
      return try JSONDocument(parsing: part.bytes).root
    } catch {
      throw FormatError(message: "The part \"\(name)\" is not valid JSON: \(error.message)")
    }
  }
}

extension JSONValue {
  /// Returns the value with the null at a path replaced by a number; nil if there is no null.
  fileprivate func placing(_ number: Int, at path: ArraySlice<String>) -> JSONValue? {
    guard let component = path.first else { return isNull ? JSONValue(number) : nil }
    let rest = path.dropFirst()
    if kind == .array {
      var items = Array(elements)
      guard let index = Int(component), items.indices.contains(index),
        let changed = items[index].placing(number, at: rest)
      else { return nil }
      items[index] = changed
      return .array(items)
    }
    guard kind == .object, let changed = self[component]?.placing(number, at: rest) else { return nil }
    return .object(
      (0..<count).compactMap { member(at: $0) }.map { ($0.key, $0.key == component ? changed : $0.value) })
  }
}
