import ApusGraphQLLanguage

/// Directive definitions must have unique names. Invalid: `directive @a on FIELD directive @a on QUERY`.
///
/// Specification: Directives.
enum UniqueDirectiveNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    let definitions = context.directiveDefinitions.filter { !$0.isExtension }
    context.reportRepeated(definitions.map(\.name)) {
      "There can be only one directive named \"@\($0)\"."
    }
  }
}
