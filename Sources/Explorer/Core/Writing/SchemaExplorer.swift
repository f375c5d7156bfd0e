import ExplorerText

/// Something that the schema defines and that has a page of its own, or a row on one.
package struct SchemaPlace: Hashable, Sendable {
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
package struct SchemaRow: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case heading, field, argument, type, value, text, deprecation }

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

package struct SchemaPage: Hashable, Sendable {
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
package enum SchemaVisit: Hashable, Sendable {
  case page(SchemaPlace)
  case search(String, selected: Int)
}

/// The schema opened over the panes: a page, those before and after it, and a search.
package struct SchemaExplorerState: Hashable, Sendable {
  package var page: SchemaPage?
  package var list = ListCursor()
  package var back: [SchemaVisit] = []
  package var forward: [SchemaVisit] = []
  package var input = LineEditor()
  package var results: [SchemaRow] = []
  /// What the results are of: until the answer is there, they are those of what was typed before.
  package var answered = ""
  /// The result that was selected when one went away from them.
  private var selectedBefore: Int?

  /// The page's rows, its descriptions in lines of the width that there is.
  private var fitted: [SchemaRow] = []
  private var width: Int?

  package init() {}

  package var search: String { input.text }
  package var isSearching: Bool { !input.isEmpty }
  package var rows: [SchemaRow] { isSearching ? results : fitted }
  package var selected: SchemaRow? { rows.indices.contains(list.selected) ? rows[list.selected] : nil }
  /// Where one is, with the row that is selected, to come back to.
  var current: SchemaVisit? {
    if isSearching { return .search(search, selected: list.selected) }
    return page.map { .page(SchemaPlace(page: $0.place.page, member: selected?.name)) }
  }

  /// Another text is searched for, or one from before whose selected result is known.
  mutating func searchAnew(selected: Int? = nil) {
    selectedBefore = selected
    if !isSearching { results = [] }
  }

  mutating func found(_ rows: [SchemaRow]) {
    results = rows
    answered = search
    list = ListCursor()
    list.select(selectedBefore ?? 0, count: rows.count)
    selectedBefore = nil
  }

  /// Goes so many rows that can be selected on.
  mutating func move(by distance: Int) {
    let choices = rows.indices.filter { rows[$0].isSelectable }
    guard !choices.isEmpty else { return list.move(by: distance, count: rows.count) }
    let place = choices.lastIndex { $0 <= list.selected } ?? (distance > 0 ? -1 : 0)
    let wanted = min(max(0, place + distance), choices.count - 1)
    list.selected = choices[wanted]
    // What stands above the first choice is read by going up to it.
    if wanted == 0 { list.scroll = 0 }
  }

  /// Breaks the descriptions into lines of a width; the row that is selected stays it.
  package mutating func fit(to width: Int, lines: (String, Int) -> [String]) {
    guard width != self.width, let page else { return }
    self.width = width
    let choice = fitted.prefix(isSearching ? 0 : list.selected).count(where: \.isSelectable)
    fitted = page.rows.flatMap { row -> [SchemaRow] in
      guard row.kind == .text, !row.name.isEmpty else { return [row] }
      return lines(row.name, width).map { SchemaRow(.text, $0) }
    }
    guard !isSearching else { return }
    let choices = fitted.indices.filter { fitted[$0].isSelectable }
    if choices.indices.contains(choice) { list.selected = choices[choice] }
  }

  mutating func show(_ page: SchemaPage) {
    self.page = page
    fitted = page.rows
    width = nil
    input = LineEditor()
    results = []
    answered = ""
    list = ListCursor()
    // An argument stands beneath its field.
    let start =
      page.place.field.flatMap { field in page.rows.firstIndex { $0.kind == .field && $0.name == field } } ?? 0
    let row = page.place.member.flatMap { member in
      page.rows[start...].firstIndex { $0.name == member && $0.isSelectable }
    }
    list.selected = row ?? page.rows.firstIndex(where: \.isSelectable) ?? 0
  }
}
