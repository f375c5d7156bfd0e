import ApusGraphQLLanguage

/// The kind of an outline item.
public enum OutlineKind: String, Sendable, Hashable, CaseIterable {
  /// An executable definition.
  case query, mutation, subscription, fragment
  /// A part of an executable definition.
  case field, fragmentSpread, inlineFragment, variable
  /// A type system definition or a part of one. A field of a type has the kind `field`.
  case type, interface, union, `enum`, input, scalar, directive, schema, enumValue
}

/// An entry of a document's outline, with its children.
package struct OutlineItem: Sendable, Equatable {
  package let name: String
  package let kind: OutlineKind
  /// Additional information, such as the type of a variable or field, or the type condition of a fragment.
  package var detail: String?
  /// Byte ranges of the whole node and of its name.
  package let range: Range<Int>
  package let nameRange: Range<Int>
  package var children: [OutlineItem] = []
}

extension LanguageService {
  /// Returns the definitions of the document with their contents, in order.
  package func outline() -> [OutlineItem] { document.definitions.compactMap(item) }

  private func item(_ definition: DefinitionNode) -> OutlineItem? {
    switch definition {
    case .operation(let node):
      let variables = node.variableDefinitions.map { variable in
        OutlineItem(
          name: "$\(variable.variable.name.value)", kind: .variable, detail: variable.type.description,
          range: variable.range, nameRange: variable.variable.range)
      }
      return OutlineItem(
        name: node.name?.value ?? node.operation.rawValue, kind: OutlineKind(node.operation), range: node.range,
        nameRange: node.name?.range ?? node.range.lowerBound..<node.range.lowerBound,
        children: variables + items(node.selectionSet))
    case .fragment(let node):
      return OutlineItem(
        name: node.name.value, kind: .fragment, detail: node.typeCondition.name.value, range: node.range,
        nameRange: node.name.range, children: items(node.selectionSet))
    case .schema(let node):
      return OutlineItem(
        name: "schema", kind: .schema, range: node.range, nameRange: node.range.lowerBound..<node.range.lowerBound)
    case .typeDefinition(let node): return item(node)
    case .directiveDefinition(let node):
      return OutlineItem(name: "@\(node.name.value)", kind: .directive, range: node.range, nameRange: node.name.range)
    }
  }

  private func items(_ set: SelectionSetNode) -> [OutlineItem] {
    guard set.kind == .selectionSet else { return [] }
    return set.selections.map { selection in
      switch selection {
      case .field(let node):
        OutlineItem(
          name: node.responseKey, kind: .field, detail: node.alias == nil ? nil : node.name.value, range: node.range,
          nameRange: node.alias?.range ?? node.name.range, children: node.selectionSet.map(items) ?? [])
      case .fragmentSpread(let node):
        OutlineItem(
          name: "...\(node.name.value)", kind: .fragmentSpread, range: node.range, nameRange: node.name.range)
      case .inlineFragment(let node):
        OutlineItem(
          name: node.typeCondition.map { "... on \($0.name.value)" } ?? "...", kind: .inlineFragment,
          range: node.range, nameRange: node.range.lowerBound..<node.range.lowerBound + 3,
          children: items(node.selectionSet))
      }
    }
  }

  private func item(_ node: TypeDefinitionNode) -> OutlineItem {
    let fields = node.fields.map {
      OutlineItem(
        name: $0.name.value, kind: .field, detail: $0.type.description, range: $0.range, nameRange: $0.name.range)
    }
    let inputs = node.inputFields.map {
      OutlineItem(
        name: $0.name.value, kind: .field, detail: $0.type.description, range: $0.range, nameRange: $0.name.range)
    }
    let values = node.values.map {
      OutlineItem(name: $0.name.value, kind: .enumValue, range: $0.range, nameRange: $0.name.range)
    }
    let kind: OutlineKind =
      switch node.kind {
      case .scalar: .scalar
      case .object: .type
      case .interface: .interface
      case .union: .union
      case .enum: .enum
      case .inputObject: .input
      }
    return OutlineItem(
      name: node.name.value, kind: kind, detail: node.isExtension ? "extend" : nil, range: node.range,
      nameRange: node.name.range, children: fields + inputs + values)
  }
}

extension OutlineKind {
  fileprivate init(_ operation: OperationType) {
    switch operation {
    case .query: self = .query
    case .mutation: self = .mutation
    case .subscription: self = .subscription
    }
  }
}
