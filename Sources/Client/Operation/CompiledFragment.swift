import ApusJSON

/// A named or an inline fragment where an operation uses it.
package final class CompiledFragment: Sendable {
  /// Unique in the operation for a fragment that is deferred, and its index in `CompiledOperation.fragments`; else -1.
  package let id: Int
  /// The name of a named fragment.
  package let name: String?
  package let typeCondition: String?
  /// The object types that the type condition covers; `nil` when no schema tells.
  package let possibleTypes: Set<String>?
  /// What is known without the object: `covers` when every object that can stand here is covered.
  package let staticApplication: Application
  package let conditions: Conditions
  package let deferral: CompiledDeferral?
  package let selectionSet: CompiledSelectionSet
  /// The generated model that it was lowered from.
  package let model: ObjectIdentifier?

  package init(
    id: Int = -1, name: String? = nil, typeCondition: String? = nil, possibleTypes: Set<String>? = nil,
    staticApplication: Application = .mayCover, conditions: Conditions = .none, deferral: CompiledDeferral? = nil,
    selectionSet: CompiledSelectionSet, model: ObjectIdentifier? = nil
  ) {
    self.id = id
    self.name = name
    self.typeCondition = typeCondition
    self.possibleTypes = possibleTypes
    self.staticApplication = typeCondition == nil ? .covers : staticApplication
    self.conditions = conditions
    self.deferral = deferral
    self.selectionSet = selectionSet
    self.model = model
  }

  package func isIncluded(variables: JSONValue) -> Bool { conditions.hold(variables: variables) }

  package func isDeferred(variables: JSONValue) -> Bool {
    deferral?.condition.holds(variables: variables) ?? false
  }

  /// Whether a fragment covers an object. Without a schema an unfamiliar pair of names may be an object and its
  /// interface: then only the data can tell.
  package enum Application: Sendable {
    case covers, mayCover, never
  }

  package func application(to typename: String?) -> Application {
    guard staticApplication == .mayCover, typeCondition != typename else {
      return staticApplication == .never ? .never : .covers
    }
    guard let typename else { return .mayCover }
    guard let possibleTypes else { return .mayCover }
    return possibleTypes.contains(typename) ? .covers : .never
  }
}

/// `@defer` on a fragment.
package struct CompiledDeferral: Sendable, Equatable {
  package let label: String?
  package let condition: CompiledCondition

  package init(label: String?, condition: CompiledCondition = .always) {
    self.label = label
    self.condition = condition
  }
}
