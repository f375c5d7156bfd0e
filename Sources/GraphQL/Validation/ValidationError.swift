import ApusGraphQLLanguage

/// A violation of a rule, with its locations: `Cannot query field "nmae" on type "Bird".`
package struct ValidationError: Sendable, Equatable, CustomStringConvertible {
  /// The name of the rule in the reference implementation.
  package let rule: String
  package let message: String
  /// Start locations of the nodes, each in its own document.
  package let locations: [SourceLocation]
  /// Byte ranges of the nodes.
  package let ranges: [Range<Int>]
  /// Names of the documents of the locations.
  package let sources: [String]
  /// A suggested fix.
  package let suggestion: Suggestion?
  /// A sentence about the cause that the reference implementation does not have; empty if there is none.
  package let note: String

  package init(
    rule: String, message: String, locations: [SourceLocation], ranges: [Range<Int>], sources: [String],
    suggestion: Suggestion? = nil, note: String = ""
  ) {
    self.rule = rule
    self.message = message
    self.locations = locations
    self.ranges = ranges
    self.sources = sources
    self.suggestion = suggestion
    self.note = note
  }

  /// The message with the note.
  package var fullMessage: String { note.isEmpty ? message : "\(message) \(note)" }

  package var description: String {
    let places = locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")
    return "\(places) \(message)"
  }
}
