/// The kind of a schema change. The raw values are the names in the reference implementation (`find_schema_changes` of
/// graphql-core 3.3), followed by kinds that it does not report.
package enum SchemaChangeKind: String, Sendable, Equatable, CaseIterable {
  case typeRemoved = "TYPE_REMOVED"
  case typeChangedKind = "TYPE_CHANGED_KIND"
  case typeRemovedFromUnion = "TYPE_REMOVED_FROM_UNION"
  case valueRemovedFromEnum = "VALUE_REMOVED_FROM_ENUM"
  case requiredInputFieldAdded = "REQUIRED_INPUT_FIELD_ADDED"
  case implementedInterfaceRemoved = "IMPLEMENTED_INTERFACE_REMOVED"
  case fieldRemoved = "FIELD_REMOVED"
  case fieldChangedKind = "FIELD_CHANGED_KIND"
  case requiredArgumentAdded = "REQUIRED_ARG_ADDED"
  case argumentRemoved = "ARG_REMOVED"
  case argumentChangedKind = "ARG_CHANGED_KIND"
  case directiveRemoved = "DIRECTIVE_REMOVED"
  case directiveArgumentRemoved = "DIRECTIVE_ARG_REMOVED"
  case requiredDirectiveArgumentAdded = "REQUIRED_DIRECTIVE_ARG_ADDED"
  case directiveRepeatableRemoved = "DIRECTIVE_REPEATABLE_REMOVED"
  case directiveLocationRemoved = "DIRECTIVE_LOCATION_REMOVED"

  case valueAddedToEnum = "VALUE_ADDED_TO_ENUM"
  case typeAddedToUnion = "TYPE_ADDED_TO_UNION"
  case optionalInputFieldAdded = "OPTIONAL_INPUT_FIELD_ADDED"
  case optionalArgumentAdded = "OPTIONAL_ARG_ADDED"
  case implementedInterfaceAdded = "IMPLEMENTED_INTERFACE_ADDED"
  case argumentDefaultValueChange = "ARG_DEFAULT_VALUE_CHANGE"
  case inputFieldDefaultValueChange = "INPUT_FIELD_DEFAULT_VALUE_CHANGE"

  case typeAdded = "TYPE_ADDED"
  case fieldAdded = "FIELD_ADDED"
  case fieldChangedKindSafe = "FIELD_CHANGED_KIND_SAFE"
  case argumentChangedKindSafe = "ARG_CHANGED_KIND_SAFE"
  case argumentDefaultValueAdded = "ARG_DEFAULT_VALUE_ADDED"
  case inputFieldDefaultValueAdded = "INPUT_FIELD_DEFAULT_VALUE_ADDED"
  case directiveAdded = "DIRECTIVE_ADDED"
  case directiveRepeatableAdded = "DIRECTIVE_REPEATABLE_ADDED"
  case directiveLocationAdded = "DIRECTIVE_LOCATION_ADDED"
  case optionalDirectiveArgumentAdded = "OPTIONAL_DIRECTIVE_ARG_ADDED"
  case descriptionChanged = "DESCRIPTION_CHANGED"

  // Kinds that the reference implementation does not report.
  case rootTypeRemoved = "ROOT_TYPE_REMOVED"
  case rootTypeChanged = "ROOT_TYPE_CHANGED"
  case rootTypeAdded = "ROOT_TYPE_ADDED"
  /// An argument that was optional only because of its default value lost that value.
  case argumentMadeRequired = "ARG_MADE_REQUIRED"
  case inputFieldMadeRequired = "INPUT_FIELD_MADE_REQUIRED"
  case oneOfAdded = "ONE_OF_ADDED"
  case oneOfRemoved = "ONE_OF_REMOVED"
  /// A new type implements an existing interface, so a field of the interface may have a new object type.
  case typeAddedToInterface = "TYPE_ADDED_TO_INTERFACE"
  case specifiedByURLChanged = "SPECIFIED_BY_URL_CHANGED"
  case deprecationAdded = "DEPRECATION_ADDED"
  case deprecationRemoved = "DEPRECATION_REMOVED"
  case deprecationReasonChanged = "DEPRECATION_REASON_CHANGED"
  /// A directive applied to a definition, in the SDL.
  case appliedDirectiveAdded = "APPLIED_DIRECTIVE_ADDED"
  case appliedDirectiveRemoved = "APPLIED_DIRECTIVE_REMOVED"

  package var criticality: Criticality {
    switch self {
    case .typeRemoved, .typeChangedKind, .typeRemovedFromUnion, .valueRemovedFromEnum, .requiredInputFieldAdded,
      .implementedInterfaceRemoved, .fieldRemoved, .fieldChangedKind, .requiredArgumentAdded, .argumentRemoved,
      .argumentChangedKind, .directiveRemoved, .directiveArgumentRemoved, .requiredDirectiveArgumentAdded,
      .directiveRepeatableRemoved, .directiveLocationRemoved, .rootTypeRemoved, .rootTypeChanged,
      .argumentMadeRequired, .inputFieldMadeRequired, .oneOfAdded:
      .breaking
    case .valueAddedToEnum, .typeAddedToUnion, .optionalInputFieldAdded, .optionalArgumentAdded,
      .implementedInterfaceAdded, .argumentDefaultValueChange, .inputFieldDefaultValueChange, .typeAddedToInterface,
      .specifiedByURLChanged:
      .dangerous
    case .typeAdded, .fieldAdded, .fieldChangedKindSafe, .argumentChangedKindSafe, .argumentDefaultValueAdded,
      .inputFieldDefaultValueAdded, .directiveAdded, .directiveRepeatableAdded, .directiveLocationAdded,
      .optionalDirectiveArgumentAdded, .descriptionChanged, .rootTypeAdded, .oneOfRemoved, .deprecationAdded,
      .deprecationRemoved, .deprecationReasonChanged, .appliedDirectiveAdded, .appliedDirectiveRemoved:
      .safe
    }
  }

  package enum Direction: Sendable, Equatable {
    case added, removed
    /// The element has another type or is another kind of type.
    case retyped
    case changed
  }

  package var direction: Direction {
    switch self {
    case .typeAdded, .fieldAdded, .valueAddedToEnum, .requiredInputFieldAdded, .optionalInputFieldAdded,
      .requiredArgumentAdded, .optionalArgumentAdded, .directiveAdded, .requiredDirectiveArgumentAdded,
      .optionalDirectiveArgumentAdded:
      .added
    case .typeRemoved, .fieldRemoved, .valueRemovedFromEnum, .argumentRemoved, .directiveRemoved,
      .directiveArgumentRemoved:
      .removed
    case .typeChangedKind, .fieldChangedKind, .fieldChangedKindSafe, .argumentChangedKind, .argumentChangedKindSafe,
      .rootTypeChanged:
      .retyped
    case .typeRemovedFromUnion, .typeAddedToUnion, .typeAddedToInterface, .implementedInterfaceRemoved,
      .implementedInterfaceAdded, .directiveRepeatableRemoved, .directiveRepeatableAdded, .directiveLocationRemoved,
      .directiveLocationAdded, .argumentDefaultValueChange, .argumentDefaultValueAdded, .inputFieldDefaultValueChange,
      .inputFieldDefaultValueAdded, .argumentMadeRequired, .inputFieldMadeRequired, .descriptionChanged,
      .rootTypeRemoved, .rootTypeAdded, .oneOfAdded, .oneOfRemoved, .specifiedByURLChanged, .deprecationAdded,
      .deprecationRemoved, .deprecationReasonChanged, .appliedDirectiveAdded, .appliedDirectiveRemoved:
      .changed
    }
  }
}
