import ApusGraphQLLanguage
import ApusGraphQLSchema

// Names that a symbol cannot have.
extension RenameScope {
  static func isReserved(_ name: String, for symbol: Symbol) -> Bool {
    switch symbol {
    case .fragment: name == "on"
    case .element(.enumValue): name.hasPrefix("__") || ["true", "false", "null"].contains(name)
    case .element, .alias: name.hasPrefix("__")
    case .operation, .variable, .fragmentVariable: false
    }
  }

  /// Whether another symbol that must have a different name already has the name.
  func isTaken(_ name: String, like occurrence: Occurrence, near references: [Range<Int>]) -> Bool {
    let document = service.document
    switch occurrence.symbol {
    case .operation: return document.operation(named: name) != nil
    case .fragment: return document.fragment(named: name) != nil
    case .variable:
      return references.contains { range in
        service.variableDefinitions(at: range.upperBound).contains { $0.variable.name.hasValue(name) }
      }
    case .fragmentVariable(let fragment, _):
      guard let fragment = document.fragment(named: fragment) else { return false }
      let others = service.variableDefinitions(at: fragment.range.upperBound)
      return fragment.declaredVariables.contains(name) || others.contains { $0.variable.name.hasValue(name) }
    case .alias: return responseKeys(beside: occurrence.range).contains(name)
    case .element(let element):
      return family(of: element).contains { siblings(of: $0).contains(name) }
    }
  }

  /// Returns the names in the scope in which the element's name must be unique.
  private func siblings(of element: SchemaElement) -> Set<String> {
    switch element {
    case .type: return Set(service.schema?.types.map(\.name) ?? [])
    case .directive: return Set(service.schema?.directives.map(\.name) ?? [])
    case .field(let field): return Set(field.parentType.fields.map(\.name))
    case .argument, .inputField, .enumValue:
      switch service.owner(of: element) {
      case .field(let field): return Set(field.arguments.map(\.name))
      case .directive(let directive): return Set(directive.arguments.map(\.name))
      case .type(let type): return Set(type.inputFields.map(\.name) + type.enumValues.map(\.name))
      case .argument, .inputField, .enumValue, nil: return []
      }
    }
  }

  /// Returns the response keys that are merged with the selection of an alias.
  private func responseKeys(beside alias: Range<Int>) -> Set<String> {
    let document = service.document
    var top: SelectionSetNode?
    var operationID: NodeID?
    for node in document.nodes(containing: alias.upperBound) {
      switch node.kind {
      case .selectionSet where top == nil: top = SelectionSetNode(document, node.id)
      case .field where FieldNode(document, node.id).alias?.range == alias: operationID = node.id
      // The selections of another field are merged separately.
      case .field: top = nil
      default: break
      }
    }
    var keys: Set<String> = []
    var fragments: Set<String> = []
    var pending = top.map { [$0] } ?? []
    while let set = pending.popLast() {
      for selection in set.selections {
        switch selection {
        case .field(let field):
          if field.id != operationID { keys.insert((field.alias ?? field.name).value) }
        case .inlineFragment(let fragment): pending.append(fragment.selectionSet)
        case .fragmentSpread(let spread):
          let name = spread.name.value
          if fragments.insert(name).inserted, let fragment = document.fragment(named: name) {
            pending.append(fragment.selectionSet)
          }
        }
      }
    }
    return keys
  }
}
