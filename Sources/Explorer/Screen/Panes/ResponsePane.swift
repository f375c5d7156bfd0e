import ApusClientAPI
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

extension Painter {
  mutating func paintResponse(_ area: Rect) {
    let isEmpty = state.shownTree.rows.isEmpty && state.readingLines == 0
    if isEmpty, [.tree, .table].contains(state.responseView) { return paintNoResponse(area) }
    var rows = area
    if state.readingLines > 0 {
      paintReadingLine(in: area.line(area.height - 1))
      rows.height -= state.readingLines
    }
    if let failure = state.run?.failure {
      // What arrived stays; what failed is said beneath it.
      let lines = Preparation.failureLines(failure, in: area)
      rows.height -= lines.count
      paintFailure(lines, in: Rect(column: area.column, row: rows.endRow, width: area.width, height: lines.count))
    }
    switch state.responseView {
    case .events: if let events = state.reading.events { paintEvents(events, in: rows) }
    case .text: if let raw = state.reading.raw { paintRaw(raw, in: rows) }
    case .table: if let table = state.reading.table { paintTable(table, in: rows) }
    case .tree: paintTree(in: rows)
    }
  }

  private mutating func paintTree(in rows: Rect) {
    let tree = state.shownTree
    let lists = pagedLists
    paintRows(tree.list, count: tree.rows.count, in: rows, isFocused: state.focus == .response) {
      painter, index, rect in
      let row = tree.rows[index]
      var list: PagedList?
      if case .key(let key) = row.label, lists.keys.contains(key) { list = lists.paths[tree.path(ofRow: index)] }
      painter.paintResponseRow(row, pages: list, in: rect)
      if painter.state.isShowingSources, let source = painter.state.source(ofRow: index) {
        painter.paintSource(source, in: rect)
      }
    }
  }

  /// The lists with pages by their places, and the keys that these end with: few rows have one of them.
  private var pagedLists: (keys: Set<String>, paths: [ResponsePath: PagedList]) {
    guard state.reading.filter.result == nil, let lists = state.run?.lists, !lists.isEmpty else { return ([], [:]) }
    let keys = lists.compactMap { list -> String? in
      if case .key(let key) = list.path.components.last { key } else { nil }
    }
    return (Set(keys), Dictionary(lists.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }))
  }

  private mutating func paintNoResponse(_ area: Rect) {
    guard let run = state.run else {
      return paintEmpty(
        ["\(keys.key(for: .runOperation, in: state).map(String.init(describing:)) ?? "F5") runs the operation"],
        in: area)
    }
    if let failure = run.failure { return paintFailureText(failure, in: area) }
    switch run.phase {
    case .sending: paintEmpty(["\(spinner) waiting for the first part", Wording.duration(run.elapsed)], in: area)
    case .cancelled: paintEmpty(["Cancelled before anything arrived"], in: area)
    default: paintEmpty(["The response has no data"], in: area)
    }
  }

  private mutating func paintFailure(_ lines: [String], in rect: Rect) {
    frame.fill(rect, style: theme[.popup])
    put(" \(glyphs.failed) ", at: rect.column, in: rect.line(0), theme[.error, on: .popup])
    for (index, line) in lines.enumerated() {
      put(line, at: rect.column + 3, in: rect.line(index), theme[.popup])
    }
  }

  private mutating func paintFailureText(_ failure: RunFailure, in area: Rect) {
    let lines = Painter.wrap(failure.message, width: area.width - 6)
    for (index, line) in lines.enumerated() where index + 1 < area.height {
      let rect = area.line(index + 1)
      if index == 0 { put("\(glyphs.failed)", at: rect.column + 2, in: rect, theme[.error]) }
      put(line, at: rect.column + 4, in: rect, theme[.text])
    }
  }

  /// One row: fold, label, value, which ways it has pages, and the fragments that landed there.
  private mutating func paintResponseRow(_ row: ResponseRow, pages: PagedList?, in rect: Rect) {
    if row.isFresh {
      let look = theme[.fresh]
      frame.restyle(rect) { look.over($0).keepingForeground(of: $0) }
    }
    let background = row.isFresh ? theme[.fresh] : theme[.text]
    let theme = theme
    let style = { (role: ThemeRole) -> Style in
      row.isFresh ? background.over(theme[role]).keepingForeground(of: theme[role]) : theme[role]
    }
    // Deep trees on narrow screens: the indentation gives way before the values do.
    let indentation = min(max(0, row.depth) * 2, max(0, rect.width / 2))
    var column = rect.column + 1 + indentation
    if row.isFoldable {
      column = put("\(row.isOpen ? glyphs.unfolded : glyphs.folded) ", at: column, in: rect, style(.muted))
    } else {
      column += 2
    }
    switch row.label {
    case .root: column = put("data", at: column, in: rect, style(.heading))
    case .key(let key):
      mark(key, at: column, in: rect)
      column = put(key, at: column, in: rect, style(.objectKey))
    case .index(let index): column = put("\(index)", at: column, in: rect, style(.count))
    case .range(let range):
      column = put(
        "\(Wording.count(range.lowerBound)) \(glyphs.ellipsis) \(Wording.count(range.upperBound - 1))", at: column,
        in: rect, style(.count))
    case .none: break
    }
    switch row.content {
    case .leaf(let value):
      column = put(": ", at: column, in: rect, style(.punctuation))
      column = paintLeaf(value, at: column, in: rect, style)
    case .container(let isList, let count, let typename):
      if let typename { column = put("  \(typename)", at: column, in: rect, style(.typename)) }
      if case .range = row.label { break }
      if isList {
        column = put("  [\(Wording.count(count))]", at: column, in: rect, style(.count))
      } else if !row.isOpen || count == 0 {
        column = put(count == 0 ? "  {}" : "  {\(count)}", at: column, in: rect, style(.count))
      }
    case .placeholder(let index): paintPlaceholder(index, at: column, in: rect)
    case .problem(let index):
      guard state.response.errors.indices.contains(index) else { break }
      put("\(glyphs.error) \(state.response.errors[index].message)", at: column, in: rect, style(.error))
    case .missing:
      put(":  \(glyphs.pending) not in the cache", at: column, in: rect, style(.pending))
    }
    if let pages { column = put("  \(pageMark(pages))", at: column, in: rect, style(.accent)) }
    for index in row.fragments { column = paintFragmentMark(index, at: column + 2, in: rect, style) }
    if column > rect.endColumn {
      put(String(glyphs.cutRight), at: rect.endColumn - 1, in: rect, style(.muted))
    }
  }

  /// Where a field came from, at the end of its row.
  private mutating func paintSource(_ source: FieldSource, in rect: Rect) {
    let text: String =
      switch source {
      case .network: " network "
      case .cache: " cache "
      case .part(let part): " part \(part) "
      }
    put(text, at: max(rect.column, rect.endColumn - TextWidth.width(of: text)), in: rect, theme[.muted])
  }

  private mutating func paintLeaf(
    _ value: JSONValue, at column: Int, in rect: Rect, _ style: (ThemeRole) -> Style
  ) -> Int {
    switch value.kind {
    case .string:
      let text = value.string ?? ""
      // Of a very long text only what can be seen is looked at.
      let shown = text.utf8.count > 2000 ? String(text.prefix(500)) : text
      link(in: shown, at: column + 1, in: rect)
      mark(shown, at: column + 1, in: rect)
      return put("\"\(shown)\"", at: column, in: rect, style(.string))
    case .number:
      let text = value.numberText ?? ""
      mark(text, at: column, in: rect)
      return put(text, at: column, in: rect, style(.number))
    default:
      let text = value.kind == .bool ? value.bool == true ? "true" : "false" : "null"
      // These are found by the whole word.
      if sought?.isWhole(text) ?? false { mark(text, at: column, in: rect) }
      return put(text, at: column, in: rect, style(.constant))
    }
  }

  /// Lets the first link in a text, which is put at a column, be clicked where the terminal can.
  mutating func link(in text: String, at column: Int, in rect: Rect) {
    guard text.contains("://"), let target = Link.first(in: text), let range = text.firstRange(of: target) else {
      return
    }
    let start = column + TextWidth.width(of: text[..<range.lowerBound])
    let columns = (max(rect.column, start)..<max(rect.column, start, start + target.count)).clamped(to: rect.columns)
    frame.link(FrameLink(row: rect.row, columns: columns, target: target))
  }

  private mutating func paintPlaceholder(_ index: Int, at column: Int, in rect: Rect) {
    guard state.response.fragments.indices.contains(index) else { return }
    let fragment = state.response.fragments[index]
    let isWaiting = state.run?.isActive == true || state.history.isInPast
    let end = put("\(glyphs.pending) ", at: column, in: rect, theme[.pending])
    let text = "\(fragment.title) \(isWaiting ? "is on its way" : "did not arrive")"
    put(text, at: end, in: rect, theme[.pending].with(.italic))
  }

  private mutating func paintFragmentMark(
    _ index: Int, at column: Int, in rect: Rect, _ style: (ThemeRole) -> Style
  ) -> Int {
    guard state.response.fragments.indices.contains(index) else { return column }
    let fragment = state.response.fragments[index]
    let (glyph, role) = look(of: fragment.state)
    return put("\(glyph) \(fragment.title)", at: column, in: rect, style(role))
  }

  func look(of state: DeferredState) -> (glyph: Character, role: ThemeRole) {
    switch state {
    case .pending: (glyphs.pending, .pending)
    case .fulfilled: (glyphs.fulfilled, .fulfilled)
    case .failed: (glyphs.failed, .failed)
    case .notExecuted: (glyphs.notExecuted, .notExecuted)
    }
  }

  /// Lines of at most so many cells, broken where the text has a line's end, and between words where that is possible.
  static func wrap(_ text: String, width: Int) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { wrapLine($0, width: width) }
  }

  private static func wrapLine(_ text: Substring, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !line.isEmpty, TextWidth.width(of: line) + 1 + TextWidth.width(of: word) > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
      while TextWidth.width(of: line) > max(1, width) {
        let head = line.prefix(max(1, width))
        lines.append(String(head))
        line.removeFirst(head.count)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}

extension DeferredFragment {
  /// What a fragment without a label is known by.
  var title: String {
    label ?? name ?? typeCondition.map { "\u{2026} on \($0)" } ?? "fragment"
  }
}
