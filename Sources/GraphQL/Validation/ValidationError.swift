import GraphQLLanguage

/// What a rule has against a document, and where.
package struct ValidationError: Sendable, Hashable, CustomStringConvertible {
  /// The rule's name in the reference implementation.
  package let rule: String
  package let message: String
  /// Where the nodes at fault begin.
  package let locations: [SourceLocation]
  /// The nodes at fault, in byte offsets.
  package let ranges: [Range<Int>]

  package init(rule: String, message: String, locations: [SourceLocation], ranges: [Range<Int>]) {
    self.rule = rule
    self.message = message
    self.locations = locations
    self.ranges = ranges
  }

  package var description: String {
    let places = locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")
    return "\(places) \(message)"
  }
}
