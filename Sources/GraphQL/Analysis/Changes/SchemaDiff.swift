import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The changes between two versions of a schema:
/// 1. removed and added types, and the members of the remaining ones
/// 2. directives
/// 3. the root types and the schema's description
///
/// All changes that `find_schema_changes` of the reference implementation calls breaking or dangerous are included with
/// the same messages, and some others; see `SchemaChangeKind`.
package struct SchemaDiff: Sendable {
  /// The changes, the worst first, otherwise in the order of the older schema.
  package let changes: [SchemaChange]

  /// - Parameter comparesAppliedDirectives: Whether directives on definitions are compared. Only SDL documents have
  ///   them; introspection results and printed schemas do not.
  package init(from old: Schema, to new: Schema, comparesAppliedDirectives: Bool = false) {
    var comparison = SchemaComparison(old: old, new: new, comparesAppliedDirectives: comparesAppliedDirectives)
    comparison.compareTypes()
    comparison.compareDirectives()
    comparison.compareRoots()
    changes = comparison.changes.enumerated()
      .sorted { ($0.element.criticality, $0.offset) < ($1.element.criticality, $1.offset) }.map(\.element)
  }

  package func changes(_ criticality: Criticality) -> [SchemaChange] {
    changes.filter { $0.criticality == criticality }
  }
}
