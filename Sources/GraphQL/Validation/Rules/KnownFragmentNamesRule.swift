/// Spread fragments must be defined.
///
/// Specification: Fragment Spread Target Defined.
enum KnownFragmentNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for spread in context.spreads where context.fragment(of: spread) == nil && !context.isMissing(spread + 1) {
      let name = context.name(spread + 1)
      let near = context.near(name, among: context.fragments.count) { context.fragments.map(context.definedName) }
      context.report(
        "Unknown fragment \"\(name)\".", spread + 1, suggesting: context.suggestion(near, for: spread + 1))
    }
  }
}
