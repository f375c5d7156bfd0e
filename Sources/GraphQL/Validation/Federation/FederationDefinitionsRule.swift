import ApusGraphQLLanguage
import ApusGraphQLSchema

/// If the subgraph itself defines a federation directive or type, the definition must agree with the specification. A
/// directive may have fewer locations, fewer optional arguments, and `String` where federation has the scalar
/// `FieldSet`.
///
/// Source: Apollo Federation, error codes `DIRECTIVE_DEFINITION_INVALID` and `TYPE_DEFINITION_INVALID`.
enum FederationDefinitionsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let federation = context.schema?.federation else { return }
    var directives: [String: DirectiveDefinitionNode] = [:]
    var types: [String: TypeDefinitionNode] = [:]
    for definition in federation.specifiedDefinitions.definitions {
      switch definition {
      case .directiveDefinition(let directive): directives[directive.name.value] = directive
      case .typeDefinition(let type): types[type.name.value] = type
      case .operation, .fragment, .schema: break
      }
    }
    for directive in context.directiveDefinitions where !directive.isExtension {
      guard let expected = directives[directive.name.value], federation.isVersion2 || !isTolerated(directive) else {
        continue
      }
      check(directive, expected, context)
    }
    for type in context.typeDefinitions {
      guard let expected = types[type.name.value], expected.kind != type.kind else { continue }
      context.report(
        "\"\(type.name.value)\" belongs to federation and is \(expected.kind.words), not \(type.kind.words).", type)
    }
  }

  /// Whether Federation 1 ignores a definition that differs: without arguments, or with `fields` of another type.
  private static func isTolerated(_ directive: DirectiveDefinitionNode) -> Bool {
    guard ["key", "requires", "provides"].contains(directive.name.value) else { return false }
    let arguments = directive.arguments
    guard arguments.count == 1, arguments[0].name.hasValue("fields") else { return arguments.isEmpty }
    return ["String", "_FieldSet", "FieldSet"].contains("\(arguments[0].type)")
  }

  private static func check(
    _ directive: DirectiveDefinitionNode, _ expected: DirectiveDefinitionNode, _ context: ValidationContext
  ) {
    let title = "The definition of \"@\(directive.name.value)\" differs from federation's"
    for argument in expected.arguments {
      let name = argument.name.value
      guard let own = directive.arguments.first(where: { $0.name.hasValue(name) }) else {
        if argument.type.isNonNull, argument.defaultValue == nil {
          context.report("\(title): it has no argument \"\(name)\".", directive)
        }
        continue
      }
      let defaults = (argument.defaultValue.map { Printer.print($0) }, own.defaultValue.map { Printer.print($0) })
      if !accepts(argument.type, own.type) {
        context.report(
          "\(title): the argument \"\(name)\" has the type \"\(own.type)\", not \"\(argument.type)\".", own)
      } else if !own.type.isNonNull, defaults.0 != defaults.1 {
        context.report(
          "\(title): the default value of \"\(name)\" is \(defaults.1 ?? "missing"), not \(defaults.0 ?? "missing").",
          own)
      }
    }
    for own in directive.arguments where !expected.arguments.contains(where: { $0.name.hasValue(own.name.value) }) {
      context.report("\(title): \"\(own.name.value)\" is not one of its arguments.", own)
    }
    if directive.isRepeatable, !expected.isRepeatable {
      context.report("\(title): it is not repeatable.", directive)
    }
    let others = directive.locations.filter { !expected.locations.contains($0) }
    if !others.isEmpty {
      context.report(
        "\(title): its locations are \(expected.locations.joined(separator: ", ")), not \(others.joined(separator: ", ")).",
        directive)
    }
  }

  /// Whether a type may replace the specified one: an optional argument may be required, and a scalar of federation may
  /// be any type but another scalar of the subgraph, such as `[String!]`.
  private static func accepts(_ expected: TypeNode, _ own: TypeNode) -> Bool {
    switch (expected.kind, own.kind) {
    case (.nonNull, .nonNull), (.list, .list): accepts(inside: expected, own)
    case (.named, .nonNull), (.list, .nonNull): own.ofType.map { accepts(expected, $0) } ?? false
    case (.named, .list): !builtIn.contains(expected.name)
    case (.named, .named): own.name == expected.name || !builtIn.contains(expected.name) && builtIn.contains(own.name)
    case (.nonNull, .named), (.nonNull, .list), (.list, .named): false
    }
  }

  private static func accepts(inside expected: TypeNode, _ own: TypeNode) -> Bool {
    guard let expected = expected.ofType, let own = own.ofType else { return false }
    return accepts(expected, own)
  }

  private static let builtIn: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]
}
