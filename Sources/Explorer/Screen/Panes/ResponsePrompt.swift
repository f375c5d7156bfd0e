import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText
import ApusJSON

/// Draws the response's table and raw text, and the search line at the bottom.
extension Painter {
  /// Draws the search line: the typed text, or the result of a search or filter.
  mutating func paintReadingLine(in rect: Rect) {
    let reading = state.tab.response.reading
    frame.fill(rect, style: theme[.popup])
    let isTyping = reading.prompt != nil && state.screen.focus == .response
    let idle: ResponsePresentation.Prompt =
      state.tab.response.view == .events
      ? .events : reading.search.isActive ? .search : reading.hasRowFilter ? .rows : .filter
    let (symbol, line): (String, LineEditor) =
      switch reading.prompt ?? idle {
      case .search: (" / ", reading.search.input)
      case .filter: (" jq ", reading.filter.input)
      case .events: (" / ", reading.events?.filterInput ?? LineEditor())
      case .path: (" path ", reading.pathInput)
      case .rows: (" rows ", reading.table?.filterInput ?? LineEditor())
      }
    let (note, role) = readingNote
    var column = put(symbol, at: rect.column, in: rect, theme[.accent, on: .popup])
    column = paintInput(line, at: column, in: room(in: rect, beside: note), hasKeys: isTyping)
    if let message = reading.filter.message, rect.row > 0 {
      // An error has a separate line, because there is no space next to a long filter.
      let line = Rect(column: rect.column, row: rect.row - 1, width: rect.width, height: 1)
      frame.fill(line, style: theme[.popup])
      let text = TextWidth.truncated("\(glyphs.error) \(message)", to: line.width - 2, ellipsis: glyphs.ellipsis)
      put(text, at: line.column + 1, in: line, theme[.error, on: .popup])
    }
    let room = rect.endColumn - column - 3
    guard room > 3, !note.isEmpty else { return }
    let text = TextWidth.truncated(note, to: room, ellipsis: glyphs.ellipsis)
    put(text, at: rect.endColumn - 1 - TextWidth.width(of: text), in: rect, theme[role, on: .popup])
  }

  private var readingNote: (String, ThemeRole) {
    let reading = state.tab.response.reading
    if state.tab.response.view == .events, let events = reading.events {
      let said = "\(DisplayFormat.count(events.shown.count)) of \(DisplayFormat.count(events.count))"
      return (events.isFiltering ? "\(said) \(glyphs.ellipsis)" : said, .muted)
    }
    let isRows = reading.prompt == .rows || reading.prompt == nil && !reading.search.isActive && reading.hasRowFilter
    if isRows, let table = reading.table {
      return ("\(DisplayFormat.count(table.count)) of \(DisplayFormat.count(table.itemCount))", .muted)
    }
    let isSearch = reading.prompt == .search || reading.prompt == nil && reading.search.isActive
    if isSearch {
      let search = reading.search
      if search.isSearching { return ("searching \(glyphs.ellipsis)", .muted) }
      if search.text.isEmpty { return ("", .muted) }
      if search.count == 0 { return ("\(glyphs.warning) no matches", .warning) }
      let count = DisplayFormat.count(search.count) + (search.isCut ? "+" : "")
      return ("\(DisplayFormat.count(search.index + 1)) of \(count)", .muted)
    }
    guard reading.prompt != .path else { return ("birds.edges[2].node.name", .muted) }
    let filter = reading.filter
    if filter.isRunning { return ("filtering \(glyphs.ellipsis)", .muted) }
    return (filter.text.isEmpty ? ".  (jq filter on the response data)" : "", .muted)
  }

  // MARK: Text

  mutating func paintRaw(_ raw: RawJSONState, in area: Rect) {
    guard let text = raw.text else { return paintEmpty(["formatting \(glyphs.ellipsis)"], in: area) }
    paintRows(raw.list, count: text.lineCount, in: area, isFocused: state.screen.focus == .response) {
      painter, index, rect in
      painter.paintRawLine(text.line(index, limit: 4 * (raw.firstColumn + rect.width)), from: raw.firstColumn, in: rect)
    }
  }

  private mutating func paintRawLine(_ line: String, from first: Int, in rect: Rect) {
    let inner = Rect(column: rect.column + 1, row: rect.row, width: rect.width - 1, height: 1)
    var column = inner.column - first
    link(in: line, at: column, in: inner)
    mark(line, at: column, in: inner)
    for part in RawLine(line).parts {
      let role: ThemeRole =
        switch part.kind {
        case .key: .objectKey
        case .string: .string
        case .number: .number
        case .constant: .constant
        case .punctuation: .punctuation
        }
      column = frame.put(part.text, at: Point(column: column, row: rect.row), style: theme[role], clippedTo: inner)
    }
    // `put` stops at the edge, also if more text follows.
    if LineCells.cells(before: line.utf8.count, in: line) - first > inner.width {
      put(String(glyphs.cutRight), at: inner.endColumn - 1, in: inner, theme[.muted])
    }
    if first > 0 { put(String(glyphs.cutLeft), at: inner.column, in: inner, theme[.muted]) }
  }

  // MARK: Table

  mutating func paintTable(_ table: ResponseTable, in area: Rect) {
    let shown = table.shownColumns
    let header = area.line(0)
    let hasBar = table.count > area.height - 1
    let body = Rect(column: area.column, row: area.row + 1, width: area.width, height: max(0, area.height - 1))
    let columns = Painter.visibleColumns(of: table, width: area.width - 2 - (hasBar ? 1 : 0))
    let hidden = table.hiddenCount + (shown.count - columns.count)
    let note = hidden > 0 ? " \(hidden) \(glyphs.cutRight)" : ""
    let titlesEnd = header.endColumn - TextWidth.width(of: note)
    for (position, cells) in columns {
      let column = shown[position]
      let isSelected = position == table.selectedColumn && state.screen.focus == .response
      var title = table.columns[column].title
      if let sorting = table.sorting, sorting.column == column {
        title += " \(sorting.isDescending ? glyphs.pagesAfter : glyphs.pagesBefore)"
      }
      let start = header.column + 1 + cells.lowerBound
      let room = min(cells.count, titlesEnd - start)
      guard room > 0 else { continue }
      let spot = Rect(column: start, row: header.row, width: room, height: 1)
      put(
        TextWidth.truncated(title, to: room, ellipsis: glyphs.ellipsis), at: spot.column, in: spot,
        theme[isSelected ? .accent : .heading].with(isSelected ? [.bold, .reverse] : .bold))
    }
    put(note, at: titlesEnd, in: header, theme[.muted])
    paintRows(table.list, count: table.count, in: body, isFocused: state.screen.focus == .response) {
      painter, row, rect in
      painter.paintTableRow(table, row, columns.map { (shown[$0.position], $0.cells) }, in: rect)
    }
  }

  private mutating func paintTableRow(
    _ table: ResponseTable, _ row: Int, _ columns: [(column: Int, cells: Range<Int>)], in rect: Rect
  ) {
    let isNew = table.isNew(row: row)
    if isNew {
      let style = theme[.fresh]
      frame.restyle(rect) { style.over($0).keepingForeground(of: $0) }
      // A symbol distinguishes it without color.
      put("+", at: rect.column, in: rect, theme[.fresh])
    }
    for (column, cells) in columns {
      guard let value = table.value(row: row, column: column), !value.isNull else { continue }
      let role: ThemeRole =
        switch value.kind {
        case .number: .number
        case .bool: .constant
        case .array, .object: .muted
        case .string, .null: .text
        }
      let complete = ResponseTable.text(of: value)
      let text = TextWidth.truncated(complete, to: cells.count, ellipsis: glyphs.ellipsis)
      let space = value.kind == .number ? max(0, cells.count - TextWidth.width(of: text)) : 0
      let spot = Rect(column: rect.column + 1 + cells.lowerBound, row: rect.row, width: cells.count, height: 1)
      link(in: complete, at: spot.column, in: spot)
      if value.kind != .array, value.kind != .object { mark(text, at: spot.column + space, in: spot) }
      put(text, at: spot.column + space, in: spot, isNew ? theme[.fresh].over(theme[role]) : theme[role])
    }
  }

  /// Returns the visible columns: the selected one and as many around it as fit.
  static func visibleColumns(of table: ResponseTable, width: Int) -> [(position: Int, cells: Range<Int>)] {
    let shown = table.shownColumns
    guard !shown.isEmpty else { return [] }
    func cells(from first: Int) -> [(position: Int, cells: Range<Int>)] {
      var result: [(position: Int, cells: Range<Int>)] = []
      var start = 0
      for position in first..<shown.count {
        let columnWidth = table.columns[shown[position]].width
        let room = width - start
        guard room >= min(columnWidth, 4) else { break }
        result.append((position, start..<(start + min(columnWidth, room))))
        start += columnWidth + 2
      }
      return result
    }
    var first = 0
    while first < table.selectedColumn {
      let columns = cells(from: first)
      if let selected = columns.first(where: { $0.position == table.selectedColumn }),
        selected.cells.count == table.columns[shown[table.selectedColumn]].width
      {
        return columns
      }
      first += 1
    }
    return cells(from: first)
  }

}

extension ResponseFeature {
  /// The number of lines reserved for the search line and its message.
  var readingLines: Int {
    if view == .events { return reading.prompt == .events || reading.events?.filter.isEmpty == false ? 1 : 0 }
    guard reading.prompt != nil || reading.search.isActive || reading.filter.isActive || reading.hasRowFilter else {
      return 0
    }
    return reading.filter.message == nil ? 1 : 2
  }
}
