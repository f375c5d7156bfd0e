import ApusGraphQLSchema

/// A struct of generated models: the selections on an object, or of a fragment on it.
final class ModelStruct {
  enum Kind {
    /// The object of a field, or the root object of an operation.
    case object
    case namedFragment
    /// A type case for objects of a narrower type.
    case typeCase(root: String)
    /// A type case that combines several fragments and is not in the document.
    case mergedCase(root: String, sources: [String])
    /// An inline fragment with `@defer`.
    case deferred(root: String)
  }

  let name: String
  /// The path from the top level of the module, such as `PersonQuery.Data.Person`.
  let path: String
  let kind: Kind
  let parentType: TypeDefinition
  let isMutable: Bool
  /// The struct's own selections, in document order.
  var selections: [SelectionLine] = []
  /// Fields that the object certainly has, including those of covering fragments.
  var fields: [ModelField] = []
  /// Properties of type cases, with the names of their structs.
  var typeCases: [(property: String, type: String)] = []
  var fragments: [ModelFragment] = []
  var deferred: [ModelDeferral] = []
  /// The nested structs.
  var children: [ModelStruct] = []

  init(name: String, path: String, kind: Kind, parentType: TypeDefinition, isMutable: Bool) {
    self.name = name
    self.path = path
    self.kind = kind
    self.parentType = parentType
    self.isMutable = isMutable
  }

  /// The initializer's parameters for deferred fragments.
  var initializerParts: [(name: String, type: String)] {
    if deferred.isEmpty { return [] }
    var scope = NameScope(Set(fields.map(\.property)))
    return deferred.map { (name: SwiftName.member(scope.unique($0.property)), type: $0.type) }
  }
}

/// A line of `__selections`.
enum SelectionLine {
  /// The Swift expression after the dot, such as `field("name", String.self)`.
  case line(String, ModelConditions)
}

/// The conditions of a selection from `@include` and `@skip`: in at least one group, all must hold.
///
/// `name @include(if: $a) @skip(if: $b)` has one group with two conditions. Another `name @include(if: $c)` adds a
/// group.
struct ModelConditions: Equatable {
  struct Condition: Equatable {
    let variable: String
    let isInverted: Bool
  }

  var groups: [[Condition]]

  static let none = ModelConditions(groups: [[]])

  var isNone: Bool { groups.contains { $0.isEmpty } }

  func and(_ conditions: [Condition]) -> ModelConditions {
    ModelConditions(groups: groups.map { group in group + conditions.filter { !group.contains($0) } })
  }

  func or(_ other: ModelConditions) -> ModelConditions {
    isNone || other.isNone ? .none : ModelConditions(groups: groups + other.groups.filter { !groups.contains($0) })
  }
}

/// A named fragment in a struct's `Fragments`.
struct ModelFragment {
  let property: String
  let type: String
  let isOptional: Bool
}

/// A deferred fragment in a struct's `Fragments`.
struct ModelDeferral {
  let property: String
  let type: String
  let label: String
  /// Whether the label is needed to distinguish several deferrals of the same fragment.
  let needsLabel: Bool
}
