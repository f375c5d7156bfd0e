import ApusGraphQLLanguage

/// The fields of an input object value must have unique names. Invalid: `birds(where: { name: "Owl", name: "Rail" })`.
///
/// Specification: Input Object Field Uniqueness.
enum UniqueInputFieldNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for value in context.values where value.kind == .object {
      context.reportRepeated(value.fields.map(\.name)) {
        "There can be only one input field named \"\($0)\"."
      }
    }
  }
}
