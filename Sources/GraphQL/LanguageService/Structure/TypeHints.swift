import ApusGraphQLLanguage

/// A type that the text does not say, to be shown behind a name.
package struct TypeHint: Sendable, Equatable {
  /// The byte offset behind the name.
  package let offset: Int
  /// Such as `[Bird!]!`.
  package let type: String
}

extension LanguageService {
  /// The types of the fields and of the variables that are used in a range of bytes, in the order of the text.
  package func typeHints(in range: Range<Int>) -> [TypeHint] {
    var hints: [TypeHint] = []
    for occurrence in occurrences() where range.overlaps(occurrence.range) {
      switch occurrence.symbol {
      case .element(.field(let field)) where !occurrence.isDefinition:
        hints.append(TypeHint(offset: occurrence.range.upperBound, type: field.type.description))
      case .variable(let name) where !occurrence.isDefinition:
        let definition = variableDefinitions(at: occurrence.range.upperBound).first {
          $0.variable.name.hasValue(name)
        }
        if let definition {
          hints.append(TypeHint(offset: occurrence.range.upperBound, type: definition.type.description))
        }
      default: continue
      }
    }
    return hints
  }
}
