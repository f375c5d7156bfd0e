/// A location in which a directive can be used (GraphQL specification, section 3.13).
package enum DirectiveLocation: String, Sendable, CaseIterable {
  case query = "QUERY"
  case mutation = "MUTATION"
  case subscription = "SUBSCRIPTION"
  case field = "FIELD"
  case fragmentDefinition = "FRAGMENT_DEFINITION"
  case fragmentSpread = "FRAGMENT_SPREAD"
  case inlineFragment = "INLINE_FRAGMENT"
  case variableDefinition = "VARIABLE_DEFINITION"
  case schema = "SCHEMA"
  case scalar = "SCALAR"
  case object = "OBJECT"
  case fieldDefinition = "FIELD_DEFINITION"
  case argumentDefinition = "ARGUMENT_DEFINITION"
  case interface = "INTERFACE"
  case union = "UNION"
  case `enum` = "ENUM"
  case enumValue = "ENUM_VALUE"
  case inputObject = "INPUT_OBJECT"
  case inputFieldDefinition = "INPUT_FIELD_DEFINITION"
  /// From the draft of the specification.
  case directiveDefinition = "DIRECTIVE_DEFINITION"

  /// Whether the location is in an executable document.
  package var isExecutable: Bool {
    switch self {
    case .query, .mutation, .subscription, .field, .fragmentDefinition, .fragmentSpread, .inlineFragment,
      .variableDefinition:
      true
    case .schema, .scalar, .object, .fieldDefinition, .argumentDefinition, .interface, .union, .enum, .enumValue,
      .inputObject, .inputFieldDefinition, .directiveDefinition:
      false
    }
  }
}
