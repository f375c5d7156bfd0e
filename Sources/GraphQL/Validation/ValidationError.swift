import ApusGraphQLLanguage

/// A violation of a rule, with its locations.
package struct ValidationError: Sendable, Equatable, CustomStringConvertible {
  /// The name of the rule in the reference implementation.
  package let rule: String
  package let message: String
  /// The start locations of the nodes, each in its own document.
  package let locations: [SourceLocation]
  /// The byte ranges of the nodes.
  package let ranges: [Range<Int>]
  /// The names of the documents of the locations.
  package let sources: [String]
  /// A suggested fix.
  package let suggestion: Suggestion?

  package init(
    rule: String, message: String, locations: [SourceLocation], ranges: [Range<Int>], sources: [String],
    suggestion: Suggestion? = nil
  ) {
    self.rule = rule
    self.message = message
    self.locations = locations
    self.ranges = ranges
    self.sources = sources
    self.suggestion = suggestion
  }

  package var description: String {
    let places = locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")
    return "\(places) \(message)"
  }
}
