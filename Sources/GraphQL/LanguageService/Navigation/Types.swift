import ApusGraphQLLanguage
import ApusGraphQLSchema

extension LanguageService {
  /// Returns the type of the symbol at a byte offset: the type of a field, argument or variable, the enum of a value, the
  /// parent type of a fragment or an operation, or the named type itself.
  package func typeDefinition(at offset: Int) -> TypeDefinition? {
    guard let occurrence = occurrence(at: offset) else { return nil }
    switch occurrence.symbol {
    case .element(let element): return type(of: element)
    case .alias(_, let field): return field?.type.definition
    case .fragment(let name):
      return document.fragment(named: name).flatMap { schema?.type(named: $0.typeCondition.name.value) }
    case .operation(let name): return document.operation(named: name).flatMap { schema?.rootType($0.operation) }
    case .variable(let name): return type(ofVariable: name, in: variableDefinitions(at: offset))
    case .fragmentVariable(let fragment, let name):
      return type(ofVariable: name, in: document.fragment(named: fragment)?.variableDefinitions ?? [])
    }
  }

  private func type(of element: SchemaElement) -> TypeDefinition? {
    switch element {
    case .type(let type): type
    case .field(let field): field.type.definition
    case .argument(let input), .inputField(let input): input.type.definition
    case .enumValue: element.owner.flatMap { schema?.type(named: $0) }
    case .directive: nil
    }
  }

  private func type(ofVariable name: String, in definitions: [VariableDefinitionNode]) -> TypeDefinition? {
    definitions.first { $0.variable.name.hasValue(name) }.flatMap { schema?.type(named: $0.type.name) }
  }

  /// Returns the implementations of the element at a byte offset: for the interface `Node` its types (`Bird`), for
  /// `Node.id` their fields (`Bird.id`), and for an argument the arguments of those fields.
  package func implementations(at offset: Int) -> [SchemaElement] {
    guard let occurrence = occurrence(at: offset), case .element(let element) = occurrence.symbol else { return [] }
    switch element {
    case .type(let type): return types(implementing: type).map { .type($0) }
    case .field(let field): return fields(implementing: field).map { .field($0) }
    case .argument(let argument):
      guard case .field(let field) = owner(of: element) else { return [] }
      return fields(implementing: field).compactMap { $0.argument(named: argument.name) }.map { .argument($0) }
    case .inputField, .enumValue, .directive: return []
    }
  }

  /// Returns the field, directive or type that contains an argument, input field or enum value.
  func owner(of element: SchemaElement) -> SchemaElement? {
    guard let owner = element.owner, let coordinate = try? SchemaCoordinate(owner) else { return nil }
    return schema?.find(coordinate)
  }

  private func types(implementing type: TypeDefinition) -> [TypeDefinition] {
    switch type.kind {
    case .interface: type.schema.types.filter { $0.interfaces.contains(type) }
    case .union: type.possibleTypes
    case .scalar, .object, .enum, .inputObject: []
    }
  }

  private func fields(implementing field: FieldDefinition) -> [FieldDefinition] {
    types(implementing: field.parentType).compactMap { $0.field(named: field.name) }
  }
}
