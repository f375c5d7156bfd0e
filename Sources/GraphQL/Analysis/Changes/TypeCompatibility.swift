import ApusGraphQLSchema

// Types of two schemas are compared by name, because their indices differ.
extension TypeReference {
  /// Whether readers of this type can read the newer one: it allows null only where this type does, and is otherwise
  /// equal. `Bird` can become `Bird!`, but not the reverse.
  func staysReadable(as newer: TypeReference) -> Bool {
    if isNonNull { return newer.isNonNull && nullable.staysReadable(as: newer.nullable) }
    if newer.isNonNull { return staysReadable(as: newer.nullable) }
    return hasSameShape(as: newer) { $0.staysReadable(as: $1) }
  }

  /// Whether values written for this type are valid for the newer one: it is non-null only where this type is, and
  /// otherwise equal. `Int!` can become `Int`, but not the reverse.
  func staysWritable(as newer: TypeReference) -> Bool {
    if isNonNull { return nullable.staysWritable(as: newer.nullable) }
    if newer.isNonNull { return false }
    return hasSameShape(as: newer) { $0.staysWritable(as: $1) }
  }

  private func hasSameShape(
    as newer: TypeReference, _ elementsFit: (TypeReference, TypeReference) -> Bool
  ) -> Bool {
    switch (elementType, newer.elementType) {
    case (let element?, let other?): elementsFit(element, other)
    case (nil, nil): name == newer.name
    default: false
    }
  }
}
