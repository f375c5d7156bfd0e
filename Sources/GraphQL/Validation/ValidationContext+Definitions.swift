import ApusGraphQLLanguage
import ApusGraphQLSchema

// Access to the schema's definitions for the document's nodes, similar to the reference implementation.
extension ValidationContext {
  /// Returns the composite parent type of a field, fragment spread, inline fragment or selection set; `nil` if it is
  /// unknown.
  func parentType(of node: NodeID) -> TypeDefinition? { type(at: typeIndex[Int(node)]) }

  /// Returns the type of a fragment definition; `nil` if the schema does not define it.
  func fragmentType(of fragment: NodeID) -> TypeDefinition? { type(at: typeIndex[Int(fragment)]) }

  /// Returns the type condition of an inline fragment; `nil` if there is none or the schema does not define it.
  func typeCondition(of fragment: NodeID) -> TypeDefinition? {
    guard let schema, let index = child(fragment, .namedType).flatMap({ type($0) }) else { return nil }
    return TypeDefinition(schema: schema, index: index)
  }

  /// Returns the definition of a field; `nil` if its parent type is unknown or has no such field.
  func fieldDefinition(of field: NodeID) -> FieldDefinition? {
    guard let schema, let index = definedIndex(of: field) else { return nil }
    return FieldDefinition(schema: schema, index: UInt32(index), parentIndex: UInt32(bitPattern: typeIndex[Int(field)]))
  }

  /// Returns the definition of a directive; `nil` if the schema does not define it.
  func directiveDefinition(of directive: NodeID) -> DirectiveDefinition? {
    guard let schema, let index = definedIndex(of: directive) else { return nil }
    return DirectiveDefinition(schema: schema, index: UInt32(index))
  }

  /// Returns the definition of an argument or input field; `nil` if there is none.
  func inputValue(of node: NodeID) -> InputValueDefinition? {
    guard let schema, let index = definedIndex(of: node) else { return nil }
    return InputValueDefinition(schema: schema, index: UInt32(index))
  }

  /// Returns the schema's index of an argument or input field.
  func inputValueIndex(of node: NodeID) -> Int? { definedIndex(of: node) }

  /// Whether the schema defines a field, a directive, an argument or an input field.
  func isDefined(_ node: NodeID) -> Bool { definitionIndex[Int(node)] >= 0 }

  /// Returns the expected type of a value; `nil` if it is unknown.
  func inputType(of value: NodeID) -> PackedType? {
    let type = expected[Int(value)]
    return type.name == Self.none ? nil : type
  }

  /// Returns the index of the argument or input field that has the node as its direct value, for its default value.
  func inputValueIndex(given value: NodeID) -> Int? {
    position[Int(value)] < 0 ? nil : Int(position[Int(value)])
  }

  /// Returns the ID of the name of a directive, an argument, a fragment spread or a variable.
  func nameID(of node: NodeID) -> UInt32 { nameOf[Int(node) + 1] }

  func fieldNameID(of field: NodeID) -> UInt32 { nameOf[Int(fieldName(field))] }

  func kind(ofType type: UInt32) -> TypeKind { storage.types[Int(type)].kind }

  /// Whether a type has a definition, not only extensions.
  func hasDefinition(_ type: UInt32) -> Bool { storage.types[Int(type)].isDefined }

  func isOneOf(_ type: UInt32) -> Bool { storage.types[Int(type)].isOneOf }

  /// The fields of an input object, as indices for `inputValue(at:)`.
  func inputFields(of type: UInt32) -> Range<Int> { storage.types[Int(type)].inputFields.indices }

  /// The argument or input field at an index in the schema.
  func inputValue(at index: Int) -> InputValueRecord { storage.inputValues[index] }

  /// Whether this document defines an argument or input field.
  func isInDocument(_ value: InputValueRecord) -> Bool {
    storage.documents[Int(value.place.document)] === document
  }

  var subscriptionType: UInt32? { storage.rootTypes[2] }

  // MARK: Names and numbers of the schema's definitions

  var typeCount: Int { storage.types.count }
  var inputValueCount: Int { storage.inputValues.count }
  var directiveCount: Int { storage.directives.count }
  /// The names of the types with a definition.
  var typeNames: [String] { storage.types.filter(\.isDefined).map { storage.names[$0.name] } }

  func directiveNames(allowedAt location: DirectiveLocation) -> [String] {
    storage.directives.filter { $0.allows(location) }.map { storage.names[$0.name] }
  }

  private func definedIndex(of node: NodeID) -> Int? {
    isDefined(node) ? Int(definitionIndex[Int(node)]) : nil
  }

  private func type(at index: Int32) -> TypeDefinition? {
    guard let schema, index >= 0 else { return nil }
    return TypeDefinition(schema: schema, index: UInt32(index))
  }
}
