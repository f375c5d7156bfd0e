/// Fragments must have unique names.
///
/// Specification: Fragment Name Uniqueness.
enum UniqueFragmentNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    context.reportRepeated(context.fragments.compactMap { context.child($0, .name) }) {
      "There can be only one fragment named \"\($0)\"."
    }
  }
}
