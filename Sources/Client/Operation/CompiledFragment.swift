import ApusJSON

/// A use of a named or inline fragment in an operation.
package final class CompiledFragment: Sendable {
  /// For a deferrable fragment its index in `CompiledOperation.fragments`, else -1.
  package let id: Int
  /// The name of a named fragment.
  package let name: String?
  package let typeCondition: String?
  /// Object types that the type condition covers; `nil` without a schema.
  package let possibleTypes: Set<String>?
  /// Whether the fragment applies, as far as this is known without data; `covers` if it covers every possible object.
  package let staticApplication: Application
  package let conditions: Conditions
  package let deferral: CompiledDeferral?
  /// The response key of a single field with its own `@defer`; `nil` for a fragment of the document.
  package let deferredField: String?
  package let selectionSet: CompiledSelectionSet
  /// The generated model of the fragment.
  package let model: ObjectIdentifier?

  package init(
    id: Int = -1, name: String? = nil, typeCondition: String? = nil, possibleTypes: Set<String>? = nil,
    staticApplication: Application = .mayCover, conditions: Conditions = .none, deferral: CompiledDeferral? = nil,
    deferredField: String? = nil, selectionSet: CompiledSelectionSet, model: ObjectIdentifier? = nil
  ) {
    self.id = id
    self.name = name
    self.typeCondition = typeCondition
    self.possibleTypes = possibleTypes
    self.staticApplication = typeCondition == nil ? .covers : staticApplication
    self.conditions = conditions
    self.deferral = deferral
    self.deferredField = deferredField
    self.selectionSet = selectionSet
    self.model = model
  }

  package func isIncluded(variables: JSONValue) -> Bool { conditions.hold(variables: variables) }

  package func isDeferred(variables: JSONValue) -> Bool {
    deferral?.condition.holds(variables: variables) ?? false
  }

  /// Whether a fragment covers an object. Without a schema, two different names may be an object type and its
  /// interface; then only the data can show it.
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

package struct CompiledDeferral: Sendable, Equatable {
  package let label: String?
  package let condition: CompiledCondition

  package init(label: String?, condition: CompiledCondition = .always) {
    self.label = label
    self.condition = condition
  }
}
