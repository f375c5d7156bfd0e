import ApusJSON

/// What is selected on one object: fields and fragments in the order of the document.
package final class CompiledSelectionSet: Sendable {
  /// The type that the selections are made on; `nil` where no schema and no type condition tells it.
  package let parentType: String?
  /// The object types that can stand here; `nil` where no schema tells.
  package let possibleTypes: Set<String>?
  package let selections: [CompiledSelection]
  /// Whether a fragment is deferred or a list is streamed here or beneath.
  package let hasIncremental: Bool
  /// Whether something here or beneath was added for the cache's sake.
  package let hasAdded: Bool
  /// Whether a fragment stands directly in this set, so that its fields depend on the object's type.
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

/// One selection: a field, or a fragment whatever way it was written.
package enum CompiledSelection: Sendable {
  case field(CompiledField)
  case fragment(CompiledFragment)
}

/// A field as an operation selects it.
package final class CompiledField: Sendable {
  package let name: String
  /// The alias, or the name: the key in the response.
  package let responseKey: String
  /// In the order of their names, with the schema's defaults filled in where a schema is known.
  package let arguments: [CompiledArgument]
  package let conditions: Conditions
  package let stream: CompiledStream?
  /// `nil` without a schema.
  package let type: CompiledType?
  package let selectionSet: CompiledSelectionSet?
  /// Whether the client added the field for the cache's sake: it is sent, and hidden from the output.
  package let isAdded: Bool
  /// What a value of a scalar of the application's own must pass.
  package let leafCheck: (@Sendable (JSONValue) -> Bool)?
  /// Decodes such a scalar for comparisons: equal scalars may be written in several ways.
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

  /// The canonical key of this field in a record: `birds({"first":10})`. The order of arguments, variables in the
  /// place of literals and defaults left unsaid do not make two keys of one. `variables` are the effective ones.
  package func argumentsKey(variables: JSONValue) -> String {
    var values: [(String, JSONValue)] = []
    for argument in arguments {
      if let value = argument.evaluate(variables: variables) { values.append((argument.name, value)) }
    }
    guard !values.isEmpty else { return name }
    return name + "(" + JSONValue.object(values).description + ")"
  }

  /// The arguments' values for these variables, in canonical form.
  package func argumentValues(variables: JSONValue) -> [(name: String, value: JSONValue)] {
    arguments.compactMap { argument in
      argument.evaluate(variables: variables).map { (name: argument.name, value: $0) }
    }
  }
}

/// A field's type, as far as checking a response needs it.
package indirect enum CompiledType: Sendable, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    case scalar, enumeration, object, abstract

    package var isLeaf: Bool { self == .scalar || self == .enumeration }
  }

  case named(String, kind: Kind)
  case list(CompiledType)
  case nonNull(CompiledType)

  /// The scalars of the specification, section 3.5.
  package static let builtInScalars: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

  package var isNonNull: Bool { if case .nonNull = self { true } else { false } }

  /// The type without its outermost `!`.
  package var nullable: CompiledType { if case .nonNull(let inner) = self { inner } else { self } }

  package var isList: Bool { if case .list = nullable { true } else { false } }

  package var description: String {
    switch self {
    case .named(let name, _): name
    case .list(let inner): "[\(inner.description)]"
    case .nonNull(let inner): inner.description + "!"
    }
  }

  /// The number of lists around the innermost type.
  package var listDepth: Int {
    switch self {
    case .named: 0
    case .list(let inner): inner.listDepth + 1
    case .nonNull(let inner): inner.listDepth
    }
  }

  /// The object type's name, where the innermost type is one.
  package var objectName: String? {
    switch self {
    case .named(let name, let kind): kind == .object ? name : nil
    case .list(let inner), .nonNull(let inner): inner.objectName
    }
  }

  /// The innermost name.
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
