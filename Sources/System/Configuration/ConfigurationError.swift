import ApusSecrets

/// What is wrong in a file that a person wrote, and where.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file as it was named, and 0 for line and column where the file as a whole is meant.
  package let file: String
  package let line: Int
  package let column: Int
  /// One line without control characters: it may quote a file of others.
  package let message: String

  package init(file: String, at position: YAMLPosition? = nil, _ message: String) {
    self.file = file
    line = position?.line ?? 0
    column = position?.column ?? 0
    self.message = visible(message)
  }

  /// `file:line:column: message`, as editors understand it.
  package var description: String {
    line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
  }
}
