/// A set of additions to GraphQL by a family of tools: directives, types, fields and rules that documents use although
/// no schema declares them.
package enum Dialect: String, Sendable, CaseIterable {
  /// Subgraphs of Apollo Federation, versions 1 and 2.
  case federation
  /// Documents for the Relay compiler.
  case relay
  /// Documents for Apollo's clients for JavaScript, iOS and Kotlin.
  case apollo
  /// Documents for Houdini, a client for Svelte.
  case houdini
  /// Source schemas of the GraphQL Composite Schemas specification.
  case composite
  /// Schemas for AWS AppSync and Amplify.
  case appSync = "appsync"

  /// Whether the dialect is that of a client's documents.
  package var isClient: Bool {
    switch self {
    case .relay, .apollo, .houdini: true
    case .federation, .composite, .appSync: false
    }
  }

  /// The display name.
  package var title: String {
    switch self {
    case .federation: "Apollo Federation"
    case .relay: "Relay"
    case .apollo: "Apollo Client"
    case .houdini: "Houdini"
    case .composite: "Composite Schemas"
    case .appSync: "AWS AppSync"
    }
  }
}

/// The dialects for reading a schema and its documents.
package struct DialectSelection: Sendable, Equatable {
  /// The dialects that are always on.
  package var dialects: Set<Dialect>
  /// Whether dialects are also detected from the text.
  package var detects: Bool
  /// The reasons for dialects that are not selected by name.
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

  /// Only detected dialects.
  package static let automatic = DialectSelection()
}

/// A dialect that is on, with the reason.
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
