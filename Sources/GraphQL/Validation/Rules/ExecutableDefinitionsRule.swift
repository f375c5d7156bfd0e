import ApusGraphQLLanguage

/// An executable document must contain only operations and fragments.
///
/// Specification: Executable Definitions.
enum ExecutableDefinitionsRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for definition in context.document.children(of: 0) {
      switch context.kind(definition) {
      case .operationDefinition, .fragmentDefinition: break
      case .schemaDefinition: context.report("The schema definition is not executable.", definition)
      default:
        let name = context.name(NodeID(context.bodyID(definition)))
        context.report("The \"\(name)\" definition is not executable.", definition)
      }
    }
  }
}
