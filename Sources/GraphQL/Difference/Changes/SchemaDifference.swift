import ApusGraphQLLanguage
import ApusGraphQLSchema

/// What differs between two versions of a schema:
/// 1. types that went and came, and the members of those that stayed;
/// 2. directives;
/// 3. the root types and the schema's own description.
///
/// Everything that the reference implementation's `find_schema_changes` calls breaking or dangerous is found, in its
/// words, and some more: `SchemaChangeKind` has the whole list.
package struct SchemaDifference: Sendable {
  /// The worst first, else in the order of the older schema.
  package let changes: [SchemaChange]

  /// - Parameter comparesAppliedDirectives: The directives on definitions are compared as well. Only what was written as
  ///   SDL has them: an introspection result and a printed schema do not.
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
