import ApusGraphQLLanguage

/// The reason why a symbol cannot be renamed.
package enum RenameError: Error, Sendable, Equatable, CustomStringConvertible {
  case nothingHere
  /// The name is defined by the schema, outside the documents.
  case schemaName(String)
  case notAName(String)
  /// GraphQL does not allow the name here.
  case reserved(String)
  /// Another symbol of the same kind has the name.
  case taken(String)
  /// The edited document would violate a validation rule.
  case invalid(String, message: String)

  package var description: String {
    switch self {
    case .nothingHere: "There is no symbol to rename here."
    case .schemaName(let name): "\"\(name)\" is defined by the schema: use an alias instead."
    case .notAName(let text): "\"\(text)\" is not a valid name: use letters, digits and _, but no leading digit."
    case .reserved(let name): "\"\(name)\" is reserved by GraphQL."
    case .taken(let name): "\"\(name)\" is already used in this document."
    case .invalid(let name, let message): "With the name \"\(name)\" the document would not be valid: \(message)"
    }
  }
}

extension LanguageService {
  /// Returns the symbol at a byte offset if it can be renamed: an operation, a fragment, a variable, an alias, or a schema
  /// element that the document defines.
  package func renamable(at offset: Int) throws(RenameError) -> Occurrence {
    try RenameScope([document], schema: schema).renamable(at: offset)
  }

  /// Returns the edits that rename the symbol at a byte offset in the whole document.
  package func rename(at offset: Int, to name: String) throws(RenameError) -> [TextEdit] {
    try RenameScope([document], schema: schema).rename(at: offset, to: name)[0]
  }
}
