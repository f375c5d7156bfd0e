import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Object types, interfaces, unions, enums and input objects must have at least one member.
///
/// Specification: Objects, Interfaces, Unions, Enums and Input Objects, Type Validation.
enum NonEmptyTypesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for type in context.ownTypes where context.hasDefinition(type) {
      let title = context.typeName(type)
      let member: SyntaxKind
      let message: String
      switch context.kind(ofType: type) {
      case .scalar: continue
      case .object, .interface: (member, message) = (.fieldDefinition, "Type \(title) must define one or more fields.")
      case .union: (member, message) = (.namedType, "Union type \(title) must define one or more member types.")
      case .enum: (member, message) = (.enumValueDefinition, "Enum type \(title) must define one or more values.")
      case .inputObject:
        (member, message) = (.inputValueDefinition, "Input Object type \(title) must define one or more fields.")
      }
      let parts = context.parts(of: type)
      if parts.allSatisfy({ context.child($0, member) == nil }) { context.report(message, nodes: parts) }
    }
  }
}
