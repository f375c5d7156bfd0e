import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Fields that end under one response key ask for one thing.
///
/// Specification: Field Selection Merging.
enum OverlappingFieldsCanBeMergedRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var verdict = OverlapVerdict(context)
    let roots = (context.operations + context.fragments).compactMap { context.selectionSet(of: $0) }
    if roots.allSatisfy({ verdict.isFree($0) }) { return }

    var search = OverlapSearch(context)
    var isListed = false
    // The set of an inline fragment is part of the set around it.
    let inline = Set(context.inlineFragments.compactMap { context.selectionSet(of: $0) })
    for set in context.selectionSets where !inline.contains(set) && !context.isStopped {
      for conflict in search.conflicts(in: set) where !context.isStopped {
        isListed = true
        report(conflict, context)
      }
    }
    // The list is bounded; the verdict stands.
    if !isListed, let conflict = verdict.conflict { report(conflict, context) }
  }

  private static func report(_ conflict: OverlapConflict, _ context: ValidationContext) {
    context.report(
      "Fields \"\(conflict.responseName(context))\" conflict because \(conflict.reason(context)). Use different aliases on the fields to fetch both if this was intentional.",
      nodes: conflict.left + conflict.right)
  }
}

/// Two groups of fields that cannot both be answered under one response key.
struct OverlapConflict {
  indirect enum Reason {
    case differentFields(NodeID, NodeID)
    case differingArguments
    case streams
    case types(PackedType, PackedType)
    case subfields([OverlapConflict])
  }

  let field: NodeID
  let cause: Reason
  let left: [NodeID]
  let right: [NodeID]

  func responseName(_ context: ValidationContext) -> String { context.name(field + 1) }

  func reason(_ context: ValidationContext) -> String {
    switch cause {
    case .differentFields(let left, let right):
      "\"\(context.name(context.fieldName(left)))\" and \"\(context.name(context.fieldName(right)))\" are different fields"
    case .differingArguments: "they have differing arguments"
    case .streams: "they have overlapping stream directives"
    case .types(let left, let right):
      "they return conflicting types \"\(context.text(left))\" and \"\(context.text(right))\""
    case .subfields(let conflicts):
      conflicts.map {
        "subfields \"\($0.responseName(context))\" conflict because \($0.reason(context))"
      }.joined(separator: " and ")
    }
  }
}
