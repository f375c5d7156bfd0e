import ApusGraphQLLanguage

/// Why a name cannot be changed.
package enum RenameError: Error, Sendable, Equatable, CustomStringConvertible {
  case nothingHere
  /// It is the schema's.
  case schemaName(String)
  case notAName(String)
  /// Something of the same sort has the name.
  case taken(String)

  package var description: String {
    switch self {
    case .nothingHere: "There is nothing here that has a name."
    case .schemaName(let name): "\"\(name)\" is the schema's name: give the field an alias."
    case .notAName(let text): "\"\(text)\" is not a name: letters, digits and _ are, not beginning with a digit."
    case .taken(let name): "\"\(name)\" is taken in this document."
    }
  }
}

extension LanguageService {
  /// The name at a byte offset if it is the writer's own to change: an operation, a fragment, a variable or an alias.
  package func renamable(at offset: Int) throws(RenameError) -> Occurrence {
    guard let occurrence = occurrence(at: offset) else { throw .nothingHere }
    if case .element(let element) = occurrence.symbol, !isDefinedHere(element) { throw .schemaName(element.name) }
    return occurrence
  }

  /// The edits that give the thing at a byte offset another name, wherever the document names it.
  package func rename(at offset: Int, to name: String) throws(RenameError) -> [TextEdit] {
    let occurrence = try renamable(at: offset)
    guard Document.isName(name), !(name == "on" && isFragment(occurrence.symbol)) else { throw .notAName(name) }
    let old = document.source.text(occurrence.range)
    guard name != old else { return [] }
    let references = references(at: offset)
    if isTaken(name, like: occurrence.symbol, near: references) { throw .taken(name) }
    return references.map { TextEdit(range: $0.range, text: name) }
  }

  private func isFragment(_ symbol: Symbol) -> Bool {
    if case .fragment = symbol { true } else { false }
  }

  /// In a document of type definitions, its own types and fields can be renamed.
  private func isDefinedHere(_ element: SchemaElement) -> Bool { element.place?.document === document }

  private func isTaken(_ name: String, like symbol: Symbol, near references: [Occurrence]) -> Bool {
    switch symbol {
    case .operation: return document.operation(named: name) != nil
    case .fragment: return document.fragment(named: name) != nil
    case .variable:
      return references.contains { reference in
        variableDefinitions(at: reference.range.upperBound).contains { $0.variable.name.hasValue(name) }
      }
    case .alias: return false
    case .element(let element):
      switch element {
      case .type: return schema?.type(named: name) != nil
      case .directive: return schema?.directive(named: name) != nil
      case .field(let field): return field.parentType.field(named: name) != nil
      default: return false
      }
    }
  }
}
