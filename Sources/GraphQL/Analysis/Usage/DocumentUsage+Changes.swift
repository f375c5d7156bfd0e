import ApusGraphQLLanguage

// The operations that a schema change affects.
extension DocumentUsage {
  /// Returns the operations affected by a change, in order. The usage must be based on the older schema.
  package func operations(meeting change: SchemaChange) -> [Operation] {
    guard let coordinate = change.coordinate else { return operations }
    return meeting(change, coordinate).sorted().map { operations[$0] }
  }

  private func meeting(_ change: SchemaChange, _ coordinate: SchemaCoordinate) -> Set<Int> {
    let (old, new) = (change.old ?? "", change.new ?? "")
    switch change.kind {
    case .typeRemovedFromUnion:
      // Objects of the removed type no longer appear, which affects only operations with a type condition on it.
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
      // A default value matters only if no value is given.
      return withoutValue(coordinate)
    case .argumentChangedKind, .fieldChangedKind:
      let isInput = if case .member(_, let type) = coordinate { inputTypes.contains(type) } else { true }
      guard isInput, new.hasSuffix("!") else { return using(coordinate) }
      // If the type only became non-null, operations with null or without a value are affected.
      if new == old + "!" { return withoutValue(coordinate).union(indices(.null(coordinate))) }
      return using(coordinate).union(withoutValue(coordinate))
    case .typeRemoved, .typeChangedKind, .valueRemovedFromEnum, .fieldRemoved, .argumentRemoved, .directiveRemoved,
      .directiveArgumentRemoved, .directiveRepeatableRemoved, .valueAddedToEnum, .typeAddedToUnion, .typeAdded,
      .fieldAdded, .fieldChangedKindSafe, .argumentChangedKindSafe, .directiveAdded, .directiveRepeatableAdded,
      .descriptionChanged, .rootTypeRemoved, .rootTypeChanged, .rootTypeAdded, .oneOfAdded, .oneOfRemoved,
      .typeAddedToInterface, .specifiedByURLChanged, .deprecationAdded, .deprecationRemoved,
      .deprecationReasonChanged, .appliedDirectiveAdded, .appliedDirectiveRemoved:
      return using(coordinate)
    }
  }

  /// Returns the operations that may omit an argument or input field.
  private func withoutValue(_ coordinate: SchemaCoordinate) -> Set<Int> {
    let absent = indices(.absent(coordinate))
    guard case .member(_, let type) = coordinate else { return absent }
    return absent.union(indices(.anyValue(type)))
  }

  /// Returns the operations that use an element, directly or possibly in the value of a variable.
  private func using(_ coordinate: SchemaCoordinate) -> Set<Int> {
    guard case .member(_, let type) = coordinate else { return indices(.coordinate(coordinate)) }
    return indices(.coordinate(coordinate)).union(indices(.anyValue(type)))
  }
}

extension SchemaCoordinate {
  /// The type or field that contains the element.
  fileprivate var owner: SchemaCoordinate {
    switch self {
    case .type, .directive: self
    case .member(_, let type): .type(type)
    case .argument(_, let field, let type): .member(field, of: type)
    case .directiveArgument(_, let directive): .directive(directive)
    }
  }
}
