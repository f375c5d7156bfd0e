import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Names follow one convention per kind of element. Leading underscores are ignored.
enum NamingConvention: SchemaLintRule {
  static let name = "naming-convention"
  static let summary =
    "Names have a consistent case: PascalCase for types, UPPER_CASE for enum values, camelCase for the rest."
  static let options: [LintOption] = [
    .choice("types", "PascalCase", of: NameStyle.names), .choice("fields", "camelCase", of: NameStyle.names),
    .choice("arguments", "camelCase", of: NameStyle.names), .choice("inputFields", "camelCase", of: NameStyle.names),
    .choice("enumValues", "UPPER_CASE", of: NameStyle.names), .choice("directives", "camelCase", of: NameStyle.names),
  ]
  static let example = "type bird { Name: String }"

  static func check(_ context: inout LintContext) {
    func check(_ option: String, _ what: String, _ name: NameNode?, _ coordinate: SchemaCoordinate) {
      guard let name, let style = NameStyle(rawValue: context.value(option)), !style.fits(name.value) else { return }
      context.report("The \(what) \(coordinate) should be in \(style.rawValue).", coordinate, at: name)
    }
    for type in context.types {
      check("types", type.kind.words, type.nameNode, type.coordinate)
      for field in type.fields {
        check("fields", "field", field.node.name, field.coordinate)
        for argument in field.arguments {
          check(
            "arguments", "argument", argument.node.name,
            .argument(argument.name, field: field.name, type: type.name))
        }
      }
      for field in type.inputFields {
        check("inputFields", "input field", field.node.name, .member(field.name, of: type.name))
      }
      for value in type.enumValues {
        check("enumValues", "enum value", value.node.name, .member(value.name, of: type.name))
      }
    }
    for directive in context.directives {
      check("directives", "directive", directive.node.name, .directive(directive.name))
      for argument in directive.arguments {
        check(
          "arguments", "argument", argument.node.name, .directiveArgument(argument.name, directive: directive.name))
      }
    }
  }
}

enum NameStyle: String, CaseIterable {
  case pascal = "PascalCase"
  case camel = "camelCase"
  case snake = "snake_case"
  case upper = "UPPER_CASE"
  case any

  static let names = allCases.map(\.rawValue)

  func fits(_ name: String) -> Bool {
    let letters = name.drop { $0 == "_" }
    guard let first = letters.first else { return true }
    switch self {
    case .pascal: return first.isUppercase && !letters.contains("_")
    case .camel: return first.isLowercase && !letters.contains("_")
    case .snake: return !letters.contains { $0.isUppercase }
    case .upper: return !letters.contains { $0.isLowercase }
    case .any: return true
    }
  }
}
