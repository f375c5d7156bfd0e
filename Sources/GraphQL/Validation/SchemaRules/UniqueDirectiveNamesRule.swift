import ApusGraphQLLanguage

/// Directive definitions must have unique names.
///
/// Specification: Directives.
enum UniqueDirectiveNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    let definitions = context.directiveDefinitions.filter { !context.isExtension($0) }
    context.reportRepeated(definitions.map { NodeID(context.bodyID($0)) }) {
      "There can be only one directive named \"@\($0)\"."
    }
  }
}
