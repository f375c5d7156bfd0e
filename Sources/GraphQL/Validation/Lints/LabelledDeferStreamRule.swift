import ApusGraphQLLanguage

/// What is deferred or streamed has a label, by which a client knows it again.
///
/// A lint: the specification allows it.
enum LabelledDeferStreamRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for id in context.directives {
      let name = context.name(id + 1)
      guard name == "defer" || name == "stream",
        DirectiveNode(context.document, id).argument(named: "label") == nil
      else { continue }
      context.report("The directive @\(name) has no label to know its results by.", id)
    }
  }
}
