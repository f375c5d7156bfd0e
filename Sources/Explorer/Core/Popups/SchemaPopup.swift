import ApusExplorerText

/// The schema opened over the panes: a page, those before and after it, and a search.
package struct SchemaExplorerState: PopupState {
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

extension SchemaExplorerState {
  package var popup: Popup { .schema(self) }

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { contexts(of: .schema, typing: input) }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let row = list.scroll + line
    return rows.indices.contains(row) && rows[row].isSelectable ? row : nil
  }

  package func click(row: Int, on state: inout ExplorerState) -> [Effect] {
    var clicked = self
    clicked.list.select(row, count: rows.count)
    return clicked.show(on: &state) + state.invoke(.popupAccept)
  }

  package func perform(_ command: Command, on state: inout ExplorerState) -> [Effect]? {
    var schema = self
    if let step = command.popupStep {
      schema.move(by: step)
      return schema.show(on: &state)
    }
    switch command {
    case .popupAccept:
      guard let link = selected?.link else {
        state.screen.notice = Notice("This leads nowhere further")
        return []
      }
      schema.leave(to: \.back)
      schema.forward = []
      return schema.show(on: &state) + [.ask(.schemaPage(link))]
    case .schemaBack: return goBack(on: &state)
    case .schemaForward:
      guard let next = schema.forward.popLast() else { return [] }
      schema.leave(to: \.back)
      return schema.visit(next, on: &state)
    case .schemaToQuery:
      guard let subject = selected?.subject else {
        state.screen.notice = Notice("No query can select this: follow who uses it", .warning)
        return []
      }
      return [.ask(.schemaQuery(subject))]
    case .popupClose, .openSchema:
      guard isSearching else { return close(on: &state) }
      schema.input = LineEditor()
      return schema.lineChanged(on: &state)
    default: return nil
    }
  }

  /// Typing searches.
  package func lineChanged(on state: inout ExplorerState) -> [Effect] {
    var schema = self
    schema.searchAnew()
    return schema.show(on: &state) + (schema.isSearching ? [.ask(.schemaSearch(schema.search))] : [])
  }

  package func leaveEmptyLine(on state: inout ExplorerState) -> [Effect] { goBack(on: &state) }

  private func goBack(on state: inout ExplorerState) -> [Effect] {
    var schema = self
    guard let last = schema.back.popLast() else { return [] }
    schema.leave(to: \.forward)
    return schema.visit(last, on: &state)
  }

  /// Notes where one is among the places before it or behind it.
  private mutating func leave(to places: WritableKeyPath<SchemaExplorerState, [SchemaVisit]>) {
    if let current { self[keyPath: places].append(current) }
  }

  private func visit(_ visit: SchemaVisit, on state: inout ExplorerState) -> [Effect] {
    var schema = self
    let question: WritingQuestion
    switch visit {
    case .page(let place): question = .schemaPage(place)
    case .search(let text, let selected):
      schema.input = LineEditor(text)
      schema.searchAnew(selected: selected)
      question = .schemaSearch(text)
    }
    return schema.show(on: &state) + [.ask(question)]
  }
}
