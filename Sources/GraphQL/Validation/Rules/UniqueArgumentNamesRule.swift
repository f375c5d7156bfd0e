import ApusGraphQLLanguage

/// The arguments of a field, directive or fragment spread must have unique names.
///
/// Specification: Argument Uniqueness.
enum UniqueArgumentNamesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for owner in context.fields + context.directives + context.spreadsWithArguments {
      var names: [NodeID] = []
      for child in context.document.children(of: owner) where context.kind(child) == .argument {
        names.append(child + 1)
      }
      if names.count > 1 { context.reportGroups(names) { "There can be only one argument named \"\($0)\"." } }
    }
  }
}
