import ApusGraphQLLanguage

/// Type definitions must have unique names. Invalid: `type Bird { id: ID } input Bird { id: ID }`.
///
/// Specification: Types.
enum UniqueTypeNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    let definitions = context.typeDefinitions.filter { !$0.isExtension }
    context.reportRepeated(definitions.map(\.name)) {
      "There can be only one type named \"\($0)\"."
    }
  }
}
