import ApusGraphQLLanguage
import ApusGraphQLSchema

// The definitions of the document's nodes in the schema. Rules ask for them as those of the reference implementation do.
extension ValidationContext {
  /// The composite type that a field, fragment spread, inline fragment or selection set is on; nil where it is not known.
  func parentType(of node: NodeID) -> TypeDefinition? { type(at: typeIndex[Int(node)]) }

  /// The type of a fragment definition; nil where the schema does not have it.
  func fragmentType(of fragment: NodeID) -> TypeDefinition? { type(at: typeIndex[Int(fragment)]) }

  /// The type that an inline fragment names; nil where it names none, or one that the schema does not have.
  func typeCondition(of fragment: NodeID) -> TypeDefinition? {
    guard let schema, let index = child(fragment, .namedType).flatMap({ type($0) }) else { return nil }
    return TypeDefinition(schema: schema, index: index)
  }

  /// The definition of a field; nil where its parent type is not known or has no such field.
  func fieldDefinition(of field: NodeID) -> FieldDefinition? {
    guard let schema, let index = definedIndex(of: field) else { return nil }
    return FieldDefinition(schema: schema, index: UInt32(index), parentIndex: UInt32(bitPattern: typeIndex[Int(field)]))
  }

  /// The definition of a directive; nil for one that the schema does not have.
  func directiveDefinition(of directive: NodeID) -> DirectiveDefinition? {
    guard let schema, let index = definedIndex(of: directive) else { return nil }
    return DirectiveDefinition(schema: schema, index: UInt32(index))
  }

  /// The definition of an argument or of a field of an input object; nil for one that is not defined.
  func inputValue(of node: NodeID) -> InputValueDefinition? {
    guard let schema, let index = definedIndex(of: node) else { return nil }
    return InputValueDefinition(schema: schema, index: UInt32(index))
  }

  /// The index in the schema of the input value that an argument or a field of an input object is.
  func inputValueIndex(of node: NodeID) -> Int? { definedIndex(of: node) }

  /// Whether the schema defines a field, a directive, an argument or a field of an input object.
  func isDefined(_ node: NodeID) -> Bool { definitionIndex[Int(node)] >= 0 }

  /// The type that a value is expected to have; nil where nothing is expected.
  func inputType(of value: NodeID) -> PackedType? {
    let type = expected[Int(value)]
    return type.name == Self.none ? nil : type
  }

  /// The argument or field of an input object that a value is directly given for, whose default replaces it.
  func inputValueIndex(given value: NodeID) -> Int? {
    position[Int(value)] < 0 ? nil : Int(position[Int(value)])
  }

  /// The number of the name of a directive, an argument, a fragment spread or a variable.
  func nameID(of node: NodeID) -> UInt32 { nameOf[Int(node) + 1] }

  func fieldNameID(of field: NodeID) -> UInt32 { nameOf[Int(fieldName(field))] }

  func kind(ofType type: UInt32) -> TypeKind { storage.types[Int(type)].kind }

  private func definedIndex(of node: NodeID) -> Int? {
    isDefined(node) ? Int(definitionIndex[Int(node)]) : nil
  }

  private func type(at index: Int32) -> TypeDefinition? {
    guard let schema, index >= 0 else { return nil }
    return TypeDefinition(schema: schema, index: UInt32(index))
  }
}
