import ApusGraphQLSchema

// Types of two schemas are compared by what they are called: their numbers mean nothing to one another.
extension TypeReference {
  /// Whether whoever reads values of this type can read those of the newer one: nothing may be null that was not, and
  /// nothing else may differ.
  func staysReadable(as newer: TypeReference) -> Bool {
    if isNonNull { return newer.isNonNull && nullable.staysReadable(as: newer.nullable) }
    if newer.isNonNull { return staysReadable(as: newer.nullable) }
    return hasSameShape(as: newer) { $0.staysReadable(as: $1) }
  }

  /// Whether what was written for this type can be written for the newer one: nothing must be given that could be null,
  /// and nothing else may differ.
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
