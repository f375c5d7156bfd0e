import ApusGraphQLLanguage

/// A type reference: a named type with list and non-null wrappers.
package struct TypeReference: Sendable, Equatable, CustomStringConvertible {
  package let schema: Schema
  package let packed: PackedType

  package init(schema: Schema, packed: PackedType) {
    self.schema = schema
    self.packed = packed
  }

  package static func == (left: TypeReference, right: TypeReference) -> Bool {
    left.packed == right.packed && left.schema === right.schema
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(packed) }

  /// The name of the innermost type.
  package var name: String { schema.storage.names[packed.name] }
  /// The innermost type; nil if the schema does not define it.
  package var definition: TypeDefinition? { schema.type(named: packed.name) }
  package var isNonNull: Bool { packed.isNonNull }
  /// Whether the type is a list, nullable or not.
  package var isList: Bool { packed.isList }
  /// The type without its outermost `!`.
  package var nullable: TypeReference { TypeReference(schema: schema, packed: packed.nullable) }
  /// The element type of a list; nil for other types.
  package var elementType: TypeReference? { packed.element.map { TypeReference(schema: schema, packed: $0) } }
  package var description: String { schema.text(packed) }

  /// Whether a value of this type is always one of the other: `Bird!` of `Node`, `[Owl]` of `[Bird]`. Nil if either is
  /// undefined.
  package func isSubtype(of other: TypeReference) -> Bool? {
    guard let ownDefinition = definition, let otherDefinition = other.definition else { return nil }
    var type = packed
    var other = other.packed
    while true {
      if other.isNonNull, !type.isNonNull { return false }
      switch (type.element, other.element) {
      case (let inner?, let otherDefinition?): (type, other) = (inner, otherDefinition)
      case (nil, nil): return ownDefinition.isSubtype(of: otherDefinition)
      default: return false
      }
    }
  }
}

extension TypeDefinition {
  /// The type without wrappers.
  package var reference: TypeReference { TypeReference(schema: schema, packed: PackedType(name: nameID, wrappers: 0)) }
}
