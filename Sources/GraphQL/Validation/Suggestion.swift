import ApusGraphQLLanguage

/// What was likely meant where an error is, for an editor to offer: the message says the same to people.
package struct Suggestion: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// The names stand in for what is written.
    case replacement
    /// Fields of these types are meant: what is written belongs into an inline fragment on one of them.
    case inlineFragment
  }

  package let kind: Kind
  /// What is written, in byte offsets.
  package let range: Range<Int>
  /// The likeliest first; never empty.
  package let names: [String]

  /// `nil` where there is nothing to propose.
  init?(_ kind: Kind = .replacement, at range: Range<Int>, _ names: [String]) {
    guard !names.isEmpty else { return nil }
    self.kind = kind
    self.range = range
    self.names = Array(names.prefix(Suggestions.maximum))
  }
}
