/// Operations must have unique names. Invalid: `query Birds { birds { id } } mutation Birds { addBird { id } }`.
///
/// Specification: Operation Name Uniqueness.
enum UniqueOperationNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    context.reportRepeated(context.operations.compactMap(\.name)) {
      "There can be only one operation named \"\($0)\"."
    }
  }
}
