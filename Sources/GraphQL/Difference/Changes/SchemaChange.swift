import ApusGraphQLLanguage

/// One thing that differs between two versions of a schema.
package struct SchemaChange: Sendable, Equatable {
  package let kind: SchemaChangeKind
  /// What it is about; nil for the schema itself.
  package let coordinate: SchemaCoordinate?
  /// One sentence, in the reference implementation's words where it has some.
  package let message: String
  /// What was: a type, a default value, a name; nil for what came.
  package let old: String?
  /// What is now; nil for what went.
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

/// What a change may do to a client of the older version.
package enum Criticality: String, Sendable, CaseIterable, Comparable {
  /// An operation that was right may be wrong now, or its result may be of another type.
  case breaking
  /// Every operation is still right, and yet one may get what it does not expect.
  case dangerous
  /// Nobody needs to notice.
  case safe

  /// The worst first.
  package static func < (left: Criticality, right: Criticality) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .breaking: 0
    case .dangerous: 1
    case .safe: 2
    }
  }
}
