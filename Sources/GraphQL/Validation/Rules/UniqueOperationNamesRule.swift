/// Operations must have unique names.
///
/// Specification: Operation Name Uniqueness.
enum UniqueOperationNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    context.reportRepeated(context.operations.compactMap(context.operationName)) {
      "There can be only one operation named \"\($0)\"."
    }
  }
}
