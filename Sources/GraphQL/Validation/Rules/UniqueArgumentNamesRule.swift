import ApusGraphQLLanguage

/// The arguments of a field, directive or fragment spread must have unique names. Invalid: `birds(first: 1, first: 2)`.
///
/// Specification: Argument Uniqueness.
enum UniqueArgumentNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for field in context.fields { check(field.arguments, context) }
    for directive in context.directives { check(directive.node.arguments, context) }
    for spread in context.spreadsWithArguments { check(spread.arguments, context) }
  }

  private static func check(_ arguments: [ArgumentNode], _ context: ValidationContext) {
    guard arguments.count > 1 else { return }
    context.reportGroups(arguments.map(\.name)) { "There can be only one argument named \"\($0)\"." }
  }
}
