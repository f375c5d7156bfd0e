/// The kinds of named types.
package enum TypeKind: UInt8, Sendable, Equatable, CaseIterable {
  case scalar, object, interface, union, `enum`, inputObject
}

package enum DefinitionNode: SyntaxView {
  case operation(OperationDefinitionNode)
  case fragment(FragmentDefinitionNode)
  /// A schema definition or extension.
  case schema(SchemaDefinitionNode)
  /// A type definition or extension.
  case typeDefinition(TypeDefinitionNode)
  case directiveDefinition(DirectiveDefinitionNode)

  package init?(_ document: Document, _ id: NodeID) {
    switch document.nodes[Int(id)].kind {
    case .operationDefinition: self = .operation(OperationDefinitionNode(document, id))
    case .fragmentDefinition: self = .fragment(FragmentDefinitionNode(document, id))
    case .schemaDefinition: self = .schema(SchemaDefinitionNode(document, id))
    case .directiveDefinition: self = .directiveDefinition(DirectiveDefinitionNode(document, id))
    case .scalarTypeDefinition, .objectTypeDefinition, .interfaceTypeDefinition, .unionTypeDefinition,
      .enumTypeDefinition, .inputObjectTypeDefinition:
      self = .typeDefinition(TypeDefinitionNode(document, id))
    default: return nil
    }
  }

  private var erasedParts: (Document, NodeID) {
    switch self {
    case .operation(let node): (node.document, node.id)
    case .fragment(let node): (node.document, node.id)
    case .schema(let node): (node.document, node.id)
    case .typeDefinition(let node): (node.document, node.id)
    case .directiveDefinition(let node): (node.document, node.id)
    }
  }

  package var document: Document { erasedParts.0 }
  package var id: NodeID { erasedParts.1 }

  package var isExecutable: Bool {
    switch self {
    case .operation, .fragment: true
    case .schema, .typeDefinition, .directiveDefinition: false
    }
  }
}

/// The schema definition, or an extension of it.
package struct SchemaDefinitionNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var isExtension: Bool { flags.contains(.isExtension) }
  package var description: String? { describedText() }
  package var directives: [DirectiveNode] { directiveNodes }
  package var rootOperations: [RootOperationTypeNode] {
    children(.rootOperationTypeDefinition).map { RootOperationTypeNode(document, $0) }
  }
}

/// A root operation type in a schema definition: `query: Query`.
package struct RootOperationTypeNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var operation: OperationType { OperationType(flags) }
  package var type: NamedTypeNode { NamedTypeNode(document, id + 1) }
}

/// The definition of a named type, or an extension of one: `type Bird { … }`, `extend enum Color { … }`.
package struct TypeDefinitionNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var kind: TypeKind {
    switch node.kind {
    case .objectTypeDefinition: .object
    case .interfaceTypeDefinition: .interface
    case .unionTypeDefinition: .union
    case .enumTypeDefinition: .enum
    case .inputObjectTypeDefinition: .inputObject
    default: .scalar
    }
  }

  package var isExtension: Bool { flags.contains(.isExtension) }
  package var description: String? { describedText() }
  package var name: NameNode { NameNode(document, bodyID) }
  package var directives: [DirectiveNode] { directiveNodes }
  /// Interfaces that an object or interface implements: `Node` and `Animal` in `type Bird implements Node & Animal`.
  package var interfaces: [NamedTypeNode] {
    kind == .union ? [] : children(.namedType).map { NamedTypeNode(document, $0) }
  }
  package var fields: [FieldDefinitionNode] { children(.fieldDefinition).map { FieldDefinitionNode(document, $0) } }
  /// Member types of a union: `Bird` and `Nest` in `union Found = Bird | Nest`.
  package var memberTypes: [NamedTypeNode] {
    kind == .union ? children(.namedType).map { NamedTypeNode(document, $0) } : []
  }
  package var values: [EnumValueDefinitionNode] {
    children(.enumValueDefinition).map { EnumValueDefinitionNode(document, $0) }
  }
  package var inputFields: [InputValueDefinitionNode] {
    children(.inputValueDefinition).map { InputValueDefinitionNode(document, $0) }
  }
}

/// A field definition of an object or interface.
package struct FieldDefinitionNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var description: String? { describedText() }
  package var name: NameNode { NameNode(document, bodyID) }
  package var arguments: [InputValueDefinitionNode] {
    children(.inputValueDefinition).map { InputValueDefinitionNode(document, $0) }
  }
  package var type: TypeNode { TypeNode(document, child(.namedType) ?? child(.listType) ?? bodyID) }
  package var directives: [DirectiveNode] { directiveNodes }
}

/// The definition of an argument or of an input object field: `first: Int = 10`.
package struct InputValueDefinitionNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var description: String? { describedText() }
  package var name: NameNode { NameNode(document, bodyID) }
  package var type: TypeNode { TypeNode(document, bodyID + 1) }
  package var defaultValue: ValueNode? {
    let value = document.nodes[Int(bodyID) + 1].next
    guard value < node.next, document.nodes[Int(value)].kind != .directive else { return nil }
    return ValueNode(document, value)
  }
  package var directives: [DirectiveNode] { directiveNodes }
}

package struct EnumValueDefinitionNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var description: String? { describedText() }
  package var name: NameNode { NameNode(document, bodyID) }
  package var directives: [DirectiveNode] { directiveNodes }
}

/// The definition of a directive, or an extension of one: `directive @cost(weight: String!) on FIELD_DEFINITION`.
package struct DirectiveDefinitionNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var description: String? { describedText() }
  package var name: NameNode { NameNode(document, bodyID) }
  package var arguments: [InputValueDefinitionNode] {
    children(.inputValueDefinition).map { InputValueDefinitionNode(document, $0) }
  }
  package var isExtension: Bool { flags.contains(.isExtension) }
  package var directives: [DirectiveNode] { directiveNodes }
  package var isRepeatable: Bool { flags.contains(.isRepeatable) }
  package var locations: [String] {
    children(.directiveLocation).map { document.source.text(document.nodes[Int($0)].range) }
  }
}
