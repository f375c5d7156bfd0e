import ApusGraphQLLanguage

/// `@stream` must be used only on list fields.
///
/// Specification: Stream Directives Are Used On List Fields.
enum StreamDirectiveOnListFieldRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for (directive, owner) in zip(context.directives, context.directiveOwners)
    where owner.location == .field && context.name(directive + 1) == "stream" {
      guard let field = context.fieldDefinition(of: owner.node), !field.type.isList else { continue }
      context.report(
        "Stream directive cannot be used on non-list field \"\(field.name)\" on type \"\(field.parentType.name)\".",
        directive)
    }
  }
}
