import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Fields with the same response key must be mergeable. Invalid: `{ bird { name name: latinName } }`.
///
/// Specification: Field Selection Merging.
enum OverlappingFieldsCanBeMergedRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var verdict = OverlapDetector(context)
    let definitions = context.document.definitions.filter(\.isExecutable)
    let isFree = verdict.areFree(definitions)
    for spreads in verdict.spreadConflicts.sorted(by: { ($0.left, $0.right) < ($1.left, $1.right) }) {
      report(spreads, context)
    }
    if isFree { return }

    var search = OverlapSearch(context)
    var isListed = false
    // The selections of an inline fragment are part of the surrounding selection set.
    let inline = Set(context.inlineFragments.map(\.id).map { context.selectionSetOf[Int($0)] })
    for definition in definitions {
      for set in context.selectionSets.within(definition).map(\.id) where !inline.contains(set) && !context.isStopped {
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
    func text(_ spread: FragmentSpreadNode) -> String {
      "\(spread.name.value)(\(spread.arguments.map(\.text).joined(separator: ", ")))"
    }
    let left = FragmentSpreadNode(context.document, conflict.left)
    let right = FragmentSpreadNode(context.document, conflict.right)
    context.report(
      "Spreads \"\(left.name.value)\" conflict because \(text(left)) and \(text(right)) have different fragment arguments.",
      left, right)
  }

  private static func report(_ conflict: OverlapConflict, _ context: ValidationContext) {
    context.report(
      "Fields \"\(conflict.field.responseKey)\" conflict because \(conflict.reason(context)). Use different aliases on the fields to fetch both if this was intentional.",
      nodes: conflict.left + conflict.right)
  }
}

/// Two groups of fields that cannot be merged under one response key.
struct OverlapConflict {
  indirect enum Reason {
    case differentFields(FieldNode, FieldNode)
    case differingArguments
    case streams
    case types(PackedType, PackedType)
    case subfields([OverlapConflict])
  }

  let field: FieldNode
  let cause: Reason
  let left: [FieldNode]
  let right: [FieldNode]

  func reason(_ context: ValidationContext) -> String {
    switch cause {
    case .differentFields(let left, let right):
      "\"\(left.name.value)\" and \"\(right.name.value)\" are different fields"
    case .differingArguments: "they have differing arguments"
    case .streams: "they have overlapping stream directives"
    case .types(let left, let right):
      "they return conflicting types \"\(context.text(left))\" and \"\(context.text(right))\""
    case .subfields(let conflicts):
      conflicts.map {
        "subfields \"\($0.field.responseKey)\" conflict because \($0.reason(context))"
      }.joined(separator: " and ")
    }
  }
}
