import ApusGraphQLLanguage

/// An operation or a fragment must use every variable that it declares. Invalid: `query ($id: ID) { birds { name } }`.
///
/// Specification: All Variables Used.
enum NoUnusedVariablesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let definitions = context.variableDefinitions.within(operation)
      guard !definitions.isEmpty else { continue }
      let used = Set(context.variableUses(in: operation).map { context.nameID(of: $0) })
      // If the limit was reached, some uses may not have been found.
      if context.isStopped { return }
      // Text that is unknown may use them.
      if context.reachesUnknownText(operation) { continue }
      let by = operation.name.map { " in operation \"\($0.value)\"" } ?? ""
      for definition in definitions {
        let name = context.nameID(of: definition)
        guard name != ValidationContext.none, !used.contains(name) else { continue }
        context.report("Variable \"$\(context.names[name])\" is never used\(by).", definition)
      }
    }
    if context.fragmentVariables.isEmpty { return }
    for fragment in context.fragments { checkFragment(fragment, context) }
  }

  /// Checks the variables of a fragment, which must be used in the fragment itself. Relay's compiler allows unused ones.
  private static func checkFragment(_ fragment: FragmentDefinitionNode, _ context: ValidationContext) {
    let definitions = context.variableDefinitions.within(fragment)
    guard !definitions.isEmpty else { return }
    let used = Set(context.variables.within(fragment).map { context.nameID(of: $0) })
    for definition in definitions {
      let name = context.nameID(of: definition)
      guard name != ValidationContext.none, !used.contains(name) else { continue }
      context.report(
        "Variable \"$\(context.names[name])\" is never used in fragment \"\(fragment.name.value)\".",
        definition)
    }
  }
}
