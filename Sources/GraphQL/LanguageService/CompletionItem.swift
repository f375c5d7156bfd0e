/// Something that may be written at the cursor.
package struct CompletionItem: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case field, argument, type, enumValue, variable, directive, fragment, inputField, keyword
  }

  package let label: String
  package let kind: Kind
  /// The type as GraphQL writes it, such as `[Bird!]!`.
  package var type: String?
  package var documentation: String?
  /// What replaces the word being typed.
  package let insertText: String
  /// Where in `insertText` the cursor goes, in characters from its start; nil for its end.
  package var cursor: Int?
  package var isDeprecated = false
  /// It is in the selection or the arguments already.
  package var isUsed = false
  /// The byte range of the word being typed.
  package var replaces: Range<Int> = 0..<0
}
