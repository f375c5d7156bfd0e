import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// Draws one state into one frame. Extensions in other files draw the panes, bars and popups.
struct Painter {
  let state: ExplorerState
  let theme: Theme
  let glyphs: GlyphSet
  let keys: KeyTable
  let layout: ScreenLayout
  /// The keys of an incomplete sequence.
  var pendingKeys: [KeyPress] = []
  var frame: Frame
  var cursor: CursorPlacement?
  /// The positions of drawn elements, for clicks.
  private(set) var regions: HitRegions
  /// The text being searched for in the response; matches are marked.
  let sought: SearchPattern?
  /// The matches in the row that is being drawn.
  private var marks: [Rect] = []

  init(_ state: ExplorerState, _ layout: ScreenLayout, theme: Theme, glyphs: GlyphSet, keys: KeyTable) {
    self.state = state
    self.theme = theme
    self.glyphs = glyphs
    self.keys = keys
    self.layout = layout
    regions = HitRegions(layout)
    frame = Frame(size: layout.size, style: theme[.text])
    sought = state.tab.response.reading.search.isActive ? SearchPattern(state.tab.response.reading.search.text) : nil
  }

  mutating func paint() {
    guard !layout.isTooSmall else { return paintTooSmall() }
    if layout.tabBar.height > 0 { paintTabBar(layout.tabBar) }
    regions.tabs = tabColumns()
    for divider in layout.dividers { frame.fill(divider, with: glyphs.border.vertical, style: theme[.border]) }
    for slot in layout.slots {
      paintTitle(slot)
      switch slot.pane {
      case .query: paintEditor(state.tab.editors.query, state.tab.editors.queryAnalysis, slot)
      case .variables: paintEditor(state.tab.editors.variables, state.tab.editors.variablesAnalysis, slot)
      case .headers: paintHeaders(slot)
      case .response: paintResponse(slot.content)
      case .deferred: paintDeferredPane(slot.content)
      case .cache: paintCache(slot.content)
      }
    }
    paintStatus(layout.status)
    paintFooter(layout.footer)
    paintStart()
    for popup in state.popups.all { paintPopup(popup) }
  }

  private mutating func paintTooSmall() {
    let smallest = ScreenLayout.smallest
    let lines = [
      "Apus needs \(smallest.width)×\(smallest.height) cells;",
      "this terminal has \(frame.size.width)×\(frame.size.height).",
    ]
    let top = max(0, (frame.size.height - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      let column = max(0, (frame.size.width - TextWidth.width(of: line)) / 2)
      frame.put(line, at: Point(column: column, row: top + index), style: theme[.text])
    }
  }

  /// Draws an input line in the rest of a row and returns the column after it. If it receives the keys, it shows the
  /// cursor.
  mutating func paintInput(
    _ line: LineEditor, at column: Int, in row: Rect, on ground: ThemeRole = .popup, hasKeys: Bool = true
  ) -> Int {
    let field = Rect(column: column, row: row.row, width: max(0, row.endColumn - column), height: 1)
    let input = InputField(line.text, cursorOffset: hasKeys ? line.cursorOffset : 0, in: field)
    if hasKeys {
      cursor = CursorPlacement(input.cursor)
      regions.input = input
    }
    let style = line.isOffered && hasKeys ? theme[.textSelection].over(theme[ground]) : theme[ground]
    return input.draw(in: &frame, style: style, marks: theme[.muted, on: ground], glyphs: glyphs)
  }

  /// Returns the row without the space for a note at its end, if both fit.
  func room(in row: Rect, beside note: String) -> Rect {
    let width = TextWidth.width(of: note)
    guard width > 0, row.width >= width + 24 else { return row }
    return Rect(column: row.column, row: row.row, width: row.width - width - 2, height: 1)
  }

  // MARK: Titles

  /// Draws the line above a pane: its number and name, the names of panes in the same slot, and a note.
  private mutating func paintTitle(_ slot: ScreenLayout.Slot) {
    let isFocused = slot.pane == state.screen.focus
    let line = theme[isFocused ? .focusBorder : .border]
    let rule = isFocused ? glyphs.focusedBorder.horizontal : glyphs.border.horizontal
    frame.fill(slot.title, with: rule, style: line)
    regions.names += names(in: slot)
    var column = slot.title.column + 1
    let isShort = isShort(slot)
    for pane in slot.tabs {
      let isShown = pane == slot.pane
      let style = isShown ? theme[isFocused ? .focusTitle : .title] : theme[.muted]
      column = put(name(of: pane, in: slot, isShort: isShort), at: column, in: slot.title, style)
      if isShown || !isShort {
        for (text, role) in badges(of: pane) { column = put("\(text) ", at: column, in: slot.title, theme[role]) }
      }
      if !isShort { column += 1 }
    }
    var note = titleNote(of: slot.pane)
    // If the note does not fit, its last items are dropped first.
    while slot.title.endColumn - 3 - TextWidth.width(of: note) < column, let cut = note.ranges(of: ", ").last {
      note = String(note[..<cut.lowerBound])
    }
    let width = TextWidth.width(of: note) + 2
    if !note.isEmpty, slot.title.endColumn - 1 - width >= column {
      put(" \(note) ", at: slot.title.endColumn - 1 - width, in: slot.title, theme[.muted])
    }
  }

  /// Returns the positions of the names in a title, including their badges.
  func names(in slot: ScreenLayout.Slot) -> [(pane: PaneID, area: Rect)] {
    let isShort = isShort(slot)
    var column = slot.title.column + 1
    return slot.tabs.map { pane in
      let width = nameWidth(of: pane, in: slot, isShort: isShort)
      defer { column += width + (isShort ? 0 : 1) }
      return (pane, Rect(column: column, row: slot.title.row, width: width, height: 1))
    }
  }

  /// Whether hidden panes are named by their numbers alone, because the names do not fit in a narrow screen.
  private func isShort(_ slot: ScreenLayout.Slot) -> Bool {
    layout.size.width < 80 && slot.tabs.count > 3
      && slot.tabs.reduce(1) { $0 + nameWidth(of: $1, in: slot, isShort: false) + 1 } > slot.title.width
  }

  private func name(of pane: PaneID, in slot: ScreenLayout.Slot, isShort: Bool) -> String {
    isShort && pane != slot.pane ? " \(pane.rawValue) " : " \(pane.rawValue) \(pane.title) "
  }

  private func nameWidth(of pane: PaneID, in slot: ScreenLayout.Slot, isShort: Bool) -> Int {
    let shown = isShort && pane != slot.pane ? [] : badges(of: pane)
    return shown.reduce(TextWidth.width(of: name(of: pane, in: slot, isShort: isShort))) {
      $0 + TextWidth.width(of: $1.0) + 1
    }
  }

  @discardableResult
  mutating func put(_ text: String, at column: Int, in row: Rect, _ style: Style) -> Int {
    frame.put(text, at: Point(column: column, row: row.row), style: style, clippedTo: row)
  }

  /// Returns the badges of a pane, which are shown even if another pane hides it.
  private func badges(of pane: PaneID) -> [(String, ThemeRole)] {
    switch pane {
    case .query, .variables, .headers:
      let analysis = state.analysis(in: pane)
      let count = analysis.diagnostics.count { $0.severity == .error }
      let warnings = analysis.diagnostics.count - count
      let mode: [(String, ThemeRole)] =
        pane == state.screen.focus
        ? state.typing.vim.map { [($0.mode.title, $0.mode == .normal ? .title : .accent)] } ?? [] : []
      // The title shows the number of headers if the pane is visible.
      let headers = pane == .headers && !layout.slots.contains { $0.pane == .headers } ? headersBadge : []
      return headers + mode + (count == 0 ? [] : [("\(glyphs.error)\(count)", .error)])
        + (warnings == 0 ? [] : [("\(glyphs.warning)\(warnings)", .warning)])
    case .response:
      guard let run = state.tab.response.run else { return [] }
      if run.isActive || run.paging != nil { return [(spinner, .pending)] }
      if state.tab.response.hasFailed { return [(String(glyphs.error), .error)] }
      return []
    case .deferred:
      return deliveryBadges
    case .cache:
      return state.cache.totalCount == 0 ? [] : [(DisplayFormat.count(state.cache.totalCount), .count)]
    }
  }

  /// The number of fragments and streams per status.
  private var deliveryBadges: [(String, ThemeRole)] {
    let response = state.tab.response
    var counts: [ResultStatus: Int] = [:]
    for fragment in response.fragments { counts[response.state(of: fragment), default: 0] += 1 }
    for stream in response.streams { counts[response.state(of: stream), default: 0] += 1 }
    return ResultStatus.allCases.compactMap { state in
      guard let count = counts[state] else { return nil }
      let style = self.style(of: state)
      return ("\(style.glyph)\(count)", style.role)
    }
  }

  private var sortNote: String {
    let listing = state.tab.response.deferredListing
    guard state.tab.response.deliveryCount > 0, listing.order != .document || listing.isReversed else { return "" }
    return "by \(listing.order.title)" + (listing.isReversed ? ", reversed" : "")
  }

  private func titleNote(of pane: PaneID) -> String {
    switch pane {
    case .query:
      // With several operations, show which one the key would run.
      if state.tab.editors.queryAnalysis.operations.count > 1,
        let operation = state.tab.editors.queryAnalysis.operation(at: state.tab.editors.query.cursor.line)
      {
        let key = keys.key(for: .runOperation, in: state).map { "\($0) " } ?? ""
        return "\(key)runs \(operation.name ?? operation.kind)"
      }
      switch state.connection.schema {
      case .loading: return "loading the schema \(glyphs.ellipsis)"
      case .loaded(let count):
        return DisplayFormat.plural(count, "type") + (state.connection.schemaNote.map { ", \($0)" } ?? "")
      case .unavailable:
        let key = keys.key(for: .openSchema, in: state).map { ": \($0)" } ?? ""
        return "\(glyphs.warning) no schema\(key)"
      }
    case .variables:
      if state.areExtensionsWithheld { return "extensions withheld" }
      return state.tab.extensions.text.isEmpty ? "" : "with extensions"
    case .headers: return headersNote
    case .response: return responseNote
    case .deferred: return sortNote
    case .cache: return state.cache.totalCount == 0 ? "" : DisplayFormat.bytes(state.cache.totalBytes)
    }
  }

  var spinner: String { String(glyphs.spinner[state.screen.ticks % glyphs.spinner.count]) }

  // MARK: Lists

  /// Draws the visible rows of a list, its scroll bar, and the selection.
  mutating func paintRows(
    _ list: ListCursor, count: Int, in area: Rect, isFocused: Bool,
    row paint: (inout Painter, _ index: Int, Rect) -> Void
  ) {
    let hasBar = count > area.height
    let inner = Rect(column: area.column, row: area.row, width: area.width - (hasBar ? 1 : 0), height: area.height)
    for line in 0..<max(0, min(area.height, count - list.scroll)) {
      let index = list.scroll + line
      let rect = inner.line(line)
      paint(&self, index, rect)
      defer { paintMarks() }
      guard index == list.selected else { continue }
      let style = theme[isFocused ? .selection : .unfocusedSelection]
      frame.restyle(rect) { style.over($0).keepingForeground(of: $0) }
      if isFocused {
        followSelection(at: rect)
        frame.put(String(glyphs.selected), at: rect.origin, style: theme[.accent].on(style.background), clippedTo: rect)
      }
    }
    if hasBar { paintScrollBar(first: list.scroll, shown: area.height, count: count, in: area) }
  }

  /// Moves the cursor to the selected row of a list, for screen readers, braille lines and magnifiers. A text cursor stays in
  /// its input line while the first row is selected, since typing selects that row.
  mutating func followSelection(at row: Rect, isFirst: Bool = true) {
    if cursor == nil || !isFirst { cursor = CursorPlacement(row.origin, shape: .block) }
  }

  /// Marks matches of the search in text drawn at a column, also in a selected row.
  mutating func mark(_ text: String, at column: Int, in rect: Rect) {
    guard let sought else { return }
    var start = column
    var measured = text.startIndex
    for range in sought.ranges(in: text) {
      start += TextWidth.width(of: text[measured..<range.lowerBound])
      guard start < rect.endColumn else { return }
      let width = TextWidth.width(of: text[range])
      marks.append(Rect(column: start, row: rect.row, width: width, height: 1).intersection(rect))
      start += width
      measured = range.upperBound
    }
  }

  mutating func paintMarks() {
    let style = theme[.searchMatch]
    for mark in marks { frame.restyle(mark) { style.over($0) } }
    marks.removeAll(keepingCapacity: true)
  }

  mutating func paintScrollBar(first: Int, shown: Int, count: Int, in area: Rect, on ground: ThemeRole = .text) {
    guard area.height > 0, count > shown else { return }
    let column = area.endColumn - 1
    // No track: next to the line between two columns it would look like a second line. In a popup the bar may replace
    // the border.
    if ground == .text {
      frame.fill(Rect(column: column, row: area.row, width: 1, height: area.height), style: theme[ground])
    }
    let length = max(1, area.height * shown / count)
    let room = area.height - length
    let start = room * first / max(1, count - shown)
    frame.fill(
      Rect(column: column, row: area.row + min(room, start), width: 1, height: length), with: glyphs.scrollThumb,
      style: theme[.scrollThumb, on: ground])
  }

  /// Draws centered lines in a pane that has nothing to show.
  mutating func paintEmpty(_ lines: [String], in area: Rect) {
    let top = area.row + max(0, (area.height - lines.count) / 2 - (area.height > 8 ? 1 : 0))
    for (index, line) in lines.enumerated() where top + index < area.endRow {
      let text = TextWidth.truncated(line, to: area.width - 2, ellipsis: glyphs.ellipsis)
      let column = area.column + max(1, (area.width - TextWidth.width(of: text)) / 2)
      frame.put(text, at: Point(column: column, row: top + index), style: theme[.muted], clippedTo: area)
    }
  }
}

extension Style {
  /// Returns the style with the text's own foreground color. A reversed style is unchanged, because it would turn the
  /// foreground colors into backgrounds.
  func keepingForeground(of below: Style) -> Style {
    if attributes.contains(.reverse) { return self }
    return Style(
      foreground: below.foreground == .default ? foreground : below.foreground, background: background,
      attributes: attributes)
  }
}
