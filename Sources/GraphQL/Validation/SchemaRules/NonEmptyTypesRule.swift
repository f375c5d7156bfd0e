import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Object types, interfaces, unions, enums and input objects must have at least one member. Invalid: `type Bird`,
/// unless an extension adds a field.
///
/// Specification: Objects, Interfaces, Unions, Enums and Input Objects, Type Validation.
enum NonEmptyTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for type in context.ownTypes where context.hasDefinition(type) {
      // All queries may be in other subgraphs.
      if let schema = context.schema, schema.federation != nil, schema.queryType == type { continue }
      let parts = context.parts(of: type)
      let message: String?
      switch type.kind {
      case .scalar: message = nil
      case .object, .interface:
        message = parts.allSatisfy(\.fields.isEmpty) ? "Type \(type.name) must define one or more fields." : nil
      case .union:
        message =
          parts.allSatisfy(\.memberTypes.isEmpty)
          ? "Union type \(type.name) must define one or more member types." : nil
      case .enum:
        message = parts.allSatisfy(\.values.isEmpty) ? "Enum type \(type.name) must define one or more values." : nil
      case .inputObject:
        message =
          parts.allSatisfy(\.inputFields.isEmpty)
          ? "Input Object type \(type.name) must define one or more fields." : nil
      }
      if let message { context.report(message, nodes: parts) }
    }
  }
}
