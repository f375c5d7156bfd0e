import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The type condition of a fragment must be a composite type. Invalid: `fragment Name on String { length }`.
///
/// Specification: Fragments on Object, Interface or Union Types.
enum FragmentsOnCompositeTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for fragment in context.inlineFragments {
      guard let condition = fragment.typeCondition, let type = context.type(named: condition), !type.isComposite else {
        continue
      }
      context.report("Fragment cannot condition on non composite type \"\(type.name)\".", condition)
    }
    for fragment in context.fragments {
      guard let type = context.type(named: fragment.typeCondition), !type.isComposite else { continue }
      context.report(
        "Fragment \"\(fragment.name.value)\" cannot condition on non composite type \"\(type.name)\".",
        fragment.typeCondition)
    }
  }
}
