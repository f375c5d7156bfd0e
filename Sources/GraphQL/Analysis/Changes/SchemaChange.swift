import ApusGraphQLLanguage

/// A change between two versions of a schema: `FIELD_REMOVED` at `Bird.name`.
package struct SchemaChange: Sendable, Equatable {
  package let kind: SchemaChangeKind
  /// The changed element; nil for the schema itself.
  package let coordinate: SchemaCoordinate?
  /// One sentence, worded as in the reference implementation where it has the change.
  package let message: String
  /// The old type, default value or name; nil for an addition.
  package let old: String?
  /// The new type, default value or name; nil for a removal.
  package let new: String?

  package init(
    _ kind: SchemaChangeKind, _ coordinate: SchemaCoordinate?, _ message: String, old: String? = nil,
    new: String? = nil
  ) {
    self.kind = kind
    self.coordinate = coordinate
    self.message = message
    self.old = old
    self.new = new
  }

  package var criticality: Criticality { kind.criticality }
}

/// The effect of a change on clients of the older version.
public enum Criticality: String, Sendable, Hashable, CaseIterable, Comparable {
  /// A valid operation may become invalid, or its result may have another type.
  case breaking
  /// Every operation stays valid, but may have unexpected results.
  case dangerous
  /// No operation is affected.
  case safe

  /// Sorts the worst first.
  public static func < (left: Criticality, right: Criticality) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .breaking: 0
    case .dangerous: 1
    case .safe: 2
    }
  }
}
