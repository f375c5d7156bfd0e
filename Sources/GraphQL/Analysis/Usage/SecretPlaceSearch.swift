import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusSecrets

/// Finds the values and variables of a document at places that a schema marks as secret. The document may be incomplete.
struct SecretPlaceSearch {
  private let marks: SecretMarks
  private var places = SecretPlaces()
  /// The arguments of fragment spreads, which are variables of the fragment.
  private var spreadArguments: [ArgumentNode] = []

  init(_ marks: SecretMarks) { self.marks = marks }

  func places(in document: Document) -> SecretPlaces {
    var search = self
    search.visit(document)
    search.places.values = SecretPlaces.merged(search.places.values)
    search.places.inputObjects = marks.inputObjects
    return search.places
  }

  private mutating func visit(_ document: Document) {
    var definitions: [VariableDefinitionNode] = []
    for fragment in document.fragments {
      definitions += fragment.variableDefinitions
      visit(fragment.directives)
      visit(fragment.selectionSet, of: marks.schema.type(named: fragment.typeCondition.name.value))
    }
    for operation in document.operations {
      definitions += operation.variableDefinitions
      visit(operation.directives)
      visit(operation.selectionSet, of: marks.schema.rootType(operation.operation))
    }
    for definition in definitions { visit(definition) }
    for argument in spreadArguments where isSecretVariable(argument.name.value) {
      visit(argument.value, isSecret: true, of: nil)
    }
    // A variable is known to be secret only after all its uses.
    for definition in definitions where isSecretVariable(definition.variable.name.value) {
      if let value = definition.defaultValue { places.values.append(value.range) }
    }
  }

  private func isSecretVariable(_ name: String) -> Bool { places.variables[name]?.isSecret ?? false }

  private mutating func visit(_ definition: VariableDefinitionNode) {
    let type = definition.type.name
    let inputObject = marks.inputObjects[type] == nil ? nil : type
    add(variable: definition.variable.name.value, .init(isSecret: false, inputObject: inputObject))
    if let value = definition.defaultValue { visit(value, isSecret: false, of: type) }
    visit(definition.directives)
  }

  private mutating func add(variable name: String, _ place: SecretPlaces.Place) {
    places.variables[name] = places.variables[name].map { SecretPlaces.union($0, place) } ?? place
  }

  private mutating func visit(_ set: SelectionSetNode, of type: TypeDefinition?) {
    for selection in set.selections {
      visit(selection.directives)
      switch selection {
      case .field(let node):
        let field = type?.field(named: node.name.value)
        for argument in node.arguments {
          let name = argument.name.value
          let isMarked = field.map { marks.isMarked(name, of: $0) } ?? marks.isMarked(unknown: name)
          visit(argument.value, isSecret: isMarked, of: field?.argument(named: name)?.type.name)
        }
        if let inner = node.selectionSet { visit(inner, of: field?.type.definition) }
      case .inlineFragment(let node):
        let condition = node.typeCondition
        visit(node.selectionSet, of: condition.map { marks.schema.type(named: $0.name.value) } ?? type)
      case .fragmentSpread(let node):
        spreadArguments += node.arguments
      }
    }
  }

  private mutating func visit(_ directives: [DirectiveNode]) {
    for node in directives {
      let directive = marks.schema.directive(named: node.name.value)
      for argument in node.arguments {
        let name = argument.name.value
        let isMarked = directive.map { marks.isMarked(name, of: $0) } ?? marks.isMarked(unknown: name)
        visit(argument.value, isSecret: isMarked, of: directive?.argument(named: name)?.type.name)
      }
    }
  }

  /// - Parameter type: The name of the value's type; nil if the schema lacks it.
  private mutating func visit(_ value: ValueNode, isSecret: Bool, of type: String?) {
    if isSecret, value.kind != .variable { places.values.append(value.range) }
    switch value.kind {
    case .variable:
      if isSecret { add(variable: value.variableName, .init(isSecret: true, inputObject: nil)) }
    case .list: for element in value.elements { visit(element, isSecret: isSecret, of: type) }
    case .object:
      for field in value.fields {
        let (isMarked, inner) = marks.field(field.name.value, of: type)
        visit(field.value, isSecret: isSecret || isMarked, of: inner)
      }
    case .int, .float, .string, .boolean, .enum, .null: break
    }
  }
}
