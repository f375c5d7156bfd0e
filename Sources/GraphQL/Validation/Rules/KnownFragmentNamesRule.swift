/// Fragments that are spread exist.
///
/// Specification: Fragment Spread Target Defined.
enum KnownFragmentNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for spread in context.spreads where context.fragment(of: spread) == nil && !context.isMissing(spread + 1) {
      context.report("Unknown fragment \"\(context.name(spread + 1))\".", spread + 1)
    }
  }
}
