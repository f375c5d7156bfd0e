import ApusJSON

/// An error that the server reported in a response.
///
/// Shape and meaning: GraphQL specification, section 7.1 "Errors".
public struct GraphQLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A place in the document that was sent; both count from 1.
  public struct Location: Sendable, Hashable {
    /// The line in the document, from 1.
    public let line: Int
    /// The column in that line, from 1.
    public let column: Int

    /// A place by its line and column, both from 1.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// What went wrong, in the server's words.
  public let message: String
  /// Where in the document; empty when the server does not say.
  public let locations: [Location]
  /// The response path of the field that failed; `nil` when the error is not about one field.
  public let path: ResponsePath?
  /// What the server adds, such as an error code.
  public let extensions: JSONValue?
  /// The error as it was received, with keys that this client does not know; made from the parts when there was none.
  public let json: JSONValue

  /// An error made by hand, for results that do not come from a server; `json` is made of its parts.
  public init(message: String, locations: [Location] = [], path: ResponsePath? = nil, extensions: JSONValue? = nil) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = extensions
    var members: [(String, JSONValue)] = [("message", JSONValue(message))]
    if !locations.isEmpty {
      members.append(
        (
          "locations",
          .array(locations.map { .object([("line", JSONValue($0.line)), ("column", JSONValue($0.column))]) })
        ))
    }
    if let path { members.append(("path", path.json)) }
    if let extensions { members.append(("extensions", extensions)) }
    json = .object(members)
  }

  /// Reads an error of a response. A server that breaks the shape still has its error shown: text instead of an object
  /// is its message, and without a message the whole value is.
  public init(json: JSONValue) {
    message = json["message"]?.string ?? json.string ?? json.description
    locations = (json["locations"]?.elements.map { $0 } ?? []).compactMap { location in
      guard let line = location["line"]?.int, let column = location["column"]?.int else { return nil }
      return Location(line: line, column: column)
    }
    path = json["path"].flatMap { ResponsePath($0) }
    extensions = json["extensions"].flatMap { $0.isNull ? nil : $0 }
    self.json = json
  }

  /// The errors of a response's `errors` entry. What is no list is one error, unless it says nothing: `null`, `false`,
  /// an empty text, an empty object.
  public static func list(_ json: JSONValue?) -> [GraphQLError] {
    guard let json else { return [] }
    switch json.kind {
    case .array: return json.elements.map(GraphQLError.init(json:))
    case .null: return []
    default:
      if json.bool == false || json.string == "" || (json.kind == .object && json.count == 0) { return [] }
      return [GraphQLError(json: json)]
    }
  }

  public var description: String {
    guard let path, !path.components.isEmpty else { return message }
    return "\(message) (at \(path))"
  }
}
