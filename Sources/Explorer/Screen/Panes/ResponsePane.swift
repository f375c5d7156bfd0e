import ApusFormatting
import ApusClientAPI
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

extension Painter {
  mutating func paintResponse(_ area: Rect) {
    if state.tab.response.hasNothingToShow { return paintNoResponse(area) }
    var rows = area
    if state.tab.response.readingLines > 0 {
      paintReadingLine(in: area.line(area.height - 1))
      rows.height -= state.tab.response.readingLines
    }
    if let failure = state.tab.response.failure {
      // Received data stays visible; the failure is shown below it.
      let lines = ResponseGeometry.failureLines(failure, in: area)
      rows.height -= lines.count
      paintFailure(lines, in: Rect(column: area.column, row: rows.endRow, width: area.width, height: lines.count))
    }
    switch state.tab.response.view {
    case .events: if let events = state.tab.response.reading.events { paintEvents(events, in: rows) }
    case .text(let raw): paintRaw(raw, in: rows)
    case .table(let table): paintTable(table, in: rows)
    case .tree:
      guard let pinned = state.pinned, let areas = ResponseGeometry.beside(rows, state) else {
        return paintTree(in: rows)
      }
      paintTree(in: areas.shown)
      paintPinned(pinned, in: areas.pinned, isBelow: areas.pinned.row > areas.shown.row, rows)
    }
  }

  /// The note in the title.
  var responseNote: String {
    let response = state.tab.response
    switch response.view {
    case .text(let raw):
      if raw.lineCount > 0 {
        return "line \(DisplayFormat.count(raw.list.selected + 1)) of \(DisplayFormat.count(raw.lineCount))"
      }
    case .tree, .table, .events: if response.reading.events != nil { return eventsNote }
    }
    return response.run.map(pagingNote) ?? ""
  }

  /// Draws the pinned response, aligned with the displayed one, with the differences inverted.
  private mutating func paintPinned(_ pinned: PinnedResponse, in bounds: Rect, isBelow: Bool, _ rows: Rect) {
    var area = bounds
    if isBelow {
      let line = area.line(0)
      frame.fill(line, with: glyphs.border.horizontal, style: theme[.border])
      put(" \(pinnedTitle(pinned, width: line.width - 4)) ", at: line.column + 1, in: line, theme[.title])
      area = Rect(column: area.column, row: area.row + 1, width: area.width, height: area.height - 1)
    } else {
      for row in rows.rows {
        frame.put(
          String(glyphs.border.vertical), at: Point(column: bounds.column - 1, row: row), style: theme[.border])
      }
      let foot = area.line(area.height - 1)
      put(pinnedTitle(pinned, width: foot.width - 2), at: foot.column + 1, in: foot, theme[.title])
      area.height -= 1
    }
    let (tree, shown) = (pinned.tree, state.tab.response.tree)
    // The selected row is on the same line on both sides.
    let wantedRow = (pinned.rowAtHand ?? shown.list.selected) - (shown.list.selected - shown.list.scroll)
    let first = min(max(0, wantedRow), max(0, tree.rows.count - 1))
    for line in 0..<max(0, min(area.height, tree.rows.count - first)) {
      let rect = area.line(line)
      paintResponseRow(tree.rows[first + line], of: tree, pages: nil, in: rect, isPinned: true)
      guard first + line == pinned.rowAtHand else { continue }
      let style = theme[.currentLine]
      frame.restyle(rect) { style.over($0).keepingForeground(of: $0) }
    }
  }

  private func pinnedTitle(_ pinned: PinnedResponse, width: Int) -> String {
    TextWidth.truncated("pinned: \(pinned.title)", to: width, ellipsis: glyphs.ellipsis)
  }

  private mutating func paintTree(in rows: Rect) {
    let tree = state.tab.response.shownTree
    let lists = pagedLists
    let paint = { (painter: inout Painter, index: Int, rect: Rect) in
      let row = tree.rows[index]
      var list: PagedList?
      if case .key(let key) = row.label, lists.keys.contains(key) { list = lists.paths[tree.path(ofRow: index)] }
      painter.paintResponseRow(row, of: tree, pages: list, in: rect)
      if painter.state.screen.isShowingSources, let source = painter.state.tab.response.source(ofRow: index) {
        painter.paintSource(source, in: rect)
      }
    }
    paintRows(
      tree.list, count: tree.rows.count, in: rows, isFocused: state.screen.focus == .response, row: paint)
    let width = rows.width - (tree.rows.count > rows.height ? 1 : 0)
    for (line, index) in tree.parents(above: tree.list.scroll, height: rows.height).enumerated() {
      let rect = Rect(column: rows.column, row: rows.row + line, width: width, height: 1)
      frame.fill(rect, style: theme[.text])
      paint(&self, index, rect)
      paintMarks()
      let style = theme[.currentLine]
      frame.restyle(rect) { style.over($0).keepingForeground(of: $0) }
    }
  }

  /// The pageable lists by path, and the last keys of their paths, to skip most rows quickly.
  private var pagedLists: (keys: Set<String>, paths: [ResponsePath: PagedList]) {
    guard state.tab.response.reading.filter.result == nil, let lists = state.tab.response.run?.lists, !lists.isEmpty
    else { return ([], [:]) }
    let keys = lists.compactMap { list -> String? in
      if case .key(let key) = list.path.components.last { key } else { nil }
    }
    return (Set(keys), Dictionary(lists.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }))
  }

  private mutating func paintNoResponse(_ area: Rect) {
    if let failure = state.tab.response.failure { return paintFailureText(failure, in: area) }
    guard let run = state.tab.response.run else {
      if let entry = state.tab.response.opened {
        return paintEmpty(
          [
            "The history has no response of \(entry.operation)",
            "\(keys.key(for: .runOperation, in: state).map(String.init(describing:)) ?? "F5") runs it again",
          ], in: area)
      }
      if !state.connection.isOpen {
        let key = keys.key(for: .pickEndpoint, in: state).map { "\($0) opens an endpoint" } ?? ""
        return paintEmpty(["No endpoint is open", key], in: area)
      }
      return paintEmpty(
        ["\(keys.key(for: .runOperation, in: state).map(String.init(describing:)) ?? "F5") runs the operation"],
        in: area)
    }
    switch run.phase {
    case .sending:
      paintEmpty(["\(spinner) waiting for the first payload", DisplayFormat.duration(run.elapsed)], in: area)
    case .cancelled: paintEmpty(["Canceled before any data arrived"], in: area)
    case .receiving, .complete, .failed: paintEmpty(["The response has no data"], in: area)
    }
  }

  private mutating func paintFailure(_ lines: [String], in rect: Rect) {
    frame.fill(rect, style: theme[.popup])
    put(" \(glyphs.failed) ", at: rect.column, in: rect.line(0), theme[.error, on: .popup])
    for (index, line) in lines.enumerated() {
      put(line, at: rect.column + 3, in: rect.line(index), theme[.popup])
    }
  }

  private mutating func paintFailureText(_ failure: RunError, in area: Rect) {
    let lines = TextWrapping.lines(of: failure.message, width: area.width - 6)
    for (index, line) in lines.enumerated() where index + 1 < area.height {
      let rect = area.line(index + 1)
      if index == 0 { put("\(glyphs.failed)", at: rect.column + 2, in: rect, theme[.error]) }
      put(line, at: rect.column + 4, in: rect, theme[.text])
    }
  }

  /// Draws one row: fold sign, label, value, available pages, and the fragments that arrived there. In the pinned
  /// response, difference signs are inverted.
  private mutating func paintResponseRow(
    _ row: ResponseRow, of tree: ResponseTree, pages: PagedList?, in rect: Rect, isPinned: Bool = false
  ) {
    if row.isFresh {
      let style = theme[.fresh]
      frame.restyle(rect) { style.over($0).keepingForeground(of: $0) }
    }
    let background = row.isFresh ? theme[.fresh] : theme[.text]
    let theme = theme
    let style = { (role: ThemeRole) -> Style in
      row.isFresh ? background.over(theme[role]).keepingForeground(of: theme[role]) : theme[role]
    }
    let start = ResponseGeometry.start(of: row, in: rect, tree)
    var column = start
    if let difference = row.difference {
      let (symbol, role) = differenceStyle(of: isPinned ? difference.turned : difference)
      put(symbol, at: rect.column + 1, in: rect, style(role))
    }
    if row.isFoldable {
      column = put("\(row.isOpen ? glyphs.unfolded : glyphs.folded) ", at: column, in: rect, style(.muted))
    } else {
      column += 2
    }
    column = paintLabel(row.label, at: column, in: rect, style)
    column = paintContent(of: row, in: tree, at: column, in: rect, isPinned: isPinned, style)
    if let pages { column = put("  \(pageMark(pages))", at: column, in: rect, style(.accent)) }
    for index in row.fragments { column = paintFragmentMark(index, at: column + 2, in: rect, style) }
    // Truncated text has an ellipsis at both ends.
    if column > rect.endColumn || column == rect.endColumn && !fits(row, from: start, in: rect) {
      put(String(glyphs.ellipsis), at: rect.endColumn - 1, in: rect, style(.muted))
    }
    if start < rect.column + 1, column > rect.column + 1 {
      put("\(glyphs.ellipsis)", at: rect.column + 1, in: rect, style(.muted))
    }
  }

  /// Draws the label of a row and returns the column after it.
  private mutating func paintLabel(
    _ label: ResponseRow.Label, at column: Int, in rect: Rect, _ style: (ThemeRole) -> Style
  ) -> Int {
    switch label {
    case .root: return put("data", at: column, in: rect, style(.heading))
    case .key(let key):
      mark(key, at: column, in: rect)
      return put(key, at: column, in: rect, style(.objectKey))
    case .index(let index), .removedItem(let index): return put("\(index)", at: column, in: rect, style(.count))
    case .range(let range):
      let last = DisplayFormat.count(range.upperBound - 1)
      return put(
        "\(DisplayFormat.count(range.lowerBound)) \(glyphs.ellipsis) \(last)", at: column, in: rect, style(.count))
    case .none: return column
    }
  }

  /// Draws the content of a row after its label and returns the column after it.
  private mutating func paintContent(
    of row: ResponseRow, in tree: ResponseTree, at start: Int, in rect: Rect, isPinned: Bool,
    _ style: (ThemeRole) -> Style
  ) -> Int {
    var column = start
    switch row.content {
    case .leaf(let value):
      column = put(": ", at: column, in: rect, style(.punctuation))
      if !isPinned { column = paintBefore(row, at: column, in: rect) }
      column = paintLeaf(value, at: column, in: rect, style)
    case .container(let isList, let count, let typename):
      if !isPinned, row.before != nil { column = paintBefore(row, at: column + 2, in: rect) - 2 }
      if let typename { column = put("  \(typename)", at: column, in: rect, style(.typename)) }
      if case .range = row.label { break }
      if isList {
        column = put("  [\(DisplayFormat.count(count))]", at: column, in: rect, style(.count))
      } else if !row.isOpen || count == 0 {
        column = put(count == 0 ? "  {}" : "  {\(count)}", at: column, in: rect, style(.count))
      }
    case .placeholder(let index): column = paintPlaceholder(index, at: column, in: rect)
    case .moreItems(let index): column = paintMoreItems(index, at: column, in: rect)
    case .problem(let index):
      guard tree.errors.indices.contains(index) else { break }
      column = put("\(glyphs.error) \(tree.errors[index].shownMessage)", at: column, in: rect, style(.error))
    case .missing:
      put(":  \(glyphs.pending) not in the cache", at: column, in: rect, style(.pending))
    }
    return column
  }

  /// Whether a row that reaches the edge ends exactly there; cells beyond the edge are not counted.
  private func fits(_ row: ResponseRow, from start: Int, in rect: Rect) -> Bool {
    guard case .leaf = row.content, row.difference == nil, row.fragments.isEmpty else { return false }
    return start + 2 + TextWidth.width(of: row.text) == rect.endColumn
  }

  /// Draws the value from the previous run.
  private mutating func paintBefore(_ row: ResponseRow, at column: Int, in rect: Rect) -> Int {
    guard let before = row.before else { return column }
    // The new value gets more space than the old one.
    let room = max(8, (rect.endColumn - column) / 2)
    let text = TextWidth.truncated(Painter.short(before), to: room, ellipsis: glyphs.ellipsis)
    return put("\(text) \(glyphs.reference) ", at: column, in: rect, theme[.muted].with(.strikethrough))
  }

  /// Draws the source of a field at the end of its row.
  private mutating func paintSource(_ source: FieldSource, in rect: Rect) {
    let text: String =
      switch source {
      case .network: " network "
      case .cache: " cache "
      case .payload(let index): " payload \(index + 1) "
      }
    put(text, at: max(rect.column, rect.endColumn - TextWidth.width(of: text)), in: rect, theme[.muted])
  }

  private mutating func paintLeaf(
    _ value: JSONValue, at column: Int, in rect: Rect, _ style: (ThemeRole) -> Style
  ) -> Int {
    switch value.kind {
    case .string:
      let shown = value.shownString
      link(in: shown, at: column + 1, in: rect)
      mark(shown, at: column + 1, in: rect)
      return put("\"\(shown)\"", at: column, in: rect, style(.string))
    case .number:
      let text = value.numberText ?? ""
      mark(text, at: column, in: rect)
      return put(text, at: column, in: rect, style(.number))
    case .bool, .null, .array, .object:
      let text = value.kind == .bool ? value.bool == true ? "true" : "false" : "null"
      // Constants match only as whole words.
      if sought?.isWhole(text) ?? false { mark(text, at: column, in: rect) }
      return put(text, at: column, in: rect, style(.constant))
    }
  }

  /// Makes the first link in text drawn at a column clickable in terminals that support links.
  mutating func link(in text: String, at column: Int, in rect: Rect) {
    guard text.contains("://"), let target = Link.first(in: text), let range = text.firstRange(of: target) else {
      return
    }
    let start = column + TextWidth.width(of: text[..<range.lowerBound])
    let columns = (max(rect.column, start)..<max(rect.column, start, start + target.count)).clamped(to: rect.columns)
    frame.link(FrameLink(row: rect.row, columns: columns, target: target))
  }

  private mutating func paintPlaceholder(_ index: Int, at column: Int, in rect: Rect) -> Int {
    guard state.tab.response.tree.fragments.indices.contains(index) else { return column }
    let fragment = state.tab.response.tree.fragments[index]
    return paintAwaited(fragment.title, fragment.title, state.tab.response.state(of: fragment), at: column, in: rect)
  }

  /// Draws the status after the items of an incomplete stream.
  private mutating func paintMoreItems(_ index: Int, at column: Int, in rect: Rect) -> Int {
    guard state.tab.response.tree.streams.indices.contains(index) else { return column }
    let stream = state.tab.response.tree.streams[index]
    return paintAwaited(
      stream.title, "more items of \(stream.title)", state.tab.response.state(of: stream), at: column, in: rect)
  }

  private mutating func paintAwaited(
    _ title: String, _ awaited: String, _ state: ResultStatus, at column: Int, in rect: Rect
  ) -> Int {
    let style = self.style(of: state)
    let end = put("\(style.glyph) ", at: column, in: rect, theme[style.role])
    let words = state == .pending ? "waiting for \(awaited)" : "\(title) \(style.word)"
    return put(words, at: end, in: rect, theme[style.role].with(.italic))
  }

  private mutating func paintFragmentMark(
    _ index: Int, at column: Int, in rect: Rect, _ style: (ThemeRole) -> Style
  ) -> Int {
    guard state.tab.response.tree.fragments.indices.contains(index) else { return column }
    let fragment = state.tab.response.tree.fragments[index]
    let statusStyle = self.style(of: state.tab.response.state(of: fragment))
    return put("\(statusStyle.glyph) \(fragment.title)", at: column, in: rect, style(statusStyle.role))
  }
}

extension ResponseFeature {
  /// Whether there is neither a row nor a prompt, only the reason.
  fileprivate var hasNothingToShow: Bool {
    switch view {
    case .tree, .table: shownTree.rows.isEmpty && readingLines == 0
    case .text, .events: false
    }
  }
}

extension ValueChange.Kind {
  /// The difference as seen from the other response.
  fileprivate var turned: ValueChange.Kind {
    switch self {
    case .added: .removed
    case .removed: .added
    case .changed, .moved: self
    }
  }
}

extension JSONValue {
  /// The escaped contents of the JSON string, so that a quote within it does not look like its end. A very long string
  /// is truncated to the visible length.
  var shownString: String {
    let text = string ?? ""
    let seen = text.utf8.count > 2000 ? String(text.prefix(2000)) : text
    guard seen.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
      return seen
    }
    var result = ""
    for scalar in seen.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension ResponseRow {
  /// The searchable text after the fold sign.
  var text: String {
    let key = if case .key(let key) = label { key } else if case .index(let index) = label { "\(index)" } else { "" }
    guard case .leaf(let value) = content else { return key }
    return "\(key): " + (value.kind == .string ? "\"\(value.shownString)\"" : value.description)
  }
}
