import ApusGraphQLLanguage
import ApusGraphQLSchema

// Access to the schema's definitions for the document's nodes, similar to the reference implementation.
extension ValidationContext {
  /// Returns the composite parent type of a field, fragment spread, inline fragment or selection set; `nil` if it is
  /// unknown.
  func parentType(of node: some SyntaxView) -> TypeDefinition? { type(at: typeIndex[Int(node.id)]) }

  /// Returns the type of a fragment definition; `nil` if the schema does not define it.
  func fragmentType(of fragment: FragmentDefinitionNode) -> TypeDefinition? { type(at: typeIndex[Int(fragment.id)]) }

  /// Returns the definition of a field; `nil` if its parent type is unknown or has no such field.
  func fieldDefinition(of field: FieldNode) -> FieldDefinition? {
    guard let schema, let index = definedIndex(of: field) else { return nil }
    return FieldDefinition(
      schema: schema, index: UInt32(index), parentIndex: UInt32(bitPattern: typeIndex[Int(field.id)]))
  }

  /// Returns the definition of a directive; `nil` if the schema does not define it.
  func directiveDefinition(of directive: DirectiveNode) -> DirectiveDefinition? {
    guard let schema, let index = definedIndex(of: directive) else { return nil }
    return DirectiveDefinition(schema: schema, index: UInt32(index))
  }

  /// Returns the definition of an argument or input field; `nil` if there is none.
  func inputValue(of node: some NamedValueNode) -> InputValueDefinition? {
    guard let schema, let index = definedIndex(of: node) else { return nil }
    return InputValueDefinition(schema: schema, index: UInt32(index))
  }

  /// Returns the schema's index of an argument or input field.
  func inputValueIndex(of node: some NamedValueNode) -> Int? { definedIndex(of: node) }

  /// Whether the schema defines a field, a directive, an argument or an input field.
  func isDefined(_ node: some SyntaxView) -> Bool { definitionIndex[Int(node.id)] >= 0 }

  /// Returns the expected type of a value or variable; `nil` if it is unknown.
  func inputType(of value: some SyntaxView) -> PackedType? {
    let type = expected[Int(value.id)]
    return type.name == Self.none ? nil : type
  }

  /// Returns the index of the argument or input field whose direct value is a variable, for its default value.
  func inputValueIndex(given variable: VariableNode) -> Int? {
    let index = position[Int(variable.id)]
    return index < 0 ? nil : Int(index)
  }

  /// Whether a type has a definition, not only extensions.
  func hasDefinition(_ type: TypeDefinition) -> Bool { storage.types[Int(type.index)].isDefined }

  /// The fields of an input object, as indices for `inputValue(at:)`.
  func inputFields(of type: TypeDefinition) -> Range<Int> { storage.types[Int(type.index)].inputFields.indices }

  /// The argument or input field at an index in the schema.
  func inputValue(at index: Int) -> InputValueRecord { storage.inputValues[index] }

  /// Whether this document defines an argument or input field.
  func isInDocument(_ value: InputValueRecord) -> Bool {
    storage.documents[Int(value.place.document)] === document
  }

  // MARK: Names and numbers of the schema's definitions

  var typeCount: Int { storage.types.count }
  var inputValueCount: Int { storage.inputValues.count }
  var directiveCount: Int { storage.directives.count }
  /// Names of the types with a definition.
  var typeNames: [String] { storage.types.filter(\.isDefined).map { storage.names[$0.name] } }

  var directiveNames: [String] { storage.directives.map { storage.names[$0.name] } }

  func directiveNames(allowedAt location: DirectiveLocation) -> [String] {
    storage.directives.filter { $0.allows(location) }.map { storage.names[$0.name] }
  }

  private func definedIndex(of node: some SyntaxView) -> Int? {
    isDefined(node) ? Int(definitionIndex[Int(node.id)]) : nil
  }

  private func type(at index: Int32) -> TypeDefinition? {
    guard let schema, index >= 0 else { return nil }
    return TypeDefinition(schema: schema, index: UInt32(index))
  }
}
