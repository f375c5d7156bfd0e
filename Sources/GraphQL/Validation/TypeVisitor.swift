import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Walks a document once and fills the tables of a context. The parser limits the depth.
struct TypeVisitor {
  let context: ValidationContext
  private let typename: UInt32?
  private let schemaField: UInt32?
  private let typeField: UInt32?
  private let clientField: UInt32?

  init(context: ValidationContext) {
    self.context = context
    typename = context.storage.names.find("__typename")
    schemaField = context.storage.names.find("__schema")
    typeField = context.storage.names.find("__type")
    clientField = context.storage.clientField.map { context.storage.fields[$0].name }
  }

  func walkDocument() {
    for definition in context.document.children(of: 0) {
      switch context.kind(definition) {
      case .operationDefinition: walkOperation(definition)
      case .fragmentDefinition: walkFragment(definition)
      default: walkTypeSystem(definition)
      }
    }
  }

  private func walkOperation(_ id: NodeID) {
    context.operations.append(id)
    let operation = OperationDefinitionNode(context.document, id).operation
    let location: DirectiveLocation =
      operation == .query ? .query : operation == .mutation ? .mutation : .subscription
    let root = context.schema?.rootType(operation)?.index
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .variableDefinition: walkVariableDefinition(child)
      case .directive: walkDirective(child, on: id, location)
      case .selectionSet: walkSelectionSet(child, of: id, root)
      default: break
      }
    }
  }

  private func walkFragment(_ id: NodeID) {
    context.fragments.append(id)
    var type: UInt32?
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .variableDefinition: walkVariableDefinition(child)
      case .directive: walkDirective(child, on: id, .fragmentDefinition)
      case .namedType:
        addNamedType(child)
        type = context.type(child)
      case .selectionSet: walkSelectionSet(child, of: id, type)
      default: break
      }
    }
    context.typeIndex[Int(id)] = type.map(Int32.init) ?? -1
  }

  private func walkVariableDefinition(_ id: NodeID) {
    context.variableDefinitions.append(id)
    var type = ValidationContext.unknown
    var isDeclared = false
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .variable where !isDeclared:
        isDeclared = true
      case .namedType, .listType:
        walkTypeReference(child)
        if let packed = context.packed(child), let index = context.type(of: packed), context.isInput(index) {
          type = packed
        }
      case .directive: walkDirective(child, on: id, .variableDefinition)
      case .stringValue where child == id + 1 && context.flags(id).contains(.hasDescription): break
      default: walkValue(child, type, position: -1)
      }
    }
  }

  func addNamedType(_ id: NodeID) {
    if !context.isMissing(id) { context.namedTypes.append(id) }
  }

  // MARK: Selections

  /// Walks a selection set. A parent type without fields is treated as unknown.
  private func walkSelectionSet(_ id: NodeID, of owner: NodeID, _ type: UInt32?) {
    context.selectionSets.append(id)
    context.selectionSetOf[Int(owner)] = id
    let parent = type.flatMap { context.isComposite($0) ? $0 : nil }
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .field: walkField(child, parent)
      case .fragmentSpread: walkSpread(child, parent)
      default: walkInlineFragment(child, parent)
      }
    }
  }

  private func walkField(_ id: NodeID, _ parent: UInt32?) {
    context.fields.append(id)
    let field = parent.flatMap { definition(of: id, $0) }
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    context.definitionIndex[Int(id)] = field ?? -1
    let record = field.map { context.storage.fields[Int($0)] }
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .argument: walkArgument(child, record?.arguments)
      case .directive: walkDirective(child, on: id, .field)
      case .selectionSet: walkSelectionSet(child, of: id, record.flatMap { context.type(of: $0.type) })
      default: break
      }
    }
  }

  private func definition(of field: NodeID, _ parent: UInt32) -> Int32? {
    let name = context.nameOf[Int(context.fieldName(field))]
    guard name != ValidationContext.none else { return nil }
    let existing = context.schemaName[Int(name)]
    guard existing != ValidationContext.none, let schema = context.schema else { return nil }
    if existing == typename { return Int32(context.storage.typenameField) }
    if existing == clientField { return context.storage.clientField.map { Int32($0) } }
    if context.storage.rootTypes[0] == parent {
      if existing == schemaField { return Int32(context.storage.schemaField) }
      if existing == typeField { return Int32(context.storage.typeField) }
    }
    return schema.fieldIndex(of: parent, named: existing).map { Int32($0) }
  }

  private func walkSpread(_ id: NodeID, _ parent: UInt32?) {
    context.spreads.append(id)
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .directive: walkDirective(child, on: id, .fragmentSpread)
      case .argument: walkFragmentArgument(child, of: id)
      default: break
      }
    }
  }

  private func walkInlineFragment(_ id: NodeID, _ parent: UInt32?) {
    context.inlineFragments.append(id)
    context.typeIndex[Int(id)] = parent.map(Int32.init) ?? -1
    var type = parent
    for child in context.document.children(of: id) {
      switch context.kind(child) {
      case .namedType:
        addNamedType(child)
        type = context.type(child)
      case .directive: walkDirective(child, on: id, .inlineFragment)
      case .selectionSet: walkSelectionSet(child, of: id, type)
      default: break
      }
    }
  }

  // MARK: Arguments and values

  func walkDirective(_ id: NodeID, on owner: NodeID, _ location: DirectiveLocation) {
    context.directives.append(id)
    context.directiveOwners.append((owner, location))
    var existing: DirectiveRecord?
    let name = context.nameOf[Int(id) + 1]
    if name != ValidationContext.none, context.schemaName[Int(name)] != ValidationContext.none {
      if let index = context.storage.directive(named: context.schemaName[Int(name)]) {
        context.definitionIndex[Int(id)] = Int32(index)
        existing = context.storage.directives[index]
      }
    }
    for child in context.document.children(of: id) where context.kind(child) == .argument {
      if existing?.takesFragmentArguments != true {
        walkArgument(child, existing?.arguments)
      } else if location == .fragmentSpread {
        walkFragmentArgument(child, of: owner)
      } else {
        walkFragmentVariable(child)
      }
    }
  }

  /// Walks an argument for a variable of the spread fragment.
  private func walkFragmentArgument(_ id: NodeID, of spread: NodeID) {
    context.arguments.append(id)
    if context.spreadsWithArguments.last != spread { context.spreadsWithArguments.append(spread) }
    let variable = context.fragmentVariable(of: spread, named: context.nameOf[Int(id) + 1])
    walkValue(context.next(id + 1), variable?.expected ?? ValidationContext.unknown, position: -1)
  }

  /// Walks a variable declaration in `@argumentDefinitions`: `count: { type: "Int", defaultValue: 10 }`.
  private func walkFragmentVariable(_ id: NodeID) {
    context.arguments.append(id)
    let value = context.next(id + 1)
    guard context.kind(value) == .objectValue else {
      return walkValue(value, ValidationContext.unknown, position: -1)
    }
    let type = context.declaredFragmentVariable(id)?.type ?? ValidationContext.unknown
    for field in context.document.children(of: value) {
      let isDefault = context.name(field + 1) == "defaultValue"
      walkValue(context.next(field + 1), isDefault ? type : ValidationContext.unknown, position: -1)
    }
    context.values.append(value)
  }

  private func walkArgument(_ id: NodeID, _ existing: MemberRun?) {
    context.arguments.append(id)
    walkNamedValue(id, existing)
  }

  private func walkNamedValue(_ id: NodeID, _ existing: MemberRun?) {
    let value = context.next(id + 1)
    var type = ValidationContext.unknown
    var place: Int32 = -1
    let name = context.nameOf[Int(id) + 1]
    if let existing, name != ValidationContext.none,
      let index = context.storage.inputValue(named: context.schemaName[Int(name)], in: existing)
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
    switch context.kind(id) {
    case .variable:
      context.variables.append(id)
      return
    case .listValue:
      // The elements of a list have no known type if no list is expected.
      let element = type.name == ValidationContext.none ? type : type.nullable.element ?? ValidationContext.unknown
      for child in context.document.children(of: id) { walkValue(child, element, position: -1) }
    case .objectValue:
      let object = context.type(of: type)
      let existing = object.flatMap {
        context.storage.types[Int($0)].kind == .inputObject ? context.storage.types[Int($0)].inputFields : nil
      }
      for child in context.document.children(of: id) { walkNamedValue(child, existing) }
    default: break
    }
    context.values.append(id)
  }
}
