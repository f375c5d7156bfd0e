import ApusClientNetwork
import ApusJSON

/// A file uploaded with an operation, by the GraphQL multipart request specification.
public struct GraphQLFile: Sendable, Hashable {
  /// The content of a file.
  public enum Content: Sendable, Hashable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file that is read while it is sent. `byteCount` is its current size.
    case file(path: String, byteCount: Int)
  }

  /// The path of the file in the variables: `file`, `input.picture`, `files.0`.
  public var variablePath: String
  /// The file name sent to the server.
  public var name: String
  /// The media type sent to the server, such as `image/png`.
  public var contentType: String
  /// The content of the file.
  public var content: Content

  /// The list indices that a path may contain.
  package static let listIndices = 0...9999

  /// Creates a file for a variable. Without a `contentType`, the type follows from the file name's extension;
  /// `application/octet-stream` is the default.
  public init(variablePath: String, name: String, contentType: String? = nil, content: Content) {
    self.variablePath = variablePath
    self.name = name
    self.contentType = contentType ?? Self.contentType(of: name)
    self.content = content
  }

  /// Returns the media type for a file name's extension: `image/png` for `a.png`. Some servers check it.
  static func contentType(of name: String) -> String {
    switch name.lastIndex(of: ".").map({ name[name.index(after: $0)...].lowercased() }) {
    case "txt", "log", "md": "text/plain"
    case "csv": "text/csv"
    case "html", "htm": "text/html"
    case "json": "application/json"
    case "xml": "application/xml"
    case "pdf": "application/pdf"
    case "zip": "application/zip"
    case "gz": "application/gzip"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "svg": "image/svg+xml"
    case "webp": "image/webp"
    case "mp3": "audio/mpeg"
    case "mp4": "video/mp4"
    default: "application/octet-stream"
    }
  }
}

/// The body of a request with files: the operation, the map from files to variables, and the files. The map
/// `{"0":["variables.input.picture"]}` assigns the part `0` to `$input.picture`.
package struct MultipartRequestBody {
  let contentType: String
  let upload: HTTPUpload

  /// Creates the body.
  init(members: [(String, JSONValue)], variables: JSONValue, files: [GraphQLFile]) {
    var random = SystemRandomNumberGenerator()
    let boundary = "apus-\(String(UInt64.random(in: .min ... .max, using: &random), radix: 36))"
    let placed = Self.placingNulls(in: variables, at: files.map(\.variablePath))
    let operations = JSONValue.object(members.filter { $0.0 != "variables" } + [("variables", placed)])
    let map = Self.map(of: files.map(\.variablePath))
    var pieces: [HTTPUpload.Piece] = []
    var text = ""
    for (name, json) in [("operations", operations), ("map", map)] {
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n"
      text += "Content-Type: application/json\r\n\r\n\(JSONWriter.compact(json))\r\n"
    }
    for (index, file) in files.enumerated() {
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(index)\"; "
      text += "filename=\"\(Self.quoted(file.name))\"\r\n"
      text += "Content-Type: \(Self.fieldValue(file.contentType))\r\n\r\n"
      pieces.append(.bytes(Array(text.utf8)))
      text = "\r\n"
      switch file.content {
      case .bytes(let bytes): pieces.append(.bytes(bytes))
      case .file(let path, let count): pieces.append(.file(path: path, byteCount: count))
      }
    }
    pieces.append(.bytes(Array((text + "--\(boundary)--\r\n").utf8)))
    contentType = "multipart/form-data; boundary=\(boundary)"
    upload = HTTPUpload(pieces: pieces)
  }

  /// Returns variables with a null for each file; missing objects and lists are created.
  package static func placingNulls(in variables: JSONValue, at paths: [String]) -> JSONValue {
    paths.reduce(variables) { placeNull(in: $0, at: $1.split(separator: ".").map(String.init)[...]) }
  }

  /// Returns the map from the files, which are named by their numbers, to their places.
  package static func map(of paths: [String]) -> JSONValue {
    .object(paths.enumerated().map { (String($0), .array([JSONValue("variables.\($1)")])) })
  }

  /// Escapes the characters that would end the quotes or the line, as browsers do (WHATWG HTML, multipart form data).
  /// It works on bytes because Swift treats a carriage return and a line feed as one character.
  private static func quoted(_ name: String) -> String {
    var quoted: [UInt8] = []
    for byte in name.utf8 {
      switch byte {
      case 0x0A: quoted += "%0A".utf8
      case 0x0D: quoted += "%0D".utf8
      case UInt8(ascii: "\""): quoted += "%22".utf8
      default: quoted.append(byte)
      }
    }
    return String(decoding: quoted, as: UTF8.self)
  }

  /// Returns the media type, or the default if it contains a control character.
  private static func fieldValue(_ contentType: String) -> String {
    contentType.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? "application/octet-stream" : contentType
  }

  private static func placeNull(in value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
    guard let first = path.first else { return .null }
    // Other numbers are treated as member names, which the server then rejects.
    if let index = Int(first), GraphQLFile.listIndices.contains(index), value.kind == .array || value.isNull {
      var elements = value.elements.map { $0 }
      while elements.count <= index { elements.append(.null) }
      elements[index] = placeNull(in: elements[index], at: path.dropFirst())
      return .array(elements)
    }
    var members = value.kind == .object ? value.members.map { ($0.key, $0.value) } : []
    let index = members.firstIndex { $0.0 == first }
    let changed = placeNull(in: index.map { members[$0].1 } ?? .null, at: path.dropFirst())
    if let index { members[index].1 = changed } else { members.append((first, changed)) }
    return .object(members)
  }
}
