import ApusExplorerText

/// Something that the schema defines and that has a page of its own, or a row on one.
package struct SchemaPlace: Equatable, Sendable {
  /// A type's name, or a directive's with its `@`; empty for the overview.
  package var page: String
  /// The member to select on it.
  package var member: String?
  /// The field whose argument the member is.
  package var field: String?

  package init(page: String, member: String? = nil, of field: String? = nil) {
    self.page = page
    self.member = member
    self.field = field
  }

  package static let overview = SchemaPlace(page: "")
  /// What differs from the schema of the last time.
  package static let changes = SchemaPlace(page: "~")
}

/// One line of a page of the schema.
package struct SchemaRow: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case heading, field, argument, type, value, text, deprecation }

  package var kind: Kind
  package var name: String
  /// The type, as GraphQL writes it.
  package var type: String
  package var note: String
  package var isDeprecated: Bool
  package var depth: Int
  /// Where the row leads.
  package var link: SchemaPlace?
  /// What the row is, where a query can select it: a field, or the type of what is selected.
  package var subject: SchemaPlace?

  package init(
    _ kind: Kind, _ name: String, type: String = "", note: String = "", isDeprecated: Bool = false, depth: Int = 0,
    link: SchemaPlace? = nil, subject: SchemaPlace? = nil
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

  /// The cursor stands on what leads somewhere or is told more of.
  package var isSelectable: Bool { kind != .heading && kind != .text && kind != .deprecation }
}

package struct SchemaPage: Equatable, Sendable {
  package var place: SchemaPlace
  package var title: String
  package var rows: [SchemaRow]

  package init(place: SchemaPlace, title: String, rows: [SchemaRow]) {
    self.place = place
    self.title = title
    self.rows = rows
  }
}

/// Where one was in the schema, to come back to.
package enum SchemaVisit: Equatable, Sendable {
  case page(SchemaPlace)
  case search(String, selected: Int)
}
