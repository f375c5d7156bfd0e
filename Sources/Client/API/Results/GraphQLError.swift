import ApusJSON

/// An error in a response.
///
/// Source: GraphQL specification, section 7.1 "Errors".
public struct GraphQLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A location in the document.
  public struct Location: Sendable, Hashable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    /// Creates a location from a line and column, both from 1.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The server's message.
  public let message: String
  /// The locations in the document as you wrote it, without the fields that were added for the cache; empty if the
  /// server sends none.
  public let locations: [Location]
  /// The response path of the failed field; `nil` if the error does not concern a single field.
  public let path: ResponsePath?
  /// Additional data from the server, such as an error code.
  public let extensions: JSONValue?
  /// The error as received, including unknown members; built from the other properties for an error created in code.
  public let json: JSONValue

  /// Creates an error for a result that does not come from a server.
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

  /// Parses an error of a response, such as `{"message": "Not found", "path": ["bird"]}`, and tolerates malformed ones:
  /// a string is the message, and an object without a message becomes the message as JSON.
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

  /// Returns the error with its locations in another text.
  package func moved(_ place: (Location) -> Location) -> GraphQLError {
    guard !locations.isEmpty else { return self }
    let moved = locations.map(place)
    let list = moved.map { JSONValue.object([("line", JSONValue($0.line)), ("column", JSONValue($0.column))]) }
    return GraphQLError(
      json: .object(json.members.map { ($0.key, $0.key == "locations" ? .array(list) : $0.value) }))
  }

  /// Parses the `errors` entry of a response. A value that is not a list is a single error, unless it is empty: `null`,
  /// `false`, an empty string or an empty object.
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
