import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The type cases that an object gets only from fragments: selections of covering fragments on narrower types, and
/// named fragments on narrower types. `{ animal { ...A } }` with `fragment A on Animal { ... on Bird { wingspan } }`
/// has the case `asBird`. Deferred and conditional ones are excluded, because they are in their fragments.
struct MergedCases {
  struct Case {
    let type: TypeDefinition
    var parts: [Part]
  }

  enum Part {
    case fragment(String)
    /// The selection set of an inline fragment.
    case inline(NodeID)
  }

  private(set) var cases: [Case] = []
  private var visited: Set<NodeID> = []
  private let type: TypeDefinition
  private let context: ModelContext

  /// - Parameters:
  /// - sources: The sets whose fields the object has.
  /// - direct: The sets of the object's own type cases.
  init(_ sources: [ModelBuilder.Source], on type: TypeDefinition, without direct: [NodeID], in context: ModelContext) {
    self.type = type
    self.context = context
    // An object type has no narrower types.
    guard type.isAbstract else { return }
    visited = Set(direct)
    for source in sources where !source.isConditional { walk(source.set) }
  }

  private mutating func walk(_ set: NodeID) {
    guard visited.insert(set).inserted else { return }
    for selection in context.selections(of: set) where selection.conditions.isEmpty && selection.deferral == nil {
      switch selection.content {
      case .field: break
      case .inlineFragment(let condition, let inner):
        if condition.covers(type) { walk(inner) } else if !visited.contains(inner) { add(.inline(inner), condition) }
      case .fragment(let name):
        guard let fragment = context.fragment(name) else { continue }
        if fragment.condition.covers(type) { walk(fragment.set) } else { add(.fragment(name), fragment.condition) }
      }
    }
  }

  private mutating func add(_ part: Part, _ condition: TypeCondition) {
    guard case .type(let narrower) = condition, type.possibleTypes.contains(where: narrower.possibleTypes.contains)
    else { return }
    if let index = cases.firstIndex(where: { $0.type == narrower }) {
      cases[index].parts.append(part)
    } else {
      cases.append(Case(type: narrower, parts: [part]))
    }
  }
}
