import ApusGraphQLLanguage

/// Directives must be defined and used at valid locations.
///
/// Specification: Directives Are Defined, Directives Are in Valid Locations.
enum KnownDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for (directive, owner) in zip(context.directives, context.directiveOwners) {
      guard !context.isMissing(directive + 1) else { continue }
      guard let definition = context.directiveDefinition(of: directive) else {
        reportUnknown(directive, at: owner.location, context)
        continue
      }
      if !definition.allows(owner.location) {
        context.report(
          "Directive \"@\(definition.name)\" may not be used on \(owner.location.rawValue).", directive)
      }
    }
  }

  private static func reportUnknown(_ directive: NodeID, at location: DirectiveLocation, _ context: ValidationContext) {
    // Suggestions are not part of the message, because the reference implementation has none here.
    let name = context.name(directive + 1)
    let near = context.near(name, among: context.directiveCount) { context.directiveNames(allowedAt: location) }
    context.report(
      "Unknown directive \"@\(name)\"." + (context.schema?.federation?.advice(aboutUnknown: name) ?? ""), directive,
      suggesting: context.suggestion(near, for: directive + 1))
  }
}
