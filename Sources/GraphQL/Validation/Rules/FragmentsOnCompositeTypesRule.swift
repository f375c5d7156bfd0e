/// The type condition of a fragment must be a composite type.
///
/// Specification: Fragments on Object, Interface or Union Types.
enum FragmentsOnCompositeTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for fragment in context.inlineFragments {
      guard let condition = context.child(fragment, .namedType), let type = context.type(condition),
        !context.isComposite(type)
      else { continue }
      context.report(
        "Fragment cannot condition on non composite type \"\(context.name(condition))\".", condition)
    }
    for fragment in context.fragments {
      guard let condition = context.child(fragment, .namedType), let type = context.type(condition),
        !context.isComposite(type), let name = context.child(fragment, .name)
      else { continue }
      context.report(
        "Fragment \"\(context.name(name))\" cannot condition on non composite type \"\(context.name(condition))\".",
        condition)
    }
  }
}
