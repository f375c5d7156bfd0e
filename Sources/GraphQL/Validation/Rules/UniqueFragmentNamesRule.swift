/// Fragments must have unique names. Invalid: `fragment Card on Bird { id } fragment Card on Nest { id }`.
///
/// Specification: Fragment Name Uniqueness.
enum UniqueFragmentNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    context.reportRepeated(context.fragments.map(\.name)) {
      "There can be only one fragment named \"\($0)\"."
    }
  }
}
