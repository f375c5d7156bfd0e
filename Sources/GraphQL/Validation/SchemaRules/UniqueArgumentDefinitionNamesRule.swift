import ApusGraphQLLanguage

/// The arguments of a field or directive definition must have unique names.
///
/// Specification: Objects, Type Validation; Directives.
enum UniqueArgumentDefinitionNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for type in context.typeDefinitions {
      for field in context.children(type, .fieldDefinition) {
        check(field, context) { "\(context.definedName(type)).\(context.definedName(field))" }
      }
    }
    for directive in context.directiveDefinitions {
      check(directive, context) { "@\(context.definedName(directive))" }
    }
  }

  private static func check(_ owner: NodeID, _ context: ValidationContext, _ title: () -> String) {
    let names = context.children(owner, .inputValueDefinition).map { NodeID(context.bodyID($0)) }
    context.reportGroups(names) { "Argument \"\(title())(\($0):)\" can only be defined once." }
  }
}
