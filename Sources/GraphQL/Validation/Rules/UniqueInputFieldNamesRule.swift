import ApusGraphQLLanguage

/// The fields of an input object value must have unique names.
///
/// Specification: Input Object Field Uniqueness.
enum UniqueInputFieldNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for value in context.values where context.kind(value) == .objectValue {
      context.reportRepeated(context.document.children(of: value).map { $0 + 1 }) {
        "There can be only one input field named \"\($0)\"."
      }
    }
  }
}
