import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The meaning of a name in a document.
package enum Symbol: Sendable, Equatable {
  case operation(String)
  case fragment(String)
  /// A variable of the operations around the name.
  case variable(String)
  /// A variable that a fragment declares.
  case fragmentVariable(fragment: String, name: String)
  /// An alias and its field.
  case alias(String, FieldDefinition?)
  case element(SchemaElement)
}

/// A name in a document and its meaning.
package struct Occurrence: Sendable, Equatable {
  package let symbol: Symbol
  /// The byte range of the name.
  package let range: Range<Int>
  /// Whether the name is the definition that others refer to.
  package let isDefinition: Bool
}

extension LanguageService {
  /// Returns the symbol at a byte offset or ending at it.
  package func occurrence(at offset: Int) -> Occurrence? {
    var walk = OccurrenceWalk(service: self, offset: offset)
    walk.visitDocument()
    // Between two adjacent names, the one that begins at the offset wins.
    return walk.found.last { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
  }

  /// Returns all symbols of the document, in its order.
  package func occurrences() -> [Occurrence] {
    var walk = OccurrenceWalk(service: self, offset: nil)
    walk.visitDocument()
    return walk.found
  }
}

/// Walks a document with the types of a schema and collects the symbols.
struct OccurrenceWalk {
  private let document: Document
  private let schema: Schema?
  /// The offset to search; nodes that do not contain it are skipped. `nil` for the whole document.
  private let offset: Int?
  private(set) var found: [Occurrence] = []
  /// The fragment that is being visited, with the variables that it declares.
  private var fragment: (name: String, variables: Set<String>)?

  init(service: LanguageService, offset: Int?) {
    document = service.document
    schema = service.schema
    self.offset = offset
  }

  private func meets(_ range: Range<Int>) -> Bool {
    offset.map { range.lowerBound <= $0 && $0 <= range.upperBound } ?? true
  }

  private mutating func record(_ symbol: Symbol?, _ name: NameNode, isDefinition: Bool = false) {
    guard let symbol, !name.isMissing, meets(name.range) else { return }
    found.append(Occurrence(symbol: symbol, range: name.range, isDefinition: isDefinition))
  }

  mutating func visitDocument() {
    for id in document.children(of: 0) where meets(document.nodes[Int(id)].range) {
      switch DefinitionNode(document, id) {
      case .operation(let operation): visit(operation)
      case .fragment(let fragment): visit(fragment)
      case .schema(let node): visit(node)
      case .typeDefinition(let node): visit(node)
      case .directiveDefinition(let node): visit(node)
      case nil: break
      }
    }
  }

  // MARK: Executable definitions

  private mutating func visit(_ operation: OperationDefinitionNode) {
    if let name = operation.name { record(.operation(name.value), name, isDefinition: true) }
    visit(operation.variableDefinitions)
    visit(operation.directives)
    visit(operation.selectionSet, of: schema?.rootType(operation.operation))
  }

  private mutating func visit(_ fragment: FragmentDefinitionNode) {
    record(.fragment(fragment.name.value), fragment.name, isDefinition: true)
    self.fragment = (fragment.name.value, fragment.declaredVariables)
    defer { self.fragment = nil }
    visit(fragment.variableDefinitions)
    visitType(fragment.typeCondition.name)
    visit(fragment.directives)
    visit(fragment.selectionSet, of: schema?.type(named: fragment.typeCondition.name.value))
  }

  private mutating func visit(_ definitions: [VariableDefinitionNode]) {
    for definition in definitions where meets(definition.range) {
      noteVariable(definition.variable.name, isDefinition: true)
      visitType(definition.type.namedType.name)
      if let value = definition.defaultValue { visit(value, of: NodeTypeResolver.reference(definition.type, schema)) }
      visit(definition.directives)
    }
  }

  private mutating func visit(_ set: SelectionSetNode, of parent: TypeDefinition?) {
    guard set.kind == .selectionSet, meets(set.range) else { return }
    for selection in set.selections where meets(selection.range) {
      switch selection {
      case .field(let field): visit(field, of: parent)
      case .fragmentSpread(let spread):
        record(.fragment(spread.name.value), spread.name)
        visit(spread.arguments, of: spread)
        visit(spread.directives.filter { !$0.name.hasValue("arguments") })
        for directive in spread.directives where directive.name.hasValue("arguments") {
          noteDirective(directive)
          visit(directive.arguments, of: spread)
        }
      case .inlineFragment(let fragment):
        if let condition = fragment.typeCondition { visitType(condition.name) }
        visit(fragment.directives)
        let type = fragment.typeCondition.map { schema?.type(named: $0.name.value) } ?? parent
        visit(fragment.selectionSet, of: type)
      }
    }
  }

  private mutating func visit(_ field: FieldNode, of parent: TypeDefinition?) {
    let definition = parent?.field(named: field.name.value)
    if let alias = field.alias { record(.alias(alias.value, definition), alias, isDefinition: true) }
    record(definition.map { .element(.field($0)) }, field.name)
    visit(field.arguments, definition?.arguments ?? [])
    visit(field.directives)
    if let set = field.selectionSet { visit(set, of: definition?.type.definition) }
  }

  // MARK: Arguments and values

  private mutating func visit(_ arguments: [ArgumentNode], _ definitions: [InputValueDefinition]) {
    for argument in arguments where meets(argument.range) {
      let definition = definitions.first { argument.name.hasValue($0.name) }
      record(definition.map { .element(.argument($0)) }, argument.name)
      visit(argument.value, of: definition?.type)
    }
  }

  private mutating func visit(_ directives: [DirectiveNode]) {
    for directive in directives where meets(directive.range) {
      let definition = noteDirective(directive)
      guard let fragment, directive.name.hasValue("argumentDefinitions") else {
        visit(directive.arguments, definition?.arguments ?? [])
        continue
      }
      for argument in directive.arguments {
        let symbol = Symbol.fragmentVariable(fragment: fragment.name, name: argument.name.value)
        record(symbol, argument.name, isDefinition: true)
      }
    }
  }

  @discardableResult
  private mutating func noteDirective(_ directive: DirectiveNode) -> DirectiveDefinition? {
    let definition = (schema ?? LanguageService.builtIns).directive(named: directive.name.value)
    record(definition.map { .element(.directive($0)) }, directive.name)
    return definition
  }

  /// Visits the arguments of a fragment spread.
  private mutating func visit(_ arguments: [ArgumentNode], of spread: FragmentSpreadNode) {
    let name = spread.name.value
    let variables = document.fragment(named: name)?.variableDefinitions ?? []
    for argument in arguments where meets(argument.range) {
      record(.fragmentVariable(fragment: name, name: argument.name.value), argument.name)
      let definition = variables.first { $0.variable.name.value == argument.name.value }
      visit(argument.value, of: definition.flatMap { NodeTypeResolver.reference($0.type, schema) })
    }
  }

  private mutating func noteVariable(_ name: NameNode, isDefinition: Bool = false) {
    if let fragment, fragment.variables.contains(name.value) {
      record(.fragmentVariable(fragment: fragment.name, name: name.value), name, isDefinition: isDefinition)
    } else {
      record(.variable(name.value), name, isDefinition: isDefinition)
    }
  }

  private mutating func visit(_ value: ValueNode, of type: TypeReference?) {
    guard meets(value.range) else { return }
    switch value.kind {
    case .variable: noteVariable(NameNode(document, value.id + 1))
    case .enum:
      let definition = type?.definition?.enumValue(named: value.text)
      record(definition.map { .element(.enumValue($0)) }, NameNode(document, value.id))
    case .list: for element in value.elements { visit(element, of: type?.elementType ?? type) }
    case .object:
      for field in value.fields where meets(field.range) {
        let definition = type?.definition?.inputField(named: field.name.value)
        record(definition.map { .element(.inputField($0)) }, field.name)
        visit(field.value, of: definition?.type)
      }
    case .int, .float, .string, .boolean, .null: break
    }
  }

  private mutating func visitType(_ name: NameNode, isDefinition: Bool = false) {
    record(
      (schema ?? LanguageService.builtIns).type(named: name.value).map { .element(.type($0)) }, name,
      isDefinition: isDefinition)
  }

  // MARK: Type system definitions

  private mutating func visit(_ node: SchemaDefinitionNode) {
    visit(node.directives)
    for root in node.rootOperations { visitType(root.type.name) }
  }

  private mutating func visit(_ node: TypeDefinitionNode) {
    let type = schema?.type(named: node.name.value)
    visitType(node.name, isDefinition: !node.isExtension)
    for interface in node.interfaces { visitType(interface.name) }
    for member in node.memberTypes { visitType(member.name) }
    visit(node.directives)
    for field in node.fields where meets(field.range) {
      let definition = type?.field(named: field.name.value)
      record(definition.map { .element(.field($0)) }, field.name, isDefinition: true)
      visit(field.arguments, definition?.arguments ?? [], SchemaElement.argument)
      visitType(field.type.namedType.name)
      visit(field.directives)
    }
    visit(node.inputFields, type?.inputFields ?? [], SchemaElement.inputField)
    for value in node.values where meets(value.range) {
      record(type?.enumValue(named: value.name.value).map { .element(.enumValue($0)) }, value.name, isDefinition: true)
      visit(value.directives)
    }
  }

  private mutating func visit(_ node: DirectiveDefinitionNode) {
    let definition = schema?.directive(named: node.name.value)
    record(definition.map { .element(.directive($0)) }, node.name, isDefinition: true)
    visit(node.arguments, definition?.arguments ?? [], SchemaElement.argument)
  }

  private mutating func visit(
    _ nodes: [InputValueDefinitionNode], _ definitions: [InputValueDefinition],
    _ element: (InputValueDefinition) -> SchemaElement
  ) {
    for node in nodes where meets(node.range) {
      let definition = definitions.first { node.name.hasValue($0.name) }
      record(definition.map { .element(element($0)) }, node.name, isDefinition: true)
      visitType(node.type.namedType.name)
      if let value = node.defaultValue { visit(value, of: definition?.type) }
      visit(node.directives)
    }
  }
}

extension FragmentDefinitionNode {
  /// Names of the variables that the fragment declares, in parentheses or with Relay's `@argumentDefinitions`.
  var declaredVariables: Set<String> {
    Set(variableDefinitions.map(\.variable.name.value) + argumentDefinitions.map(\.name.value))
  }

  private var argumentDefinitions: [ArgumentNode] {
    directives.filter { $0.name.hasValue("argumentDefinitions") }.flatMap(\.arguments)
  }

  /// Returns the range of a variable's declaration in the fragment and the range of its name.
  package func declaration(ofVariable name: String) -> (range: Range<Int>, name: Range<Int>)? {
    if let definition = variableDefinitions.first(where: { $0.variable.name.hasValue(name) }) {
      return (definition.range, definition.variable.name.range)
    }
    return argumentDefinitions.first { $0.name.hasValue(name) }.map { ($0.range, $0.name.range) }
  }
}
