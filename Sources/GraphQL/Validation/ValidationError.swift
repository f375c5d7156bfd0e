import ApusGraphQLLanguage

/// What a rule has against a document, and where.
package struct ValidationError: Sendable, Equatable, CustomStringConvertible {
  /// The rule's name in the reference implementation.
  package let rule: String
  package let message: String
  /// Where the nodes at fault begin, each in its own text.
  package let locations: [SourceLocation]
  /// The nodes at fault, in byte offsets.
  package let ranges: [Range<Int>]
  /// The names of the texts that the locations are in.
  package let sources: [String]
  /// What was likely meant.
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
