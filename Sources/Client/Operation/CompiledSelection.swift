import ApusJSON

/// The fields and fragments selected on an object, in document order: `{ id ... on Owl { prey } }`.
package final class CompiledSelectionSet: Sendable {
  /// Names the type on which the selections are made; `nil` if neither a schema nor a type condition does.
  package let parentType: String?
  /// Names the object types that can occur; `nil` without a schema.
  package let possibleTypes: Set<String>?
  package let selections: [CompiledSelection]
  /// Whether there is a `@defer` or `@stream` at or below this object.
  package let hasIncremental: Bool
  /// Whether fields at or below this object were added for the cache.
  package let hasAdded: Bool
  /// Whether the set directly contains a fragment, so that its fields depend on the object's type.
  package let hasFragments: Bool

  package init(parentType: String?, possibleTypes: Set<String>? = nil, selections: [CompiledSelection]) {
    self.parentType = parentType
    self.possibleTypes = possibleTypes
    self.selections = selections
    hasIncremental = selections.contains { selection in
      switch selection {
      case .field(let field): field.stream != nil || field.selectionSet?.hasIncremental == true
      case .fragment(let fragment): fragment.deferral != nil || fragment.selectionSet.hasIncremental
      }
    }
    hasAdded = selections.contains { selection in
      switch selection {
      case .field(let field): field.isAdded || field.selectionSet?.hasAdded == true
      case .fragment(let fragment): fragment.selectionSet.hasAdded
      }
    }
    hasFragments = selections.contains { if case .fragment = $0 { true } else { false } }
  }
}

/// A field or a fragment.
package enum CompiledSelection: Sendable {
  case field(CompiledField)
  case fragment(CompiledFragment)
}

/// A field of an operation.
package final class CompiledField: Sendable {
  package let name: String
  /// The key in the response: the alias, or else the name.
  package let responseKey: String
  /// The arguments sorted by name, with the schema's defaults if there is a schema.
  package let arguments: [CompiledArgument]
  package let conditions: Conditions
  package let stream: CompiledStream?
  /// The field's type; `nil` without a schema.
  package let type: CompiledType?
  package let selectionSet: CompiledSelectionSet?
  /// Whether the client added the field for the cache. It is sent, but hidden in output.
  package let isAdded: Bool
  /// Checks values of a custom scalar, as a generated model decodes them.
  package let leafCheck: (@Sendable (JSONValue) -> Bool)?
  /// Decodes a custom scalar for comparisons, because equal scalars may have different JSON values: `"2026-11-28T10:00Z"`
  /// and `"2026-11-28T11:00+01:00"`.
  package let leafIdentity: (@Sendable (JSONValue) -> AnyHashable)?

  package init(
    name: String, responseKey: String? = nil, arguments: [CompiledArgument] = [], conditions: Conditions = .none,
    stream: CompiledStream? = nil, type: CompiledType? = nil, selectionSet: CompiledSelectionSet? = nil,
    isAdded: Bool = false, leafCheck: (@Sendable (JSONValue) -> Bool)? = nil,
    leafIdentity: (@Sendable (JSONValue) -> AnyHashable)? = nil
  ) {
    self.name = name
    self.responseKey = responseKey ?? name
    self.arguments = arguments.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    self.conditions = conditions
    self.stream = stream
    self.type = type
    self.selectionSet = selectionSet
    self.isAdded = isAdded
    self.leafCheck = leafCheck
    self.leafIdentity = leafIdentity
  }

  package func isIncluded(variables: JSONValue) -> Bool { conditions.hold(variables: variables) }

  /// Returns the canonical field key in a record, such as `birds({"first":10})`. It does not depend on the order of
  /// arguments, on whether they are variables or literals, or on omitted defaults. `variables` are the effective
  /// variables.
  package func argumentsKey(variables: JSONValue) -> String {
    var values: [(String, JSONValue)] = []
    for argument in arguments {
      if let value = argument.evaluate(variables: variables) { values.append((argument.name, value)) }
    }
    guard !values.isEmpty else { return name }
    return name + "(" + JSONValue.object(values).description + ")"
  }

  /// Returns the arguments' values in canonical form.
  package func argumentValues(variables: JSONValue) -> [(name: String, value: JSONValue)] {
    arguments.compactMap { argument in
      argument.evaluate(variables: variables).map { (name: argument.name, value: $0) }
    }
  }
}

/// The kind of a field's innermost type, used for checking responses.
public enum NamedTypeKind: Sendable, Hashable {
  /// A scalar or an enum.
  case scalar, enumeration
  /// An object type.
  case object
  /// An interface or a union.
  case abstract
}

/// The type of a field, with the details needed for checking responses: `[Bird!]!`.
package indirect enum CompiledType: Sendable, Equatable, CustomStringConvertible {
  case named(String, kind: NamedTypeKind)
  case list(CompiledType)
  case nonNull(CompiledType)

  /// The built-in scalars (GraphQL specification, section 3.5).
  package static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

  /// Removes the outermost `!`.
  package var nullable: CompiledType { if case .nonNull(let inner) = self { inner } else { self } }

  package var description: String {
    switch self {
    case .named(let name, _): name
    case .list(let inner): "[\(inner.description)]"
    case .nonNull(let inner): inner.description + "!"
    }
  }

  /// Counts the lists around the innermost type: 2 for `[[Int!]!]`.
  package var listDepth: Int {
    switch self {
    case .named: 0
    case .list(let inner): inner.listDepth + 1
    case .nonNull(let inner): inner.listDepth
    }
  }

  /// The name of the innermost type if it is an object type.
  package var objectName: String? {
    switch self {
    case .named(let name, let kind): kind == .object ? name : nil
    case .list(let inner), .nonNull(let inner): inner.objectName
    }
  }

  /// The name of the innermost type.
  package var name: String {
    switch self {
    case .named(let name, _): name
    case .list(let inner), .nonNull(let inner): inner.name
    }
  }
}

/// `@stream` on a list field.
package struct CompiledStream: Sendable {
  package let label: String?
  package let condition: CompiledCondition
  package let initialCount: CompiledValue

  package init(label: String?, condition: CompiledCondition, initialCount: CompiledValue) {
    self.label = label
    self.condition = condition
    self.initialCount = initialCount
  }

  package func isActive(variables: JSONValue) -> Bool { condition.holds(variables: variables) }
}
