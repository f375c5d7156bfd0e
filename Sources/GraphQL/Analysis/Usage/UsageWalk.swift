import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Collects the elements and fragment spreads that a definition uses. The depth is limited by the parser.
struct UsageWalk {
  private let schema: Schema
  private(set) var elements: Set<UsedElement> = []
  private(set) var spreads: Set<String> = []
  /// The arguments and input fields with variables as their values.
  private(set) var variableUses: Set<VariableUse> = []

  struct VariableUse: Hashable {
    let variable: String
    let place: SchemaCoordinate
  }

  init(_ operation: OperationDefinitionNode, _ schema: Schema) {
    self.schema = schema
    let root = schema.rootType(operation.operation)
    if let root { use(.type(root.name)) }
    for variable in operation.variableDefinitions {
      if let type = schema.type(named: variable.type.name) {
        useAnyValue(of: type)
        if let value = variable.defaultValue { use(value, as: type.reference) }
      }
      use(variable.directives, .variableDefinition)
    }
    use(operation.directives, operation.operation.location)
    use(operation.selectionSet, on: root)
  }

  init(_ fragment: FragmentDefinitionNode, _ schema: Schema) {
    self.schema = schema
    use(fragment.directives, .fragmentDefinition)
    use(fragment.selectionSet, on: condition(fragment.typeCondition))
  }

  private mutating func use(_ coordinate: SchemaCoordinate) { elements.insert(.coordinate(coordinate)) }

  private mutating func condition(_ node: NamedTypeNode) -> TypeDefinition? {
    guard let type = schema.type(named: node.name.value) else { return nil }
    use(.type(type.name))
    elements.insert(.typeCondition(type.name))
    return type
  }

  // MARK: Selections

  private mutating func use(_ set: SelectionSetNode, on type: TypeDefinition?) {
    for selection in set.selections {
      switch selection {
      case .field(let field):
        use(field.directives, .field)
        use(field, on: type)
      case .fragmentSpread(let spread):
        spreads.insert(spread.name.value)
        use(spread.directives, .fragmentSpread)
      case .inlineFragment(let fragment):
        use(fragment.directives, .inlineFragment)
        let inner = fragment.typeCondition.map { condition($0) } ?? type
        use(fragment.selectionSet, on: inner)
      }
    }
  }

  private mutating func use(_ node: FieldNode, on type: TypeDefinition?) {
    let name = node.name.value
    let field = type.flatMap { $0.field(named: name) }
    if let type, let field, !name.hasPrefix("__") {
      // Selecting a field of an interface also uses the field of every implementing type.
      let owners = type.kind == .interface ? [type] + type.possibleTypes : [type]
      for owner in owners {
        use(.member(name, of: owner.name))
        use(node.arguments, for: owner.field(named: name)?.arguments ?? []) {
          .argument($0, field: name, type: owner.name)
        }
      }
      if let result = field.type.definition {
        use(.type(result.name))
        if result.kind == .enum { elements.insert(.anyValue(result.name)) }
      }
    }
    if let set = node.selectionSet { use(set, on: field?.type.definition) }
  }

  private mutating func use(_ directives: [DirectiveNode], _ location: DirectiveLocation) {
    for directive in directives {
      guard let definition = schema.directive(named: directive.name.value) else { continue }
      use(.directive(definition.name))
      elements.insert(.directive(definition.name, location))
      use(directive.arguments, for: definition.arguments) { .directiveArgument($0, directive: definition.name) }
    }
  }

  // MARK: Values

  private mutating func use(
    _ given: [ArgumentNode], for declared: [InputValueDefinition], _ place: (String) -> SchemaCoordinate
  ) {
    let values = Dictionary(given.map { ($0.name.value, $0.value) }) { first, _ in first }
    for argument in declared { use(values[argument.name], of: argument, at: place(argument.name)) }
  }

  private mutating func use(_ value: ValueNode?, of definition: InputValueDefinition, at place: SchemaCoordinate) {
    guard let value else {
      elements.insert(.absent(place))
      return
    }
    use(place)
    switch value.kind {
    case .variable: variableUses.insert(VariableUse(variable: value.variableName, place: place))
    case .null: elements.insert(.null(place))
    case .int, .float, .string, .boolean, .enum, .list, .object: break
    }
    use(value, as: definition.type)
  }

  private mutating func use(_ value: ValueNode, as type: TypeReference) {
    guard let definition = type.definition else { return }
    use(.type(definition.name))
    switch value.kind {
    case .list: for element in value.elements { use(element, as: type.elementType ?? type) }
    case .object:
      let values = Dictionary(value.fields.map { ($0.name.value, $0.value) }) { first, _ in first }
      for field in definition.inputFields {
        use(values[field.name], of: field, at: .member(field.name, of: definition.name))
      }
    case .enum: use(.member(value.text, of: definition.name))
    // The type of a variable is recorded at its definition.
    case .variable, .int, .float, .string, .boolean, .null: break
    }
  }

  /// Records a type and all types that its values may contain: a variable of the type `Filter` may use every field of
  /// `Filter`.
  private mutating func useAnyValue(of type: TypeDefinition) {
    var pending = [type]
    while let type = pending.popLast() {
      use(.type(type.name))
      guard type.kind == .inputObject || type.kind == .enum, elements.insert(.anyValue(type.name)).inserted else {
        continue
      }
      pending += type.inputFields.compactMap(\.type.definition)
    }
  }
}

extension OperationType {
  fileprivate var location: DirectiveLocation {
    switch self {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
}
