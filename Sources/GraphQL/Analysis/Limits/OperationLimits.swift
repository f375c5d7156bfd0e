import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation

/// Optional limits on the depth, the number of aliases and the cost of an operation. A fragment counts each time it is
/// spread.
package struct OperationLimits: Sendable {
  package var maxDepth: Int?
  package var maxAliases: Int?
  /// The maximum of `OperationMetrics.cost`.
  package var maxComplexity: Double?
  /// The assumed length of a list without `@listSize`.
  package var listSize = 10.0

  package init() {}

  package var areSet: Bool { maxDepth != nil || maxAliases != nil || maxComplexity != nil }

  /// Returns an error for each exceeded limit.
  package func check(_ documents: [Document], schema: Schema?) -> [ValidationError] {
    var fragments: [String: FragmentDefinitionNode] = [:]
    for fragment in documents.flatMap(\.fragments) where fragments[fragment.name.value] == nil {
      fragments[fragment.name.value] = fragment
    }
    var measure = SizeMeasure(fragments: fragments, schema: schema, listSize: listSize)
    var errors: [ValidationError] = []
    for operation in documents.flatMap(\.operations) {
      guard let size = measure.size(of: operation) else {
        return errors + [error("MaxComplexityRule", "Too many paths through fragments to measure.", operation)]
      }
      errors += check(size, of: operation)
    }
    return errors
  }

  private func error(_ rule: String, _ message: String, _ operation: OperationDefinitionNode) -> ValidationError {
    let start = operation.range.lowerBound
    return ValidationError(
      rule: rule, message: message, locations: [operation.location],
      ranges: [start..<start + operation.operation.rawValue.utf8.count],
      sources: [operation.document.source.name(at: start)])
  }

  private func check(_ size: OperationMetrics, of operation: OperationDefinitionNode) -> [ValidationError] {
    let title = operation.name.map { "\(operation.operation.rawValue) \"\($0.value)\"" } ?? operation.operation.rawValue
    var errors: [ValidationError] = []
    func report(_ rule: String, _ message: String) { errors.append(error(rule, message, operation)) }
    if let maxDepth, size.depth > maxDepth {
      report("MaxDepthRule", "The \(title) is \(size.depth) fields deep; \(maxDepth) are allowed.")
    }
    if let maxAliases, size.aliases > maxAliases {
      report("MaxAliasesRule", "The \(title) has \(size.aliases) aliases; \(maxAliases) are allowed.")
    }
    if let maxComplexity, size.cost > maxComplexity {
      report("MaxComplexityRule", "The \(title) costs \(size.cost.short); \(maxComplexity.short) is allowed.")
    }
    return errors
  }
}

extension Double {
  /// Omits a fraction of zero: `10`, `2.5`.
  fileprivate var short: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
