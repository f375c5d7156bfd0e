import ApusGraphQLLanguage

/// An operation or a fragment must use every variable that it declares.
///
/// Specification: All Variables Used.
enum NoUnusedVariablesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let definitions = context.within(operation, context.variableDefinitions)
      guard !definitions.isEmpty else { continue }
      let used = Set(context.variableUses(in: operation).map { context.nameID(of: $0) })
      // If the limit was reached, some uses may not have been found.
      if context.isStopped { return }
      let by = context.operationName(operation).map { " in operation \"\(context.name($0))\"" } ?? ""
      for definition in definitions {
        let name = context.nameOf[context.bodyID(definition) + 1]
        guard name != ValidationContext.none, !used.contains(name) else { continue }
        context.report("Variable \"$\(context.names[name])\" is never used\(by).", definition)
      }
    }
    if context.fragmentVariables.isEmpty { return }
    for fragment in context.fragments { checkFragment(fragment, context) }
  }

  /// Checks the variables of a fragment, which must be used in the fragment itself. Relay's compiler allows unused ones.
  private static func checkFragment(_ fragment: NodeID, _ context: ValidationContext) {
    let definitions = context.within(fragment, context.variableDefinitions)
    guard !definitions.isEmpty else { return }
    let used = Set(context.within(fragment, context.variables).map { context.nameID(of: $0) })
    for definition in definitions {
      let name = context.nameOf[context.bodyID(definition) + 1]
      guard name != ValidationContext.none, !used.contains(name) else { continue }
      context.report(
        "Variable \"$\(context.names[name])\" is never used in fragment \"\(context.definedName(fragment))\".",
        definition)
    }
  }
}
