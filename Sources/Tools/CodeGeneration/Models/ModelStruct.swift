import ApusGraphQLSchema

/// One struct of generated models: what is selected on one object, or by one fragment of it.
final class ModelStruct {
  enum Kind {
    /// What a field gives, or an operation's root.
    case object
    case namedFragment
    /// A type case: the object where it is of a certain type.
    case typeCase(root: String)
    /// A type case that is in no document as such: these fragments have its fields.
    case mergedCase(root: String, sources: [String])
    /// An inline fragment with `@defer`.
    case deferred(root: String)
  }

  let name: String
  /// From the top of the module: `PersonQuery.Data.Person`.
  let path: String
  let kind: Kind
  let parentType: TypeDefinition
  let isMutable: Bool
  /// The struct's own selections, in the order of the document.
  var selections: [SelectionLine] = []
  /// Every field that the object certainly has, those of fragments that cover it among them.
  var fields: [ModelField] = []
  /// The properties of type cases, with their structs' names.
  var typeCases: [(property: String, type: String)] = []
  var fragments: [ModelFragment] = []
  var deferred: [ModelDeferral] = []
  /// The structs that stand inside this one.
  var children: [ModelStruct] = []

  init(name: String, path: String, kind: Kind, parentType: TypeDefinition, isMutable: Bool) {
    self.name = name
    self.path = path
    self.kind = kind
    self.parentType = parentType
    self.isMutable = isMutable
  }

  /// The parameters of the initializer for deferred fragments.
  var initializerParts: [(name: String, type: String)] {
    if deferred.isEmpty { return [] }
    var scope = NameScope(Set(fields.map(\.property)))
    return deferred.map { (name: SwiftName.member(scope.unique($0.property)), type: $0.type) }
  }
}

/// A line of `__selections`.
enum SelectionLine {
  /// The Swift expression behind the dot: `field("name", String.self)`.
  case line(String, ModelConditions)
}

/// `@include` and `@skip` on the way to a selection: all of a group must hold, and one of the groups.
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
  /// Whether the label is needed to tell it from another deferral of the same fragment.
  let needsLabel: Bool
}
