import ApusGraphQLLanguage

/// An operation must declare every variable that it or its fragments use. Invalid: `{ bird(id: $id) { name } }`.
///
/// Specification: All Variable Uses Defined.
enum NoUndefinedVariablesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let defined = Set(
        context.variableDefinitions.within(operation).map { context.nameID(of: $0) })
      let by = operation.name.map { " by operation \"\($0.value)\"" } ?? ""
      for variable in context.variableUses(in: operation) {
        let name = context.nameID(of: variable)
        guard name != ValidationContext.none, !defined.contains(name) else { continue }
        let near = context.near(context.names[name], among: defined.count) {
          defined.filter { $0 != ValidationContext.none }.map { context.names[$0] }
        }
        context.report(
          "Variable \"$\(context.names[name])\" is not defined\(by).", variable, operation,
          suggesting: context.suggestion(near, for: variable.name))
      }
    }
  }
}
