/// Spread fragments must be defined. Invalid: `{ bird { ...Card } }` without a fragment `Card`.
///
/// Specification: Fragment Spread Target Defined.
enum KnownFragmentNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for spread in context.spreads where context.fragment(of: spread) == nil && !spread.name.isMissing {
      // A value of the literal may be the fragment.
      if context.document.source.values(at: spread.range.lowerBound) != .none { continue }
      let name = spread.name.value
      if HoudiniNames(context)?.isFragment(name) == true { continue }
      let near = context.near(name, among: context.fragments.count) { context.fragments.map(\.name.value) }
      context.report(
        "Unknown fragment \"\(name)\".", spread.name, suggesting: context.suggestion(near, for: spread.name))
    }
  }
}
