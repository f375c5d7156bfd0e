import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A fragment must be spread only where its type can apply. Invalid: `{ bird { ... on Nest { eggs } } }` if both types
/// are objects.
///
/// Specification: Fragment Spread Is Possible.
enum PossibleFragmentSpreadsRule: ValidationRule {
  /// A type and the parent type of a fragment on it.
  private struct Pair: Hashable {
    let type: TypeDefinition
    let parent: TypeDefinition
  }

  static func check(_ context: ValidationContext) {
    var answers: [Pair: Bool] = [:]
    func isImpossible(_ type: TypeDefinition, _ parent: TypeDefinition) -> Bool {
      let pair = Pair(type: type, parent: parent)
      if let answer = answers[pair] { return answer }
      let answer = type.isComposite && !type.schema.overlaps(parent.index, type.index)
      answers[pair] = answer
      return answer
    }
    for fragment in context.inlineFragments {
      guard let type = fragment.typeCondition.flatMap({ context.type(named: $0) }),
        let parent = context.parentType(of: fragment), isImpossible(type, parent)
      else { continue }
      context.report(
        "Fragment cannot be spread here as objects of type \"\(parent.name)\" can never be of type \"\(type.name)\".",
        fragment)
    }
    for spread in context.spreads {
      guard let type = context.fragment(of: spread).flatMap(context.fragmentType),
        let parent = context.parentType(of: spread), isImpossible(type, parent)
      else { continue }
      context.report(
        "Fragment \"\(spread.name.value)\" cannot be spread here as objects of type \"\(parent.name)\" can never be of type \"\(type.name)\".",
        spread)
    }
  }
}
