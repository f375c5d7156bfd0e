import ApusGraphQLLanguage

/// The values of an enum, including its extensions, must have unique names.
///
/// Specification: Enums, Type Validation.
enum UniqueEnumValueNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    context.reportRepeatedMembers([.enumValueDefinition]) { "Enum value \"\($0)\" can only be defined once." }
  }
}
