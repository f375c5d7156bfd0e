import ApusGraphQLLanguage

/// Directives exist, and stand where they may.
///
/// Specification: Directives Are Defined, Directives Are in Valid Locations.
enum KnownDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for (directive, owner) in zip(context.directives, context.directiveOwners) {
      let meaning = context.meaning[Int(directive)]
      guard !context.isMissing(directive + 1) else { continue }
      if meaning < 0 {
        // The reference implementation names none, so that the message does not.
        let name = context.name(directive + 1)
        let near = context.near(name, among: context.storage.directives.count) {
          context.storage.directives.filter { $0.allows(owner.location) }.map { context.storage.names[$0.name] }
        }
        context.report(
          "Unknown directive \"@\(name)\"." + (context.schema?.federation?.advice(aboutUnknown: name) ?? ""), directive,
          suggesting: context.suggestion(near, for: directive + 1))
      } else if !context.storage.directives[Int(meaning)].allows(owner.location) {
        context.report(
          "Directive \"@\(context.name(directive + 1))\" may not be used on \(owner.location.rawValue).", directive)
      }
    }
  }
}
