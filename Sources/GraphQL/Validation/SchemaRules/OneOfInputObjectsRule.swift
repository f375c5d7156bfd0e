import ApusGraphQLLanguage

/// The fields of a `@oneOf` input object must be nullable and have no default values. Invalid:
/// `input By @oneOf { id: ID! name: String = "Owl" }`.
///
/// Specification: Input Objects, Type Validation.
enum OneOfInputObjectsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    if context.oneOfOwners.isEmpty { return }
    for input in context.inputValueDefinitions {
      guard case .inputObject(let node) = input.owner, let type = context.type(named: node.name), type.isOneOf else {
        continue
      }
      if input.node.type.isNonNull {
        context.report("OneOf input field \(input.coordinate) must be nullable.", input.node.type)
      }
      if input.node.defaultValue != nil {
        context.report("OneOf input field \(input.coordinate) cannot have a default value.", input.node)
      }
    }
  }
}
