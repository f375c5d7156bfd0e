import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The values of an enum differ in more than case.
enum UniqueEnumValueNames: SchemaLintRule {
  static let name = "unique-enum-value-names"
  static let summary = "The values of an enum differ in more than case."
  static let example = "enum Sex { MALE Male }"

  static func check(_ context: inout LintContext) {
    for type in context.types where type.kind == .enum {
      var first: [String: String] = [:]
      for value in type.enumValues {
        guard let earlier = first[value.name.lowercased()] else {
          first[value.name.lowercased()] = value.name
          continue
        }
        context.report(
          "The enum value \(type.name).\(value.name) differs from \(earlier) only in case.",
          .member(value.name, of: type.name), at: value.node.name)
      }
    }
  }
}
