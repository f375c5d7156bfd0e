import ApusGraphQLLanguage

/// A suggested fix for an error, for editors. The message contains the same suggestion for the user.
package struct Suggestion: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// Replace the text by one of the names.
    case replacement
    /// Move the field into an inline fragment on one of these types.
    case inlineFragment
  }

  package let kind: Kind
  /// The byte range of the text.
  package let range: Range<Int>
  /// The suggested names, most likely first; never empty.
  package let names: [String]

  /// Returns `nil` if there are no names.
  init?(_ kind: Kind = .replacement, at range: Range<Int>, _ names: [String]) {
    guard !names.isEmpty else { return nil }
    self.kind = kind
    self.range = range
    self.names = Array(names.prefix(NameSuggestions.maximum))
  }
}
