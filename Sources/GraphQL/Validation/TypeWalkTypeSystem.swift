import ApusGraphQLLanguage
import ApusGraphQLSchema

// Type system definitions: types, directives and their members.
extension TypeVisitor {
  func walkTypeSystem(_ id: NodeID) {
    let location: DirectiveLocation
    switch context.kind(id) {
    case .schemaDefinition:
      context.schemaDefinitions.append(id)
      location = .schema
    case .directiveDefinition:
      context.directiveDefinitions.append(id)
      location = .directiveDefinition
    case .scalarTypeDefinition: location = .scalar
    case .objectTypeDefinition: location = .object
    case .interfaceTypeDefinition: location = .interface
    case .unionTypeDefinition: location = .union
    case .enumTypeDefinition: location = .enum
    case .inputObjectTypeDefinition: location = .inputObject
    default: return
    }
    if location != .schema, location != .directiveDefinition { context.typeDefinitions.append(id) }
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .directive: walkDirective(child, on: id, location)
      case .namedType: addNamedType(child)
      case .rootOperationTypeDefinition: addNamedType(child + 1)
      case .fieldDefinition: walkFieldDefinition(child, of: id)
      case .inputValueDefinition:
        walkInputValue(child, of: id, location == .inputObject ? .inputFieldDefinition : .argumentDefinition)
      case .enumValueDefinition:
        for directive in context.children(child, .directive) { walkDirective(directive, on: child, .enumValue) }
      default: break
      }
    }
  }

  private func walkFieldDefinition(_ id: NodeID, of type: NodeID) {
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .namedType, .listType: walkTypeReference(child)
      case .directive: walkDirective(child, on: id, .fieldDefinition)
      case .inputValueDefinition: walkInputValue(child, of: type, field: id, .argumentDefinition)
      default: break
      }
    }
  }

  private func walkInputValue(
    _ id: NodeID, of owner: NodeID, field: NodeID? = nil, _ location: DirectiveLocation
  ) {
    context.inputValueDefinitions.append(
      InputValueContext(node: id, owner: owner, field: field, location: location))
    var type = ValidationContext.unknown
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .name: break
      case .namedType, .listType:
        walkTypeReference(child)
        if let packed = context.packed(child), let index = context.type(of: packed), context.isInput(index) {
          type = packed
        }
      case .directive: walkDirective(child, on: id, location)
      case .stringValue where child == id + 1 && context.flags(id).contains(.hasDescription): break
      default: walkValue(child, type, position: -1)
      }
    }
  }

  func walkTypeReference(_ id: NodeID) {
    var inner = id
    while context.kind(inner) == .listType, inner + 1 < context.next(inner) { inner += 1 }
    addNamedType(inner)
  }
}
