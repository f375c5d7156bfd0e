import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A variable's type fits where the variable stands.
///
/// Specification: All Variable Usages Are Allowed.
enum VariablesInAllowedPositionRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for operation in context.operations {
      var definitions: [UInt32: NodeID] = [:]
      for definition in context.within(operation, context.variableDefinitions) {
        definitions[context.nameOf[context.bodyID(definition) + 1]] = definition
      }
      guard !definitions.isEmpty else { continue }
      for variable in context.variableUses(in: operation) {
        guard let definition = definitions[context.nameOf[Int(variable) + 1]] else { continue }
        check(variable, definition, context)
      }
    }
  }

  private static func check(_ variable: NodeID, _ id: NodeID, _ context: ValidationContext) {
    let expected = context.expected[Int(variable)]
    guard expected.name != ValidationContext.none else { return }
    let definition = VariableDefinitionNode(context.document, id)
    guard let type = context.packed(definition.type.id) else { return }
    let name = context.name(variable + 1)

    if !isAllowed(type, definition.defaultValue, expected, variable, context) {
      context.report(
        "Variable \"$\(name)\" of type \"\(context.text(type))\" used in position expecting type \"\(context.text(expected))\".",
        id, variable)
    }
    if !type.isNonNull, let parent = oneOfParent(variable, context) {
      context.report(
        "Variable \"$\(name)\" is of type \"\(context.text(type))\" but must be non-nullable to be used for OneOf Input Object \"\(context.typeName(parent))\".",
        id, variable)
    }
  }

  private static func isAllowed(
    _ type: PackedType, _ defaultValue: ValueNode?, _ expected: PackedType, _ variable: NodeID,
    _ context: ValidationContext
  ) -> Bool {
    if expected.isNonNull, !type.isNonNull {
      let hasDefault = defaultValue.map { $0.kind != .null } ?? false
      let position = context.position[Int(variable)]
      let positionHasDefault = position >= 0 && context.storage.inputValues[Int(position)].defaultValue != 0
      return (hasDefault || positionHasDefault) && isSubtype(type, expected.nullable)
    }
    return isSubtype(type, expected)
  }

  /// Input types have no subtypes by name: only `!` may be more than what is expected.
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

  /// The input object with exactly one field that the variable is the field's value of.
  private static func oneOfParent(_ variable: NodeID, _ context: ValidationContext) -> UInt32? {
    let position = context.position[Int(variable)]
    guard position >= 0 else { return nil }
    return context.oneOfOwners[Int(position)]
  }
}
