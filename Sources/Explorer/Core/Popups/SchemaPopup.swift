import ApusExplorerText

/// The schema browser: a page, the visits before and after it, and a search.
package struct SchemaPopup: PopupContent {
  package var page: SchemaPage?
  package var list = ListCursor()
  package var back: [SchemaHistoryEntry] = []
  package var forward: [SchemaHistoryEntry] = []
  package var input = LineEditor()
  package var results: [SchemaRow] = []
  /// The search text of the results; it differs from the input until the answer arrives.
  package var answered = ""
  /// The selected result to restore when returning to a search.
  private var selectedBefore: Int?

  /// The page's rows, with descriptions wrapped to the available width.
  private var fitted: [SchemaRow] = []
  private var width: Int?

  package init() {}

  package var search: String { input.text }
  package var isSearching: Bool { !input.isEmpty }
  package var rows: [SchemaRow] { isSearching ? results : fitted }
  package var selected: SchemaRow? { rows.indices.contains(list.selected) ? rows[list.selected] : nil }
  /// The current page or search with its selected row, for returning to it.
  var current: SchemaHistoryEntry? {
    if isSearching { return .search(search, selected: list.selected) }
    return page.map { .page(SchemaPageLink(page: $0.link.page, member: selected?.name)) }
  }

  /// Starts a search, or repeats an earlier one with its selected result.
  mutating func restartSearch(selected: Int? = nil) {
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

  /// Moves the selection by a number of selectable rows.
  mutating func move(by distance: Int) {
    let choices = rows.indices.filter { rows[$0].isSelectable }
    guard !choices.isEmpty else { return list.move(by: distance, count: rows.count) }
    let current = choices.lastIndex { $0 <= list.selected } ?? (distance > 0 ? -1 : 0)
    let index = min(max(0, current + distance), choices.count - 1)
    list.selected = choices[index]
    // Scroll to the top so that the text above the first selectable row can be read.
    if index == 0 { list.scroll = 0 }
  }

  /// Wraps the descriptions to a width and keeps the selected row.
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
    // The user may type a search before the first page arrives.
    let isFirst = self.page == nil
    self.page = page
    fitted = page.rows
    width = nil
    if isFirst, isSearching { return }
    input = LineEditor()
    results = []
    answered = ""
    list = ListCursor()
    // An argument follows its field.
    let start =
      page.link.field.flatMap { field in page.rows.firstIndex { $0.kind == .field && $0.name == field } } ?? 0
    let row = page.link.member.flatMap { member in
      page.rows[start...].firstIndex { $0.name == member && $0.isSelectable }
    }
    list.selected = row ?? page.rows.firstIndex(where: \.isSelectable) ?? 0
  }
}

extension SchemaPopup {
  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { contexts(of: .schema, typing: input) }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let row = list.scroll + line
    return rows.indices.contains(row) && rows[row].isSelectable ? row : nil
  }

  package mutating func click(row: Int, in state: ExplorerState) -> PopupResult {
    list.select(row, count: rows.count)
    return .stay(.invoke(.popupAccept))
  }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let step = command.popupStep {
      move(by: step)
      return .stay()
    }
    switch command {
    case .popupAccept:
      guard let link = selected?.link else { return .stay(.notice("This row has no target")) }
      leave(to: \.back)
      forward = []
      return .stay(.effect(.text(.queryLanguageService(.schemaPage(link)))))
    case .schemaBack: return goBack()
    case .schemaForward:
      guard let next = forward.popLast() else { return .stay() }
      leave(to: \.back)
      return visit(next)
    case .schemaToQuery:
      guard let subject = selected?.subject else {
        return .stay(.notice("No query can select this type: open one of its uses", .warning))
      }
      return .stay(.effect(.text(.queryLanguageService(.schemaQuery(subject)))))
    case .popupClose, .openSchema:
      guard isSearching else { return .close() }
      input = LineEditor()
      return lineChanged(in: state)
    default: return .passOn
    }
  }

  /// Starts a search for the typed text.
  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    restartSearch()
    return .stay(isSearching ? [.effect(.text(.queryLanguageService(.schemaSearch(search))))] : [])
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult { goBack() }

  private mutating func goBack() -> PopupResult {
    guard let last = back.popLast() else { return .stay() }
    leave(to: \.forward)
    return visit(last)
  }

  /// Adds the current place to the back or forward list.
  private mutating func leave(to list: WritableKeyPath<SchemaPopup, [SchemaHistoryEntry]>) {
    if let current { self[keyPath: list].append(current) }
  }

  private mutating func visit(_ visit: SchemaHistoryEntry) -> PopupResult {
    switch visit {
    case .page(let link): return .stay(.effect(.text(.queryLanguageService(.schemaPage(link)))))
    case .search(let text, let selected):
      input = LineEditor(text)
      restartSearch(selected: selected)
      return .stay(.effect(.text(.queryLanguageService(.schemaSearch(text)))))
    }
  }
}
