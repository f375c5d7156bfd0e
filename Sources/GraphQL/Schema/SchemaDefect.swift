import GraphQLLanguage

/// What keeps a schema from being valid, though not from being used.
package struct SchemaDefect: Sendable, Hashable, CustomStringConvertible {
  package let message: String
  /// The name of the document it is in.
  package let sourceName: String
  package let location: SourceLocation

  package init(message: String, sourceName: String, location: SourceLocation) {
    self.message = message
    self.sourceName = sourceName
    self.location = location
  }

  package var description: String { "\(sourceName):\(location.line):\(location.column): \(message)" }
}
