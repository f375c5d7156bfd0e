import ApusExplorerCore
import ApusExplorerTerminal

/// Where a popup stands, so that drawing and the mouse agree.
struct PopupGeometry {
  let frame: Rect
  let list: Rect

  init(_ popup: Popup, _ state: ExplorerState, _ layout: ScreenLayout) {
    let area = Rect(column: 0, row: 0, width: layout.size.width, height: layout.size.height - 2)
    switch popup {
    case .help, .traffic:
      frame = area.centered(Size(width: min(84, area.width - 4), height: area.height - 2))
      list = Rect(column: frame.column + 2, row: frame.row + 2, width: frame.width - 4, height: frame.height - 3)
    case .palette(let palette):
      let count = palette.commands.count
      let height = min(area.height - 2, max(1, min(count, 16)) + 3)
      let size = Size(width: min(76, area.width - 4), height: height)
      frame = Rect(
        column: (area.width - size.width) / 2, row: min(2, (area.height - height) / 2), width: size.width,
        height: height)
      list = Rect(column: frame.column + 1, row: frame.row + 2, width: frame.width - 2, height: frame.height - 3)
    case .pagedLists(let choice): (frame, list) = PopupGeometry.pagedLists(choice, in: area)
    case .export(let export): (frame, list) = PopupGeometry.listed(export.choices.count, width: 48, in: area)
    case .value(let value): (frame, list) = PopupGeometry.value(value, in: area)
    case .noSchema: (frame, list) = PopupGeometry.noSchema(state, in: area)
    case .errors: (frame, list) = PopupGeometry.errors(state.tab.response.run?.errors.count ?? 0, in: area)
    case .pagingOffers(let choice): (frame, list) = PopupGeometry.pagingOffers(choice, in: area)
    case .confirmation(let confirmation):
      let texts = [confirmation.question, confirmation.detail] + confirmation.lines
      let width = texts.reduce(24) { max($0, TextWidth.width(of: $1)) } + 6
      let rows = confirmation.lines.isEmpty ? 0 : min(confirmation.lines.count + 1, max(0, area.height - 8))
      frame = area.centered(Size(width: min(width, area.width - 4), height: 6 + rows))
      list = .zero
    case .jump: (frame, list) = (area, .zero)
    case .form(let form): (frame, list) = PopupGeometry.form(form, state, layout, area)
    case .find(let find): (frame, list) = (PopupGeometry.find(find, state, layout), .zero)
    case .hover(let hover):
      frame = PopupGeometry.hover(hover, state, layout, area)
      list = frame
    case .schema: (frame, list) = PopupGeometry.schema(in: area)
    case .picker(let picker):
      let rows = max(1, min(picker.items.count, 16))
      let height = min(area.height - 2, rows + 3)
      let words = max(
        TextWidth.width(of: picker.title), picker.items.isEmpty ? TextWidth.width(of: picker.emptyText) : 0)
      let widest = picker.items.reduce(words) {
        max($0, TextWidth.width(of: $1.title) + TextWidth.width(of: $1.detail) + TextWidth.width(of: $1.note))
      }
      // A list that is searched elsewhere keeps its width while its rows come and go.
      let isSearchedElsewhere = picker.purpose == .history || picker.purpose == .files
      let width = isSearchedElsewhere ? 96 : max(picker.purpose == .endpoints ? 76 : 40, widest + 10)
      let size = Size(width: min(width, 96, area.width - 4), height: height)
      frame = Rect(
        column: (area.width - size.width) / 2, row: min(state.connection.isOpen ? 2 : 5, (area.height - height) / 2),
        width: size.width, height: height)
      list = Rect(column: frame.column + 1, row: frame.row + 2, width: frame.width - 2, height: frame.height - 3)
    case .difference:
      frame = area.centered(Size(width: min(110, area.width - 4), height: area.height - 2))
      list = Rect(column: frame.column + 1, row: frame.row + 1, width: frame.width - 2, height: frame.height - 2)
    case .line:
      frame = Rect(
        column: (area.width - min(64, area.width - 4)) / 2, row: min(2, area.height / 3),
        width: min(64, area.width - 4), height: 3)
      list = .zero
    case .completion(let completion):
      frame = PopupGeometry.completion(completion, state, layout, area)
      list = Rect(
        column: frame.column, row: frame.row, width: frame.width, height: min(frame.height, completion.items.count, 10))
    }
  }

  private static func completion(
    _ completion: CompletionState, _ state: ExplorerState, _ layout: ScreenLayout, _ area: Rect
  ) -> Rect {
    guard let first = completion.items.first,
      let start = point(of: first.replaces.lowerBound, in: completion.pane, state, layout)
    else { return .zero }
    let anchor = Point(column: start.column - 1, row: start.row)
    let widest = completion.items.reduce(0) {
      max($0, TextWidth.width(of: $1.label) + ($1.isDeprecated ? 5 : 3) + TextWidth.width(of: $1.type ?? ""))
    }
    let hasDocumentation = completion.items.contains { $0.documentation != nil }
    let width = min(max(widest + 2, hasDocumentation ? 36 : 16), area.width * 2 / 3)
    return area.popup(
      Size(width: width, height: min(completion.items.count, 10) + (hasDocumentation ? 2 : 0)), at: anchor)
  }
}

extension Painter {
  mutating func paintPopup(_ popup: Popup) {
    let geometry = PopupGeometry(popup, state, layout)
    switch popup {
    case .help(let help): paintHelp(geometry, help)
    case .traffic(let traffic): paintTraffic(geometry, scroll: traffic.scroll)
    case .palette(let palette): paintPalette(geometry, palette)
    case .line(let line): paintLineBox(geometry, line)
    case .picker(let picker): paintPicker(geometry, picker)
    case .difference(let difference): paintDifference(geometry, difference)
    case .confirmation(let confirmation): paintConfirmation(geometry, confirmation)
    case .pagedLists(let choice): paintPagedLists(geometry, choice)
    case .pagingOffers(let choice): paintPagingOffers(geometry, choice)
    case .export(let export): paintExport(geometry, export)
    case .errors(let errors): paintErrors(geometry, errors)
    case .value(let value): paintValue(geometry, value)
    case .noSchema(let noSchema): paintNoSchema(geometry, noSchema)
    case .completion(let completion): paintCompletion(geometry, completion)
    case .find(let find): paintFind(geometry, find)
    case .hover(let hover): paintHover(geometry, hover)
    case .schema(let schema): paintSchema(geometry, schema)
    case .form(let form): paintForm(geometry, form)
    case .jump(let jump): paintJump(jump)
    }
  }

  /// A bordered box with a title.
  mutating func paintBox(_ rect: Rect, title: String) {
    frame.fill(rect, style: theme[.popup])
    let border = glyphs.border
    let style = theme[.popupBorder]
    guard rect.width > 1, rect.height > 1 else { return }
    frame.fill(rect.line(0), with: border.horizontal, style: style)
    frame.fill(rect.line(rect.height - 1), with: border.horizontal, style: style)
    for row in rect.rows.dropFirst().dropLast() {
      frame.put(String(border.vertical), at: Point(column: rect.column, row: row), style: style)
      frame.put(String(border.vertical), at: Point(column: rect.endColumn - 1, row: row), style: style)
    }
    let corners: [(Character, Int, Int)] = [
      (border.topLeft, rect.column, rect.row), (border.topRight, rect.endColumn - 1, rect.row),
      (border.bottomLeft, rect.column, rect.endRow - 1), (border.bottomRight, rect.endColumn - 1, rect.endRow - 1),
    ]
    for (glyph, column, row) in corners { frame.put(String(glyph), at: Point(column: column, row: row), style: style) }
    put(" \(title) ", at: rect.column + 2, in: rect.line(0), style.with(.bold))
  }

  // MARK: Help

  private enum HelpLine {
    case heading(String)
    case entry(KeyBinding)
    case blank
  }

  private func helpLines(_ filter: String) -> [HelpLine] {
    var lines: [HelpLine] = []
    let wanted = filter.lowercased()
    // What can be pressed where one was comes first.
    var below = state
    below.popups = []
    let here = KeyContext.contexts(of: below)
    for context in here + KeyContext.allCases.filter({ !here.contains($0) }) {
      let entries = keys.bindings.filter { binding in
        guard binding.context == context else { return false }
        guard !wanted.isEmpty else { return true }
        let text = "\(binding.title) \(binding.keys.map(\.description).joined(separator: " "))"
        return text.lowercased().contains(wanted)
      }
      guard !entries.isEmpty else { continue }
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(context.title))
      lines.append(contentsOf: entries.map { .entry($0) })
    }
    return lines
  }

  private mutating func paintHelp(_ geometry: PopupGeometry, _ help: HelpState) {
    paintBox(geometry.frame, title: "Keys")
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    var column = put("/ ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    column = paintInput(help.input, at: column, in: prompt)
    if help.input.isEmpty { put(" type to search", at: column, in: prompt, theme[.popupMuted]) }
    let lines = helpLines(help.filter)
    let list = geometry.list
    let keyWidth = min(26, list.width * 2 / 5 - 4)
    let first = min(help.scroll, max(0, lines.count - list.height))
    for row in 0..<min(list.height, max(0, lines.count - first)) {
      let rect = list.line(row)
      switch lines[first + row] {
      case .blank: break
      case .heading(let title): put(title, at: rect.column, in: rect, theme[.heading, on: .popup])
      case .entry(let binding):
        let names = binding.keys.map(\.description).joined(separator: "  ")
        put(TextWidth.truncated(names, to: keyWidth), at: rect.column + 2, in: rect, theme[.footerKey, on: .popup])
        put(binding.title, at: rect.column + keyWidth + 4, in: rect, theme[.popup])
      }
    }
    paintScrollBar(
      first: first, shown: list.height, count: lines.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }

  // MARK: Palette

  private mutating func paintPalette(_ geometry: PopupGeometry, _ palette: PaletteState) {
    paintBox(geometry.frame, title: "Commands")
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    let column = put("> ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    _ = paintInput(palette.input, at: column, in: prompt)
    let commands = palette.commands
    let list = geometry.list
    if commands.isEmpty { put("No command matches", at: list.column + 1, in: list.line(0), theme[.popupMuted]) }
    var below = state
    below.popups = []
    let first = palette.list.firstRow(count: commands.count, height: list.height)
    for row in 0..<max(0, min(list.height, commands.count - first)) {
      let index = first + row
      paintPaletteRow(commands[index], below, in: list.line(row), isSelected: index == palette.list.selected)
    }
  }

  private mutating func paintPaletteRow(_ command: Command, _ below: ExplorerState, in rect: Rect, isSelected: Bool) {
    let reason = below.reason(against: command)
    let end = put(" \(command.title)", at: rect.column, in: rect, theme[reason == nil ? .popup : .popupMuted])
    let key = keys.key(for: command, in: below)?.description ?? ""
    let keyColumn = rect.endColumn - 1 - TextWidth.width(of: key)
    put(key, at: keyColumn, in: rect, theme[reason == nil ? .footerKey : .popupMuted, on: .popup])
    if let reason {
      let room = keyColumn - end - 4
      let text = TextWidth.truncated(reason, to: max(0, room), ellipsis: glyphs.ellipsis)
      put(text, at: keyColumn - 2 - TextWidth.width(of: text), in: rect, theme[.popupMuted].with(.italic))
    }
    if isSelected {
      let look = theme[.popupSelection]
      frame.restyle(rect) { look.over($0).keepingForeground(of: $0) }
      put(String(glyphs.selected), at: rect.column, in: rect, theme[.accent].on(look.background))
    }
  }

  // MARK: Question

  private mutating func paintConfirmation(_ geometry: PopupGeometry, _ confirmation: Confirmation) {
    let rect = geometry.frame
    paintBox(rect, title: "Question")
    let inner = rect.inset(horizontal: 2, vertical: 1)
    put(confirmation.question, at: inner.column, in: inner.line(0), theme[.popup].with(.bold))
    put(confirmation.detail, at: inner.column, in: inner.line(1), theme[.popupMuted])
    let last = inner.height - 1
    let room = max(0, last - 4)
    for (row, line) in confirmation.lines.prefix(room).enumerated() {
      // What there is no room for is said to be there.
      let isCut = row == room - 1 && confirmation.lines.count > room
      let text = isCut ? "\(glyphs.ellipsis) \(Wording.plural(confirmation.lines.count - row, "more line"))" : line
      put(text, at: inner.column, in: inner.line(3 + row), theme[.popup])
    }
    var column = inner.column
    for binding in keys.bindings where binding.context == .confirmation {
      let names = binding.keys.map(\.description).joined(separator: "/")
      column = put(names, at: column, in: inner.line(last), theme[.footerKey, on: .popup])
      column = put(" \(binding.footer ?? "")", at: column, in: inner.line(last), theme[.popup]) + 3
    }
  }

  // MARK: Completion

  private mutating func paintCompletion(_ geometry: PopupGeometry, _ completion: CompletionState) {
    let rect = geometry.frame
    frame.fill(rect, style: theme[.popup])
    let list = geometry.list
    let first = completion.list.firstRow(count: completion.items.count, height: list.height)
    for row in 0..<max(0, min(list.height, completion.items.count - first)) {
      let index = first + row
      let item = completion.items[index]
      let line = list.line(row)
      let style = theme[.popup]
      let end = putName(" \(item.label)", isDeprecated: item.isDeprecated, at: line.column, in: line, style)
      markTyped(of: item, completion.pane, in: line)
      let type = item.type ?? item.kind
      let typeColumn = line.endColumn - 1 - TextWidth.width(of: type)
      if typeColumn > end {
        put(type, at: typeColumn, in: line, theme[item.type == nil ? .popupMuted : .typename, on: .popup])
      }
      if index == completion.list.selected {
        let look = theme[.popupSelection]
        frame.restyle(line) { look.over($0).keepingForeground(of: $0) }
      }
    }
    guard rect.height > list.height else { return }
    let room = rect.height - list.height
    var words = Painter.wrap(completion.selected?.documentation ?? "", width: rect.width - 3)
    if words.count > room { words[room - 1] += String(glyphs.ellipsis) }
    for (index, line) in words.prefix(room).enumerated() {
      let target = rect.line(list.height + index)
      put(" \(line)", at: target.column, in: target, theme[.popupMuted].with(.italic))
    }
    paintSides(rect)
  }

  /// The letters of a proposal that are typed already.
  private mutating func markTyped(of item: Completion, _ pane: PaneID, in line: Rect) {
    guard let editor = state.tab.texts.editor(in: pane), item.replaces.lowerBound <= editor.cursor else { return }
    let typed = editor.buffer.text(in: item.replaces.lowerBound..<editor.cursor).lowercased()
    let marked = item.label.lowercased().subsequencePlaces(of: typed)
    // Names are of ASCII letters: each has one cell.
    for place in marked where line.column + 1 + place < line.endColumn {
      frame.restyle(Rect(column: line.column + 1 + place, row: line.row, width: 1, height: 1)) {
        $0.with(.bold).with(.underline)
      }
    }
  }

  /// Lines at the sides of a popup that has no border, where no colour of its own tells it from the text beneath.
  mutating func paintSides(_ rect: Rect) {
    guard theme[.popup].background == theme[.text].background else { return }
    for line in (0..<rect.height).map(rect.line) {
      for column in [line.column, line.endColumn - 1] {
        put(String(glyphs.border.vertical), at: column, in: line, theme[.popupBorder])
      }
    }
  }

  /// A name of the schema; struck through where it is deprecated, with a glyph for terminals that strike nothing through.
  @discardableResult
  mutating func putName(_ name: String, isDeprecated: Bool, at column: Int, in rect: Rect, _ style: Style) -> Int {
    guard isDeprecated else { return put(name, at: column, in: rect, style) }
    let end = put(name, at: column, in: rect, style.with(.strikethrough))
    return put(" \(glyphs.warning)", at: end, in: rect, theme[.warning, on: .popup])
  }
}
