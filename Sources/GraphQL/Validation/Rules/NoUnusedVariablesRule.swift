import ApusGraphQLLanguage

/// An operation uses every variable that it declares.
///
/// Specification: All Variables Used.
enum NoUnusedVariablesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let definitions = context.within(operation, context.variableDefinitions)
      guard !definitions.isEmpty else { continue }
      var used = Set<UInt32>()
      for part in [operation] + context.reachableFragments(from: operation) {
        for variable in context.within(part, context.variables) { used.insert(context.nameOf[Int(variable) + 1]) }
      }
      for definition in definitions {
        let name = context.nameOf[context.bodyID(definition) + 1]
        guard name != ValidationContext.none, !used.contains(name) else { continue }
        let by = context.child(operation, .name).map { " in operation \"\(context.name($0))\"" } ?? ""
        context.report("Variable \"$\(context.names[name])\" is never used\(by).", definition)
      }
    }
  }
}
