import ApusGraphQLLanguage

/// Referenced types must be defined.
///
/// Specification: Fragment Spread Type Existence.
enum KnownTypeNamesRule: ValidationRule {
  /// Returns the range of the name without a trailing `!`.
  private static func nameRange(_ node: NodeID, _ context: ValidationContext) -> Range<Int> {
    let start = context.range(of: node).lowerBound
    return start..<start + context.name(node).utf8.count
  }

  static func check(_ context: ValidationContext) {
    // A document that defines types may refer to them, although it is not executable.
    var defined = Set<String>()
    for definition in context.document.children(of: 0) {
      if case .typeDefinition(let type)? = DefinitionNode(context.document, definition), !type.isExtension {
        defined.insert(type.name.value)
      }
    }
    var existing: [String]?
    for node in context.namedTypes where context.type(node) == nil && !defined.contains(context.name(node)) {
      let options = existing ?? context.typeNames + defined
      existing = options
      let name = context.name(node)
      let near = context.near(name, among: options.count) { options }
      context.report(
        "Unknown type \"\(name)\"." + NameSuggestions.didYouMean(near), node,
        suggesting: Suggestion(at: nameRange(node, context), near))
    }
  }
}
