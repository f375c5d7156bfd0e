import ApusGraphQLLanguage
import ApusJSON

/// An error in a response: a request error without a path, or an execution error of a field.
///
///     {"message": "The bird is gone.", "locations": [{"line": 1, "column": 3}], "path": ["bird"]}
package struct ExecutionError: Error, Sendable {
  /// A location in the document. Line and column start at 1.
  package struct Location: Equatable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  package var message: String
  package var locations: [Location]
  package var path: ResponsePath?
  package var extensions: JSONValue?

  package init(
    _ message: String, locations: [Location] = [], path: ResponsePath? = nil, extensions: JSONValue? = nil
  ) {
    self.message = message
    self.locations = locations
    self.path = path
    self.extensions = extensions
  }

  package init(_ message: String, at nodes: [any SyntaxView]) {
    self.init(message, locations: nodes.map(Location.init))
  }

  package var json: JSONValue {
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
    return .object(members)
  }

  /// Creates an error thrown by a resolver, with the locations of its field.
  init(thrown error: any Error, at nodes: [any SyntaxView]) {
    let locations = nodes.map(Location.init)
    if let error = error as? ExecutionError {
      self = error
      if self.locations.isEmpty { self.locations = locations }
    } else {
      self.init(String(describing: error), locations: locations)
    }
  }
}

extension ExecutionError.Location {
  init(_ node: any SyntaxView) {
    let location = node.document.source.location(at: node.range.lowerBound)
    self.init(line: location.line, column: location.column)
  }
}
