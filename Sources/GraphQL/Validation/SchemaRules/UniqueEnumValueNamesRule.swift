import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The values of an enum, including its extensions, must have unique names. Invalid: `enum Color { RED RED }`.
///
/// Specification: Enums, Type Validation.
enum UniqueEnumValueNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    // In Apollo Kotlin's extensions, a value of the enum gets directives: `extend enum E { type @targetName(name: "kind") }`.
    let isApollo = context.schema?.has(.apollo) == true
    context.reportRepeatedMembers { type in
      type.values.filter { !isApollo || !type.isExtension || $0.directives.isEmpty }.map(\.name)
    } _: {
      "Enum value \"\($0)\" can only be defined once."
    }
  }
}
