import ApusGraphQLLanguage

/// The arguments of a field or directive definition must have unique names. Invalid: `bird(id: ID, id: Int): Bird`.
///
/// Specification: Objects, Type Validation; Directives.
enum UniqueArgumentDefinitionNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for type in context.typeDefinitions {
      for field in type.fields {
        check(field.arguments, context) { "\(type.name.value).\(field.name.value)" }
      }
    }
    for directive in context.directiveDefinitions {
      check(directive.arguments, context) { "@\(directive.name.value)" }
    }
  }

  private static func check(
    _ arguments: [InputValueDefinitionNode], _ context: ValidationContext, _ title: () -> String
  ) {
    context.reportGroups(arguments.map(\.name)) { "Argument \"\(title())(\($0):)\" can only be defined once." }
  }
}
