import ApusGraphQLLanguage

/// The fields of a type, including its extensions, must have unique names.
///
/// Specification: Objects, Interfaces and Input Objects, Type Validation.
enum UniqueFieldDefinitionNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    context.reportRepeatedMembers([.fieldDefinition, .inputValueDefinition]) {
      "Field \"\($0)\" can only be defined once."
    }
  }
}
