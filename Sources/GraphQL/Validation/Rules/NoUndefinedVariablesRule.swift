import ApusGraphQLLanguage

/// An operation declares every variable that it uses, fragments included.
///
/// Specification: All Variable Uses Defined.
enum NoUndefinedVariablesRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      let defined = Set(
        context.within(operation, context.variableDefinitions).map { context.nameOf[context.bodyID($0) + 1] })
      for part in [operation] + context.reachableFragments(from: operation) {
        for variable in context.within(part, context.variables) {
          let name = context.nameOf[Int(variable) + 1]
          guard name != ValidationContext.none, !defined.contains(name) else { continue }
          let by = context.child(operation, .name).map { " by operation \"\(context.name($0))\"" } ?? ""
          let near = context.near(context.names[name], amongOwn: defined.count) {
            defined.filter { $0 != ValidationContext.none }.map { context.names[$0] }
          }
          context.report(
            "Variable \"$\(context.names[name])\" is not defined\(by).", variable, operation,
            suggesting: context.suggestion(near, for: variable + 1))
        }
      }
    }
  }
}
