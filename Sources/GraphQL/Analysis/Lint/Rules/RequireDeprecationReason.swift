import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every deprecation has a reason or names a replacement.
enum RequireDeprecationReason: SchemaLintRule {
  static let name = "require-deprecation-reason"
  static let summary = "`@deprecated` gives a reason."
  static let example = "type Bird { old: Int @deprecated }"

  static func check(_ context: inout LintContext) {
    func check(_ directives: [DirectiveNode], _ coordinate: SchemaCoordinate) {
      guard let deprecated = directives.first(where: { $0.name.hasValue("deprecated") }) else { return }
      let reason = deprecated.argument(named: "reason")?.value.stringValue ?? ""
      guard reason.allSatisfy(\.isWhitespace) else { return }
      context.report("\(coordinate) is deprecated, and no reason is given.", coordinate, at: deprecated)
    }
    for type in context.types {
      for field in type.fields {
        check(field.node.directives, field.coordinate)
        for argument in field.arguments {
          check(argument.node.directives, .argument(argument.name, field: field.name, type: type.name))
        }
      }
      for field in type.inputFields { check(field.node.directives, .member(field.name, of: type.name)) }
      for value in type.enumValues { check(value.node.directives, .member(value.name, of: type.name)) }
    }
    for directive in context.directives {
      check(directive.node.directives, .directive(directive.name))
      for argument in directive.arguments {
        check(argument.node.directives, .directiveArgument(argument.name, directive: directive.name))
      }
    }
  }
}
