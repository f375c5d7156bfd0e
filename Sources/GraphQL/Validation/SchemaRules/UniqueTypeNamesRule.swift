import ApusGraphQLLanguage

/// Type definitions must have unique names.
///
/// Specification: Types.
enum UniqueTypeNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    let definitions = context.typeDefinitions.filter { !context.isExtension($0) }
    context.reportRepeated(definitions.map { NodeID(context.bodyID($0)) }) {
      "There can be only one type named \"\($0)\"."
    }
  }
}
