import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every directive that stands in schemas only stands somewhere in this one.
///
/// A lint: the specification allows it.
enum UnusedDirectivesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let used = Set(context.directives.map { context.nameID(of: $0) })
    for definition in context.directiveDefinitions {
      let name = context.nameOf[context.bodyID(definition)]
      guard let directive = context.schema?.directive(named: context.definedName(definition)),
        !used.contains(name), !directive.locations.contains(where: \.isExecutable)
      else { continue }
      context.report("The directive \"@\(directive.name)\" is never used.", definition)
    }
  }
}
