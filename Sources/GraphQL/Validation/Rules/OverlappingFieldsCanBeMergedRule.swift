import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Fields with the same response key must be mergeable.
///
/// Specification: Field Selection Merging.
enum OverlappingFieldsCanBeMergedRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var verdict = OverlapDetector(context)
    let definitions = context.operations + context.fragments
    let isFree = definitions.map { verdict.isFree($0) }.allSatisfy { $0 }
    for spreads in verdict.spreadConflicts.sorted(by: { ($0.left, $0.right) < ($1.left, $1.right) }) {
      report(spreads, context)
    }
    if isFree { return }

    var search = OverlapSearch(context)
    var isListed = false
    // The selections of an inline fragment are part of the surrounding selection set.
    let inline = Set(context.inlineFragments.compactMap { context.selectionSet(of: $0) })
    for definition in definitions.sorted() {
      for set in context.within(definition, context.selectionSets) where !inline.contains(set) && !context.isStopped {
        for conflict in search.conflicts(in: set, of: definition) where !context.isStopped {
          isListed = true
          report(conflict, context)
        }
      }
    }
    // The search is limited. If it found nothing, report the detected conflict.
    if !isListed, let conflict = verdict.conflict { report(conflict, context) }
  }

  /// Reports two spreads with the message of the reference implementation.
  private static func report(_ conflict: OverlapDetector.SpreadConflict, _ context: ValidationContext) {
    func text(_ spread: NodeID) -> String {
      let arguments = context.children(spread, .argument).map { context.text($0) }
      return "\(context.name(spread + 1))(\(arguments.joined(separator: ", ")))"
    }
    context.report(
      "Spreads \"\(context.name(conflict.left + 1))\" conflict because \(text(conflict.left)) and \(text(conflict.right)) have different fragment arguments.",
      nodes: [conflict.left, conflict.right])
  }

  private static func report(_ conflict: OverlapConflict, _ context: ValidationContext) {
    context.report(
      "Fields \"\(conflict.responseName(context))\" conflict because \(conflict.reason(context)). Use different aliases on the fields to fetch both if this was intentional.",
      nodes: conflict.left + conflict.right)
  }
}

/// Two groups of fields that cannot be merged under one response key.
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
