import ApusGraphQLLanguage

/// `@stream` must be used only on list fields. Invalid: `{ bird @stream { name } }`.
///
/// Specification: Stream Directives Are Used On List Fields.
enum StreamDirectiveOnListFieldRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives {
      guard let node = directive.field, directive.node.name.hasValue("stream"),
        let field = context.fieldDefinition(of: node), !field.type.isList
      else { continue }
      context.report(
        "Stream directive cannot be used on non-list field \"\(field.name)\" on type \"\(field.parentType.name)\".",
        directive.node)
    }
  }
}
