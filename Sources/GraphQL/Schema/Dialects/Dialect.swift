/// A set of additions to GraphQL that a family of tools defines: directives, types, fields and rules that documents use and
/// that no schema declares.
package enum Dialect: String, Sendable, CaseIterable {
  /// Subgraphs of Apollo Federation, version 1 and 2.
  case federation
  /// Documents for the Relay compiler.
  case relay
  /// Documents for Apollo's clients: JavaScript, iOS and Kotlin.
  case apollo

  /// The name for readers.
  package var title: String {
    switch self {
    case .federation: "Apollo Federation"
    case .relay: "Relay"
    case .apollo: "Apollo Client"
    }
  }
}

/// The dialects in which a schema, and the documents for it, are read.
package struct DialectSelection: Sendable, Equatable {
  /// The dialects that are on in any case.
  package var dialects: Set<Dialect>
  /// Whether a dialect that the text itself shows is added.
  package var detects: Bool
  /// Why a dialect is on, where it is not selected by name.
  package var reasons: [Dialect: String] = [:]

  /// The dialects with their reasons, in a fixed order.
  package var uses: [DialectUse] {
    Dialect.allCases.filter(dialects.contains).map {
      DialectUse($0, reason: reasons[$0] ?? "selected by extensions.apus.dialect")
    }
  }

  package init(_ dialects: Set<Dialect> = [], detects: Bool = true) {
    self.dialects = dialects
    self.detects = detects
  }

  /// The dialects that the text itself shows, and no others.
  package static let automatic = DialectSelection()
}

/// A dialect with the reason for which it is on.
package struct DialectUse: Sendable, Equatable, CustomStringConvertible {
  package let dialect: Dialect
  /// A clause that follows the dialect's name, such as `schema.graphql uses @key`.
  package let reason: String

  package init(_ dialect: Dialect, reason: String) {
    self.dialect = dialect
    self.reason = reason
  }

  package var description: String { "\(dialect.title) (\(reason))" }
}
