import ApusGraphQLLanguage

/// The fields of a type, including its extensions, must have unique names. Invalid:
/// `type Bird { id: ID } extend type Bird { id: ID! }`.
///
/// Specification: Objects, Interfaces and Input Objects, Type Validation.
enum UniqueFieldDefinitionNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    context.reportRepeatedMembers {
      $0.kind == .inputObject ? $0.inputFields.map(\.name) : $0.fields.map(\.name)
    } _: {
      "Field \"\($0)\" can only be defined once."
    }
  }
}
