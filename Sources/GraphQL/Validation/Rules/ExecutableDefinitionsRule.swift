import ApusGraphQLLanguage

/// An executable document must contain only operations and fragments. Invalid:
/// `{ bird { name } } type Bird { name: String }`.
///
/// Specification: Executable Definitions.
enum ExecutableDefinitionsRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for definition in context.document.definitions {
      switch definition {
      case .operation, .fragment: break
      case .schema: context.report("The schema definition is not executable.", definition)
      case .typeDefinition(let type): report(type.name, of: definition, context)
      case .directiveDefinition(let directive): report(directive.name, of: definition, context)
      }
    }
  }

  private static func report(_ name: NameNode, of definition: DefinitionNode, _ context: ValidationContext) {
    context.report("The \"\(name.value)\" definition is not executable.", definition)
  }
}
