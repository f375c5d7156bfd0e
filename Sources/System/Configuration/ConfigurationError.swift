import ApusSecrets

/// An error in a configuration file, with its location: `config.yml:4:3: 'headers' must be a mapping`.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file as the user named it. Line and column are 0 if the error concerns the whole file.
  package let file: String
  package let line: Int
  package let column: Int
  /// The message: one line without control characters, because it may quote an untrusted file.
  package let message: String

  package init(file: String, at position: YAMLPosition? = nil, _ message: String) {
    self.file = file
    line = position?.line ?? 0
    column = position?.column ?? 0
    self.message = visible(message)
  }

  /// The form `file:line:column: message`, which editors can parse.
  package var description: String {
    line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
  }
}
