import ApusGraphQLLanguage

/// An object, interface or input object, with its extensions, has each field once.
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
