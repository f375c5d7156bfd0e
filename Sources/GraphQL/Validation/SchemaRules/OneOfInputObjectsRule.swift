import ApusGraphQLLanguage

/// The fields of a `@oneOf` input object must be nullable and have no default values.
///
/// Specification: Input Objects, Type Validation.
enum OneOfInputObjectsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for place in context.inputValueDefinitions where place.location == .inputFieldDefinition {
      guard let type = context.type(NodeID(context.bodyID(place.owner))), context.isOneOf(type) else {
        continue
      }
      if let reference = context.typeReference(place.node), context.flags(reference).contains(.isNonNull) {
        context.report("OneOf input field \(place.coordinate(context)) must be nullable.", reference)
      }
      if InputValueDefinitionNode(context.document, place.node).defaultValue != nil {
        context.report(
          "OneOf input field \(place.coordinate(context)) cannot have a default value.", place.node)
      }
    }
  }
}
