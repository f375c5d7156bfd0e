import ApusGraphQLLanguage

/// The reason why a name cannot be changed.
package enum RenameError: Error, Sendable, Equatable, CustomStringConvertible {
  case nothingHere
  /// The schema defines it, outside the documents.
  case schemaName(String)
  case notAName(String)
  /// GraphQL does not allow the name here.
  case reserved(String)
  /// Another element of the same kind has the name.
  case taken(String)
  /// The edited text would break a rule.
  case invalid(String, message: String)

  package var description: String {
    switch self {
    case .nothingHere: "There is nothing here that has a name."
    case .schemaName(let name): "\"\(name)\" is the schema's name: give the field an alias."
    case .notAName(let text): "\"\(text)\" is not a name: letters, digits and _ are, not beginning with a digit."
    case .reserved(let name): "\"\(name)\" is reserved by GraphQL."
    case .taken(let name): "\"\(name)\" is taken in this document."
    case .invalid(let name, let message): "With the name \"\(name)\" the text would not be valid: \(message)"
    }
  }
}

extension LanguageService {
  /// The name at a byte offset if it can be changed: an operation, a fragment, a variable, an alias, or an element of the
  /// schema that the document defines.
  package func renamable(at offset: Int) throws(RenameError) -> Occurrence {
    try RenameScope([document], schema: schema).renamable(at: offset)
  }

  /// The edits that give the element at a byte offset another name, wherever the document names it.
  package func rename(at offset: Int, to name: String) throws(RenameError) -> [TextEdit] {
    try RenameScope([document], schema: schema).rename(at: offset, to: name)[0]
  }
}
