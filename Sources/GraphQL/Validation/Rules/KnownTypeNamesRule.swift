import ApusGraphQLLanguage

/// Referenced types must be defined. Invalid: `query ($id: Idd) { bird(id: $id) { name } }`.
///
/// Specification: Fragment Spread Type Existence.
enum KnownTypeNamesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    // A document that defines types may refer to them, although it is not executable.
    var defined = Set<String>()
    for type in context.typeDefinitions where !type.isExtension { defined.insert(type.name.value) }
    var known: [String]?
    for node in context.namedTypes where !context.isDefinedType(node) {
      let name = node.name.value
      if defined.contains(name) { continue }
      if context.schema?.links.contains(where: { $0.mayDefine(name, isDirective: false) }) == true { continue }
      let options = known ?? context.typeNames + defined
      known = options
      let near = context.near(name, among: options.count) { options }
      context.report(
        "Unknown type \"\(name)\"." + NameSuggestions.didYouMean(near), node,
        suggesting: context.suggestion(near, for: node.name))
    }
  }
}
