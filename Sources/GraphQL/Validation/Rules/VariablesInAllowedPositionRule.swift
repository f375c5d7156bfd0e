import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The type of a variable must be compatible with each of its uses. Invalid:
/// `query ($id: ID) { bird(id: $id) { name } }` for `bird(id: ID!)`.
///
/// Specification: All Variable Usages Are Allowed.
enum VariablesInAllowedPositionRule: ValidationRule {
  /// The declaration of a variable.
  private struct Declared {
    let node: AnyNode
    let type: PackedType
    let hasDefault: Bool
  }

  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      var definitions: [NameID: VariableDefinitionNode] = [:]
      for definition in context.variableDefinitions.within(operation) {
        definitions[context.nameID(of: definition)] = definition
      }
      guard !definitions.isEmpty else { continue }
      for variable in context.variableUses(in: operation) {
        guard let definition = definitions[context.nameID(of: variable)],
          let type = context.packedType(definition.type)
        else { continue }
        let hasDefault = definition.defaultValue.map { $0.kind != .null } ?? false
        check(variable, Declared(node: definition.erased, type: type, hasDefault: hasDefault), context)
      }
    }
    guard !context.fragmentVariables.isEmpty else { return }
    for fragment in context.fragments { checkFragment(fragment, context) }
  }

  private static func checkFragment(_ fragment: FragmentDefinitionNode, _ context: ValidationContext) {
    guard let variables = context.fragmentVariables(of: fragment) else { return }
    for use in context.variables.within(fragment) {
      guard let variable = variables[context.nameID(of: use)], variable.type.name != ValidationContext.none else {
        continue
      }
      let declared = Declared(node: variable.node, type: variable.type, hasDefault: variable.hasDefault)
      check(use, declared, context)
    }
  }

  private static func check(_ variable: VariableNode, _ declared: Declared, _ context: ValidationContext) {
    guard let expected = context.inputType(of: variable) else { return }
    let type = declared.type
    let name = variable.name.value

    if !isAllowed(type, declared.hasDefault, expected, variable, context) {
      context.report(
        "Variable \"$\(name)\" of type \"\(context.text(type))\" used in position expecting type \"\(context.text(expected))\".",
        declared.node, variable)
    }
    if !type.isNonNull, let parent = oneOfParent(variable, context) {
      context.report(
        "Variable \"$\(name)\" is of type \"\(context.text(type))\" but must be non-nullable to be used for OneOf Input Object \"\(parent.name)\".",
        declared.node, variable)
    }
  }

  private static func isAllowed(
    _ type: PackedType, _ hasDefault: Bool, _ expected: PackedType, _ variable: VariableNode,
    _ context: ValidationContext
  ) -> Bool {
    if expected.isNonNull, !type.isNonNull {
      let positionHasDefault =
        context.inputValueIndex(given: variable).map { context.inputValue(at: $0).defaultValue != 0 } ?? false
      return (hasDefault || positionHasDefault) && isSubtype(type, expected.nullable)
    }
    return isSubtype(type, expected)
  }

  /// Whether a type is compatible with another. Named input types have no subtypes, so that only `!` can differ.
  private static func isSubtype(_ type: PackedType, _ other: PackedType) -> Bool {
    var type = type
    var other = other
    while true {
      if other.isNonNull, !type.isNonNull { return false }
      switch (type.nullable.element, other.nullable.element) {
      case (let left?, let right?):
        type = left
        other = right
      case (nil, nil): return type.name == other.name
      default: return false
      }
    }
  }

  /// Returns the `@oneOf` input object of which the variable is a field value.
  private static func oneOfParent(_ variable: VariableNode, _ context: ValidationContext) -> TypeDefinition? {
    context.inputValueIndex(given: variable).flatMap { context.oneOfOwners[$0] }
  }
}
