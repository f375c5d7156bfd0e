/// The type of an operation (GraphQL specification, section 2.3).
public enum OperationType: String, Sendable, Hashable, CaseIterable {
  /// The operation types.
  case query, mutation, subscription

  package init(_ flags: SyntaxFlags) {
    self = flags.contains(.isMutation) ? .mutation : flags.contains(.isSubscription) ? .subscription : .query
  }
}

/// An operation definition: a query, mutation or subscription.
package struct OperationDefinitionNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var operation: OperationType { OperationType(flags) }
  /// Whether the operation is only a selection set: `{ bird { name } }`.
  package var isShorthand: Bool { flags.contains(.isShorthand) }
  package var description: String? { describedText() }
  package var name: NameNode? { child(.name).map { NameNode(document, $0) } }
  package var variableDefinitions: [VariableDefinitionNode] {
    children(.variableDefinition).map { VariableDefinitionNode(document, $0) }
  }
  package var directives: [DirectiveNode] { directiveNodes }
  /// The selection set; empty and missing if the source has none.
  package var selectionSet: SelectionSetNode { SelectionSetNode(document, child(.selectionSet) ?? id) }

  /// Returns the text that declares another variable, and its offset: `$id: ID!` becomes `query ($id: ID!) ` before
  /// `{ bird }`, and ` ($id: ID!)` after the keyword of `"A bird" query { bird }`.
  package func declaration(of variable: String) -> (offset: Int, text: String) {
    if let last = variableDefinitions.last { return (last.range.upperBound, ", \(variable)") }
    if isShorthand { return (range.lowerBound, "query (\(variable)) ") }
    if let name { return (name.range.upperBound, "(\(variable))") }
    let start = descriptionID.map { document.nodes[Int($0)].range.upperBound } ?? range.lowerBound
    let keyword = document.tokens(from: start, to: range.upperBound).first { $0.kind == .name }
    return (keyword?.range.upperBound ?? start, " (\(variable))")
  }
}

package struct FragmentDefinitionNode: TypedNode {
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

/// A variable definition of an operation or fragment: `$first: Int = 10`.
package struct VariableDefinitionNode: TypedNode {
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
package struct VariableNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id + 1) }
}

/// A selection set in braces.
package struct SelectionSetNode: TypedNode {
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

package struct FieldNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var alias: NameNode? { flags.contains(.hasAlias) ? NameNode(document, id + 1) : nil }
  package var name: NameNode { NameNode(document, flags.contains(.hasAlias) ? id + 2 : id + 1) }
  /// The key in the response: `a` for `a: name`, and `name` for `name`.
  package var responseName: NameNode { NameNode(document, id + 1) }
  package var responseKey: String { responseName.value }
  package var arguments: [ArgumentNode] { children(.argument).map { ArgumentNode(document, $0) } }
  package func argument(named name: String) -> ArgumentNode? { arguments.first { $0.name.hasValue(name) } }
  package var directives: [DirectiveNode] { directiveNodes }
  package var selectionSet: SelectionSetNode? { child(.selectionSet).map { SelectionSetNode(document, $0) } }
}

package struct FragmentSpreadNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id + 1) }
  /// Arguments for the variables of the fragment: `...Card(size: 2)`.
  package var arguments: [ArgumentNode] { children(.argument).map { ArgumentNode(document, $0) } }
  package var directives: [DirectiveNode] { directiveNodes }
}

/// An inline fragment, with an optional type condition and directives: `... on Bird @include(if: $full) { name }`.
package struct InlineFragmentNode: TypedNode {
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
package struct ArgumentNode: NamedValueNode {
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
package struct DirectiveNode: TypedNode {
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
