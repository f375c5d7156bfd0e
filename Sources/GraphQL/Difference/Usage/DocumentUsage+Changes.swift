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
    case .requiredArgumentAdded, .optionalArgumentAdded, .requiredInputFieldAdded, .optionalInputFieldAdded,
      .requiredDirectiveArgumentAdded, .optionalDirectiveArgumentAdded:
      return using(coordinate.owner)
    case .argumentMadeRequired, .argumentDefaultValueChange, .argumentDefaultValueAdded, .inputFieldMadeRequired,
      .inputFieldDefaultValueChange, .inputFieldDefaultValueAdded:
      // A default value matters only where no value is given.
      return withoutValue(coordinate)
    case .argumentChangedKind, .fieldChangedKind:
      let isInput = if case .member(_, let type) = coordinate { inputTypes.contains(type) } else { true }
      guard isInput, new.hasSuffix("!") else { return using(coordinate) }
      // The same type without null is met by those who give null or nothing.
      if new == old + "!" { return withoutValue(coordinate).union(indices(.null(coordinate))) }
      return using(coordinate).union(withoutValue(coordinate))
    default: return using(coordinate)
    }
  }

  /// The operations that may leave an argument or input field out.
  private func withoutValue(_ coordinate: SchemaCoordinate) -> Set<Int> {
    let absent = indices(.absent(coordinate))
    guard case .member(_, let type) = coordinate else { return absent }
    return absent.union(indices(.anyValue(type)))
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
