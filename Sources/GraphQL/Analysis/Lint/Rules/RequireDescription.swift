import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Definitions have descriptions.
enum RequireDescription: SchemaLintRule {
  static let name = "require-description"
  static let summary =
    "Types, directives and the fields of the root types have descriptions; options add other elements."
  static let options: [LintOption] = [
    .flag("types", true), .flag("directives", true), .flag("rootFields", true), .flag("fields", false),
    .flag("arguments", false), .flag("inputFields", false), .flag("enumValues", false),
  ]
  static let example = "type Bird { id: ID }"

  static func check(_ context: inout LintContext) {
    func check(
      _ option: String, _ what: String, _ description: String?, _ name: NameNode?, _ coordinate: SchemaCoordinate
    ) {
      guard context.isOn(option), let name, description?.allSatisfy(\.isWhitespace) ?? true else { return }
      context.report("The \(what) \(coordinate) has no description.", coordinate, at: name)
    }
    for type in context.types {
      check("types", type.kind.words, type.description, type.nameNode, type.coordinate)
      let isRoot = context.isRoot(type)
      for field in type.fields {
        check(
          isRoot && !context.isOn("fields") ? "rootFields" : "fields", "field", field.description, field.node.name,
          field.coordinate)
        for argument in field.arguments {
          check(
            "arguments", "argument", argument.description, argument.node.name,
            .argument(argument.name, field: field.name, type: type.name))
        }
      }
      for field in type.inputFields {
        check(
          "inputFields", "input field", field.description, field.node.name, .member(field.name, of: type.name))
      }
      for value in type.enumValues {
        check("enumValues", "enum value", value.description, value.node.name, .member(value.name, of: type.name))
      }
    }
    for directive in context.directives {
      check(
        "directives", "directive", directive.description, directive.node.name, .directive(directive.name))
    }
  }
}
