import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every directive that is only for schemas should be used in this one.
///
/// A lint: the specification does not require it.
enum UnusedDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let used = Set(context.directives.map { context.nameID(of: $0.node.name) })
    for definition in context.directiveDefinitions {
      let name = context.nameID(of: definition.name)
      guard let directive = context.schema?.directive(named: definition.name.value),
        !used.contains(name), !directive.locations.contains(where: \.isExecutable)
      else { continue }
      context.report("The directive \"@\(directive.name)\" is never used.", definition)
    }
  }
}
