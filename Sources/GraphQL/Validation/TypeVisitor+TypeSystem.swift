import ApusGraphQLLanguage
import ApusGraphQLSchema

// Type system definitions: types, directives and their members.
extension TypeVisitor {
  func walkTypeSystem(_ id: NodeID) {
    let location: DirectiveLocation
    switch nodes.kind(id) {
    case .schemaDefinition:
      context.schemaDefinitions.append(id: id)
      location = .schema
    case .directiveDefinition:
      context.directiveDefinitions.append(id: id)
      location = .directiveDefinition
    case .scalarTypeDefinition: location = .scalar
    case .objectTypeDefinition: location = .object
    case .interfaceTypeDefinition: location = .interface
    case .unionTypeDefinition: location = .union
    case .enumTypeDefinition: location = .enum
    case .inputObjectTypeDefinition: location = .inputObject
    default: return
    }
    if location != .schema, location != .directiveDefinition { context.typeDefinitions.append(id: id) }
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .directive: walkDirective(child, on: id, location)
      case .namedType: addNamedType(child)
      case .rootOperationTypeDefinition: addNamedType(child + 1)
      case .fieldDefinition: walkFieldDefinition(child, of: id)
      case .inputValueDefinition:
        walkInputValue(child, of: id, location == .inputObject ? .inputFieldDefinition : .argumentDefinition)
      case .enumValueDefinition:
        for directive in nodes.children(of: child) where nodes.kind(directive) == .directive {
          walkDirective(directive, on: child, .enumValue)
        }
      default: break
      }
    }
  }

  private func walkFieldDefinition(_ id: NodeID, of type: NodeID) {
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
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
      InputValueContext(context.document, id, owner: owner, field: field))
    var type = ValidationContext.unknown
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .name: break
      case .namedType, .listType:
        walkTypeReference(child)
        if let packed = context.packedType(at: child),
          let index = context.typeIndex(named: packed.name), context.isInput(index)
        {
          type = packed
        }
      case .directive: walkDirective(child, on: id, location)
      case .stringValue where child == id + 1 && nodes.has(.hasDescription, id): break
      default: walkValue(child, type, position: -1)
      }
    }
  }

  func walkTypeReference(_ id: NodeID) {
    var inner = id
    while nodes.kind(inner) == .listType, inner + 1 < nodes.next(inner) { inner += 1 }
    addNamedType(inner)
  }
}
