import ApusGraphQLLanguage

// Which operations a change of the schema means anything to.
extension DocumentUsage {
  /// The operations that meet what a change is about, in their order. The usage must be that of the older schema.
  package func operations(meeting change: SchemaChange) -> [Operation] {
    guard let coordinate = change.coordinate else { return operations }
    return meeting(change, coordinate).sorted().map { operations[$0] }
  }

  private func meeting(_ change: SchemaChange, _ coordinate: SchemaCoordinate) -> Set<Int> {
    let (old, new) = (change.old ?? "", change.new ?? "")
    switch change.kind {
    case .typeRemovedFromUnion:
      // What nobody asks for by its name is no longer in results, and that is all.
      return using(coordinate).intersection(indices(.typeCondition(old)))
    case .implementedInterfaceRemoved:
      guard case .type(let type) = coordinate else { return [] }
      return indices(.typeCondition(type)).intersection(using(.type(old)))
        .union(indices(.typeCondition(old)).intersection(using(coordinate)))
    case .implementedInterfaceAdded: return using(.type(new))
    case .directiveLocationRemoved, .directiveLocationAdded:
      guard case .directive(let name) = coordinate, let location = DirectiveLocation(rawValue: old + new) else {
        return []
      }
      return indices(.directive(name, location))
    case .requiredArgumentAdded, .optionalArgumentAdded, .argumentMadeRequired, .argumentDefaultValueChange,
      .argumentDefaultValueAdded, .requiredInputFieldAdded, .optionalInputFieldAdded, .inputFieldMadeRequired,
      .inputFieldDefaultValueChange, .inputFieldDefaultValueAdded, .requiredDirectiveArgumentAdded,
      .optionalDirectiveArgumentAdded:
      return using(coordinate.owner)
    case .argumentChangedKind, .fieldChangedKind:
      // What may not be null must be given, also where nobody has given it.
      let isInput = if case .member(_, let type) = coordinate { inputTypes.contains(type) } else { true }
      return isInput && new.hasSuffix("!") ? using(coordinate.owner) : using(coordinate)
    default: return using(coordinate)
    }
  }

  /// Whatever may be among the values of a variable is used.
  private func using(_ coordinate: SchemaCoordinate) -> Set<Int> {
    guard case .member(_, let type) = coordinate else { return indices(.coordinate(coordinate)) }
    return indices(.coordinate(coordinate)).union(indices(.anyValue(type)))
  }
}

extension SchemaCoordinate {
  /// What a member or an argument belongs to.
  fileprivate var owner: SchemaCoordinate {
    switch self {
    case .type, .directive: self
    case .member(_, let type): .type(type)
    case .argument(_, let field, let type): .member(field, of: type)
    case .directiveArgument(_, let directive): .directive(directive)
    }
  }
}
