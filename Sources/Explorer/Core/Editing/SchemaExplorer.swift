import ApusExplorerText

/// A schema element that has a page or a row on one: `Bird`, `Bird.name`, `@defer`, or the argument `first` of
/// `Query.birds`.
package struct SchemaPageLink: Equatable, Sendable {
  /// The name of a type, or of a directive with its `@`; empty for the overview.
  package var page: String
  /// The member to select on the page.
  package var member: String?
  /// The field of the argument, if the member is one.
  package var field: String?

  package init(page: String, member: String? = nil, of field: String? = nil) {
    self.page = page
    self.member = member
    self.field = field
  }

  package static let overview = SchemaPageLink(page: "")
  /// The page of differences from the previously loaded schema.
  package static let changes = SchemaPageLink(page: "~")
}

/// A row of a schema page.
package struct SchemaRow: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case heading, field, argument, type, value, text, deprecation }

  package var kind: Kind
  package var name: String
  /// The type in GraphQL syntax.
  package var type: String
  package var note: String
  package var isDeprecated: Bool
  package var depth: Int
  /// The page or row that the row links to.
  package var link: SchemaPageLink?
  /// The field, or the type to select, if a query can be generated from the row.
  package var subject: SchemaPageLink?

  package init(
    _ kind: Kind, _ name: String, type: String = "", note: String = "", isDeprecated: Bool = false, depth: Int = 0,
    link: SchemaPageLink? = nil, subject: SchemaPageLink? = nil
  ) {
    self.kind = kind
    self.name = name
    self.type = type
    self.note = note
    self.isDeprecated = isDeprecated
    self.depth = depth
    self.link = link
    self.subject = subject
  }

  /// Whether the row can be selected, because it has a link or details.
  package var isSelectable: Bool { kind != .heading && kind != .text && kind != .deprecation }
}

package struct SchemaPage: Equatable, Sendable {
  package var link: SchemaPageLink
  package var title: String
  package var rows: [SchemaRow]

  package init(link: SchemaPageLink, title: String, rows: [SchemaRow]) {
    self.link = link
    self.title = title
    self.rows = rows
  }
}

/// A visited page or search in the schema popup, to return to.
package enum SchemaHistoryEntry: Equatable, Sendable {
  case page(SchemaPageLink)
  case search(String, selected: Int)
}
