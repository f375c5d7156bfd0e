import ApusGraphQLLanguage

/// A type hint to show after a name: `name: String!`.
package struct InlayHint: Sendable, Equatable {
  /// The byte offset after the name.
  package let offset: Int
  /// The type, such as `[Bird!]!`.
  package let type: String
}

extension LanguageService {
  /// Returns the types of the fields and variables used in a byte range, in the order of the document.
  package func typeHints(in range: Range<Int>) -> [InlayHint] {
    var hints: [InlayHint] = []
    for occurrence in occurrences() where range.overlaps(occurrence.range) {
      switch occurrence.symbol {
      case .element(.field(let field)) where !occurrence.isDefinition:
        hints.append(InlayHint(offset: occurrence.range.upperBound, type: field.type.description))
      case .variable(let name) where !occurrence.isDefinition:
        let definition = variableDefinitions(at: occurrence.range.upperBound).first {
          $0.variable.name.hasValue(name)
        }
        if let definition {
          hints.append(InlayHint(offset: occurrence.range.upperBound, type: definition.type.description))
        }
      case .operation, .fragment, .variable, .fragmentVariable, .alias, .element: continue
      }
    }
    return hints
  }
}
