package enum OperationType: String, Sendable, CaseIterable {
  case query, mutation, subscription

  package init(_ flags: SyntaxFlags) {
    self = flags.contains(.isMutation) ? .mutation : flags.contains(.isSubscription) ? .subscription : .query
  }
}

/// An operation definition: a query, mutation or subscription.
package struct OperationDefinitionNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var operation: OperationType { OperationType(flags) }
  /// Whether the operation is only a selection set.
  package var isShorthand: Bool { flags.contains(.isShorthand) }
  package var description: String? { describedText() }
  package var name: NameNode? { child(.name).map { NameNode(document, $0) } }
  package var variableDefinitions: [VariableDefinitionNode] {
    children(.variableDefinition).map { VariableDefinitionNode(document, $0) }
  }
  package var directives: [DirectiveNode] { directiveNodes }
  /// The selection set; empty and missing if the source has none.
  package var selectionSet: SelectionSetNode { SelectionSetNode(document, child(.selectionSet) ?? id) }
}

package struct FragmentDefinitionNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var description: String? { describedText() }
  package var name: NameNode { NameNode(document, bodyID) }
  package var typeCondition: NamedTypeNode { NamedTypeNode(document, child(.namedType) ?? bodyID) }
  package var variableDefinitions: [VariableDefinitionNode] {
    children(.variableDefinition).map { VariableDefinitionNode(document, $0) }
  }
  package var directives: [DirectiveNode] { directiveNodes }
  package var selectionSet: SelectionSetNode { SelectionSetNode(document, child(.selectionSet) ?? id) }
}

/// A variable definition of an operation or fragment.
package struct VariableDefinitionNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var description: String? { describedText() }
  package var variable: VariableNode { VariableNode(document, bodyID) }
  package var type: TypeNode { TypeNode(document, document.nodes[Int(bodyID)].next) }
  package var defaultValue: ValueNode? {
    let value = document.nodes[Int(type.id)].next
    guard value < node.next, document.nodes[Int(value)].kind != .directive else { return nil }
    return ValueNode(document, value)
  }
  package var directives: [DirectiveNode] { directiveNodes }
}

/// A `$name`, in a definition or in a value.
package struct VariableNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id + 1) }
}

/// A selection set in braces.
package struct SelectionSetNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var selections: [SelectionNode] {
    document.children(of: id).compactMap { SelectionNode(document, $0) }
  }
}

package enum SelectionNode: SyntaxView {
  case field(FieldNode)
  case fragmentSpread(FragmentSpreadNode)
  case inlineFragment(InlineFragmentNode)

  package init?(_ document: Document, _ id: NodeID) {
    switch document.nodes[Int(id)].kind {
    case .field: self = .field(FieldNode(document, id))
    case .fragmentSpread: self = .fragmentSpread(FragmentSpreadNode(document, id))
    case .inlineFragment: self = .inlineFragment(InlineFragmentNode(document, id))
    default: return nil
    }
  }

  package var document: Document {
    switch self {
    case .field(let node): node.document
    case .fragmentSpread(let node): node.document
    case .inlineFragment(let node): node.document
    }
  }

  package var id: NodeID {
    switch self {
    case .field(let node): node.id
    case .fragmentSpread(let node): node.id
    case .inlineFragment(let node): node.id
    }
  }

  package var directives: [DirectiveNode] { directiveNodes }
}

package struct FieldNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var alias: NameNode? { flags.contains(.hasAlias) ? NameNode(document, id + 1) : nil }
  package var name: NameNode { NameNode(document, flags.contains(.hasAlias) ? id + 2 : id + 1) }
  /// The response key: the alias, or else the name.
  package var responseKey: String { NameNode(document, id + 1).value }
  package var arguments: [ArgumentNode] { children(.argument).map { ArgumentNode(document, $0) } }
  package func argument(named name: String) -> ArgumentNode? { arguments.first { $0.name.hasValue(name) } }
  package var directives: [DirectiveNode] { directiveNodes }
  package var selectionSet: SelectionSetNode? { child(.selectionSet).map { SelectionSetNode(document, $0) } }
}

package struct FragmentSpreadNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id + 1) }
  /// The arguments for the variables of the fragment.
  package var arguments: [ArgumentNode] { children(.argument).map { ArgumentNode(document, $0) } }
  package var directives: [DirectiveNode] { directiveNodes }
}

/// An inline fragment, with an optional type condition and directives.
package struct InlineFragmentNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var typeCondition: NamedTypeNode? { child(.namedType).map { NamedTypeNode(document, $0) } }
  package var directives: [DirectiveNode] { directiveNodes }
  package var selectionSet: SelectionSetNode { SelectionSetNode(document, child(.selectionSet) ?? id) }
}

/// An argument of a field, directive or fragment spread.
package struct ArgumentNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id + 1) }
  package var value: ValueNode { ValueNode(document, id + 2) }
}

/// A directive with its arguments.
package struct DirectiveNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  /// The name without `@`.
  package var name: NameNode { NameNode(document, id + 1) }
  package var arguments: [ArgumentNode] { children(.argument).map { ArgumentNode(document, $0) } }
  package func argument(named name: String) -> ArgumentNode? { arguments.first { $0.name.hasValue(name) } }
}
