import ApusGraphQLLanguage

/// `@defer` and `@stream` should have a label, so that clients can identify their results:
/// `... @defer(label: "details")`.
///
/// A lint: the specification does not require it.
enum LabeledDeferStreamRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for directive in context.directives.lazy.map(\.node) {
      guard directive.name.hasValue("defer") || directive.name.hasValue("stream"),
        directive.argument(named: "label") == nil
      else { continue }
      context.report("The directive @\(directive.name.value) has no label to identify its results.", directive)
    }
  }
}
