import ApusGraphQLLanguage

/// `@defer` and `@stream` should have a label, so that clients can identify their results.
///
/// A lint: the specification does not require it.
enum LabeledDeferStreamRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for id in context.directives {
      let name = context.name(id + 1)
      guard name == "defer" || name == "stream",
        DirectiveNode(context.document, id).argument(named: "label") == nil
      else { continue }
      context.report("The directive @\(name) has no label to identify its results.", id)
    }
  }
}
