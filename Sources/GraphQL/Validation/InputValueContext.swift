import ApusGraphQLLanguage

/// The definition of an argument or input field, with its owner.
struct InputValueContext {
  enum Owner {
    case inputObject(TypeDefinitionNode)
    case field(FieldDefinitionNode, TypeDefinitionNode)
    case directive(DirectiveDefinitionNode)
  }

  let node: InputValueDefinitionNode
  /// The type or directive.
  private let ownerID: NodeID
  /// The field; `nil` for an argument of a directive and for an input field.
  private let fieldID: NodeID?

  init(_ document: Document, _ id: NodeID, owner: NodeID, field: NodeID?) {
    node = InputValueDefinitionNode(document, id)
    ownerID = owner
    fieldID = field
  }

  var owner: Owner {
    if let fieldID {
      return .field(FieldDefinitionNode(node.document, fieldID), TypeDefinitionNode(node.document, ownerID))
    }
    return AnyNode(node.document, ownerID).kind == .directiveDefinition
      ? .directive(DirectiveDefinitionNode(node.document, ownerID))
      : .inputObject(TypeDefinitionNode(node.document, ownerID))
  }

  /// The schema coordinate: `Type.field(argument:)`, `@directive(argument:)` or `Type.inputField`.
  var coordinate: String {
    let name = node.name.value
    return switch owner {
    case .inputObject(let type): "\(type.name.value).\(name)"
    case .field(let field, let type): "\(type.name.value).\(field.name.value)(\(name):)"
    case .directive(let directive): "@\(directive.name.value)(\(name):)"
    }
  }

  /// The kind of the definition, for messages.
  var words: String {
    switch owner {
    case .inputObject: "input field"
    case .field, .directive: "argument"
    }
  }
}
