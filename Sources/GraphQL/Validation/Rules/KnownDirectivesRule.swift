import GraphQLLanguage

/// Directives exist, and stand where they may.
///
/// Specification: Directives Are Defined, Directives Are in Valid Locations.
enum KnownDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for (directive, owner) in zip(context.directives, context.directiveOwners) {
      let meaning = context.meaning[Int(directive)]
      guard !context.isMissing(directive + 1) else { continue }
      if meaning < 0 {
        context.report("Unknown directive \"@\(context.name(directive + 1))\".", directive)
      } else if !context.storage.directives[Int(meaning)].allows(owner.location) {
        context.report(
          "Directive \"@\(context.name(directive + 1))\" may not be used on \(owner.location.rawValue).", directive)
      }
    }
  }
}
