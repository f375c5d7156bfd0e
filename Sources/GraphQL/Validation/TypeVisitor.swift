import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Walks a document once and fills the tables of a context. The parser limits the depth.
struct TypeVisitor {
  let context: ValidationContext
  let nodes: NodeTable
  private let typename: NameID?
  private let schemaField: NameID?
  private let typeField: NameID?
  private let clientField: NameID?

  init(context: ValidationContext) {
    self.context = context
    nodes = NodeTable(context.document)
    typename = context.storage.names.find("__typename")
    schemaField = context.storage.names.find("__schema")
    typeField = context.storage.names.find("__type")
    clientField = context.storage.clientField.map { context.storage.fields[$0].name }
  }

  func walkDocument() {
    for definition in nodes.children(of: 0) {
      switch nodes.kind(definition) {
      case .operationDefinition: walkOperation(definition)
      case .fragmentDefinition: walkFragment(definition)
      default: walkTypeSystem(definition)
      }
    }
  }

  private func walkOperation(_ id: NodeID) {
    context.operations.append(id: id)
    let operation = OperationDefinitionNode(context.document, id).operation
    let location: DirectiveLocation =
      operation == .query ? .query : operation == .mutation ? .mutation : .subscription
    let root = context.schema?.rootType(operation)?.index
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .variableDefinition: walkVariableDefinition(child)
      case .directive: walkDirective(child, on: id, location)
      case .selectionSet: walkSelectionSet(child, of: id, root)
      default: break
      }
    }
  }

  private func walkFragment(_ id: NodeID) {
    context.fragments.append(id: id)
    var type: UInt32?
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .variableDefinition: walkVariableDefinition(child)
      case .directive: walkDirective(child, on: id, .fragmentDefinition)
      case .namedType:
        addNamedType(child)
        type = context.typeIndex(named: context.schemaNameID(at: child))
      case .selectionSet: walkSelectionSet(child, of: id, type)
      default: break
      }
    }
    context.typeIndex[Int(id)] = type.map(Int32.init) ?? -1
  }

  private func walkVariableDefinition(_ id: NodeID) {
    context.variableDefinitions.append(id: id)
    var type = ValidationContext.unknown
    var isDeclared = false
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .variable where !isDeclared:
        isDeclared = true
      case .namedType, .listType:
        walkTypeReference(child)
        if let packed = context.packedType(at: child),
          let index = context.typeIndex(named: packed.name), context.isInput(index)
        {
          type = packed
        }
      case .directive: walkDirective(child, on: id, .variableDefinition)
      case .stringValue where child == id + 1 && nodes.has(.hasDescription, id): break
      default: walkValue(child, type, position: -1)
      }
    }
  }

  func addNamedType(_ id: NodeID) {
    if !nodes.has(.isMissing, id) { context.namedTypes.append(id: id) }
  }

  // MARK: Selections

  /// Walks a selection set. A parent type without fields is treated as unknown.
  private func walkSelectionSet(_ id: NodeID, of owner: NodeID, _ type: UInt32?) {
    context.selectionSets.append(id: id)
    context.selectionSetOf[Int(owner)] = id
    let parent = type.flatMap { context.isComposite($0) ? $0 : nil }
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .field: walkField(child, parent)
      case .fragmentSpread: walkSpread(child, parent)
      default: walkInlineFragment(child, parent)
      }
    }
  }

  private func walkField(_ id: NodeID, _ parent: UInt32?) {
    context.fields.append(id: id)
    let field = parent.flatMap { definition(of: id, $0) }
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    context.definitionIndex[Int(id)] = field ?? -1
    let record = field.map { context.storage.fields[Int($0)] }
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .argument: walkArgument(child, record?.arguments)
      case .directive: walkDirective(child, on: id, .field)
      case .selectionSet: walkSelectionSet(child, of: id, record.flatMap { context.typeIndex(named: $0.type.name) })
      default: break
      }
    }
  }

  private func definition(of field: NodeID, _ parent: UInt32) -> Int32? {
    let name = context.schemaNameID(at: nodes.fieldName(field))
    guard name != ValidationContext.none, let schema = context.schema else { return nil }
    if name == typename { return Int32(context.storage.typenameField) }
    if name == clientField { return context.storage.clientField.map { Int32($0) } }
    if context.storage.rootTypes[0] == parent {
      if name == schemaField { return Int32(context.storage.schemaField) }
      if name == typeField { return Int32(context.storage.typeField) }
    }
    return schema.fieldIndex(of: parent, named: name).map { Int32($0) }
  }

  private func walkSpread(_ id: NodeID, _ parent: UInt32?) {
    context.spreads.append(id: id)
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .directive: walkDirective(child, on: id, .fragmentSpread)
      case .argument: walkFragmentArgument(child, of: id)
      default: break
      }
    }
  }

  private func walkInlineFragment(_ id: NodeID, _ parent: UInt32?) {
    context.inlineFragments.append(id: id)
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    var type = parent
    for child in nodes.children(of: id) {
      switch nodes.kind(child) {
      case .namedType:
        addNamedType(child)
        type = context.typeIndex(named: context.schemaNameID(at: child))
      case .directive: walkDirective(child, on: id, .inlineFragment)
      case .selectionSet: walkSelectionSet(child, of: id, type)
      default: break
      }
    }
  }

  // MARK: Arguments and values

  func walkDirective(_ id: NodeID, on owner: NodeID, _ location: DirectiveLocation) {
    context.directives.append(
      AppliedDirective(node: DirectiveNode(context.document, id), ownerID: owner, location: location))
    var definition: DirectiveRecord?
    let name = context.schemaNameID(at: id + 1)
    if name != ValidationContext.none, let index = context.storage.directive(named: name) {
      context.definitionIndex[Int(id)] = Int32(index)
      definition = context.storage.directives[index]
    }
    for child in nodes.children(of: id) where nodes.kind(child) == .argument {
      if definition?.takesFragmentArguments != true {
        walkArgument(child, definition?.arguments)
      } else if location == .fragmentSpread {
        walkFragmentArgument(child, of: owner)
      } else {
        walkFragmentVariable(child)
      }
    }
  }

  /// Walks an argument for a variable of the spread fragment.
  private func walkFragmentArgument(_ id: NodeID, of spread: NodeID) {
    context.arguments.append(id: id)
    if context.spreadsWithArguments.last?.id != spread { context.spreadsWithArguments.append(id: spread) }
    let variable = context.fragmentVariables[context.nameID(at: spread + 1)]?[context.nameID(at: id + 1)]
    walkValue(nodes.next(id + 1), variable?.expected ?? ValidationContext.unknown, position: -1)
  }

  /// Walks a variable declaration in `@argumentDefinitions`: `count: { type: "Int", defaultValue: 10 }`.
  private func walkFragmentVariable(_ id: NodeID) {
    context.arguments.append(id: id)
    let value = nodes.next(id + 1)
    guard nodes.kind(value) == .objectValue else {
      return walkValue(value, ValidationContext.unknown, position: -1)
    }
    let type = context.declaredFragmentVariable(ArgumentNode(context.document, id))?.type ?? ValidationContext.unknown
    for field in nodes.children(of: value) {
      let isDefault = NameNode(context.document, field + 1).hasValue("defaultValue")
      walkValue(nodes.next(field + 1), isDefault ? type : ValidationContext.unknown, position: -1)
    }
    context.values.append(id: value)
  }

  private func walkArgument(_ id: NodeID, _ defined: MemberRun?) {
    context.arguments.append(id: id)
    walkNamedValue(id, defined)
  }

  private func walkNamedValue(_ id: NodeID, _ defined: MemberRun?) {
    let value = nodes.next(id + 1)
    var type = ValidationContext.unknown
    var place: Int32 = -1
    let name = context.schemaNameID(at: id + 1)
    if let defined, name != ValidationContext.none,
      let index = context.storage.inputValue(named: name, in: defined)
    {
      place = Int32(index)
      type = context.storage.inputValues[index].type
    }
    context.definitionIndex[Int(id)] = place
    walkValue(value, type, position: place)
  }

  func walkValue(_ id: NodeID, _ type: PackedType, position: Int32) {
    context.expected[Int(id)] = type
    context.position[Int(id)] = position
    switch nodes.kind(id) {
    case .variable:
      context.variables.append(id: id)
      return
    case .listValue:
      // The elements of a list have no known type if no list is expected.
      let element = type.name == ValidationContext.none ? type : type.nullable.element ?? ValidationContext.unknown
      for child in nodes.children(of: id) { walkValue(child, element, position: -1) }
    case .objectValue:
      let object = context.typeIndex(named: type.name)
      let fields = object.flatMap {
        context.storage.types[Int($0)].kind == .inputObject ? context.storage.types[Int($0)].inputFields : nil
      }
      for child in nodes.children(of: id) { walkNamedValue(child, fields) }
    default: break
    }
    context.values.append(id: id)
  }
}
