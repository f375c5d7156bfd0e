import ApusGraphQLLanguage

/// Directives must be defined and used at valid locations. Invalid: `name @inlcude(if: true)`, and
/// `query @skip(if: true) { name }`.
///
/// Specification: Directives Are Defined, Directives Are in Valid Locations.
enum KnownDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for directive in context.directives where !directive.node.name.isMissing {
      guard let definition = context.directiveDefinition(of: directive.node) else {
        reportUnknown(directive, context)
        continue
      }
      if !definition.allows(directive.location) {
        context.report(
          "Directive \"@\(definition.name)\" may not be used on \(directive.location.rawValue).", directive.node)
      }
    }
  }

  private static func reportUnknown(_ directive: AppliedDirective, _ context: ValidationContext) {
    // Suggestions are not part of the message, because the reference implementation has none here.
    let name = directive.node.name.value
    if context.schema?.links.contains(where: { $0.mayDefine(name, isDirective: true) }) == true { return }
    if HoudiniNames(context)?.isDirective(name) == true { return }
    let near = context.near(name, among: context.directiveCount) {
      context.directiveNames(allowedAt: directive.location)
    }
    context.report(
      "Unknown directive \"@\(name)\"." + (context.schema?.federation?.advice(aboutUnknown: name) ?? ""),
      directive.node,
      suggesting: context.suggestion(near, for: directive.node.name))
  }
}
