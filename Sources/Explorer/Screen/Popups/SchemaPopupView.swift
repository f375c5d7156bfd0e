import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal

extension SchemaPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.schema(in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintSchema(geometry, self) }
}

/// Draws the schema browser: title, search and rows.
extension Painter {
  mutating func paintSchema(_ geometry: PopupGeometry, _ schema: SchemaPopup) {
    let title = schema.isSearching ? "Schema" : schema.page?.title ?? "Schema"
    paintBox(geometry.frame, title: TextWidth.truncated(title, to: geometry.frame.width - 6, ellipsis: glyphs.ellipsis))
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    var column = put("/ ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    let isAnswered = schema.answered == schema.search
    let found = isAnswered ? DisplayFormat.plural(schema.results.count, "result") : "searching \(glyphs.ellipsis)"
    column = paintInput(schema.input, at: column, in: schema.isSearching ? room(in: prompt, beside: found) : prompt)
    if !schema.isSearching {
      let hint = " type to search names and descriptions"
      put(
        TextWidth.truncated(hint, to: prompt.endColumn - column, ellipsis: glyphs.ellipsis), at: column, in: prompt,
        theme[.popupMuted])
    } else if prompt.endColumn - TextWidth.width(of: found) > column {
      put(found, at: prompt.endColumn - TextWidth.width(of: found), in: prompt, theme[.popupMuted])
    }
    let list = geometry.list
    let rows = schema.rows
    if rows.isEmpty, schema.isSearching, schema.answered == schema.search {
      put("No matches", at: list.column + 1, in: list.line(0), theme[.popupMuted])
    }
    let names = rows.dropFirst(schema.list.scroll).prefix(list.height).filter {
      $0.kind != .heading && $0.kind != .text
    }
    let widest = names.reduce(0) { max($0, TextWidth.width(of: $1.name) + $1.depth * 2) }
    let typeColumn = list.column + min(widest + 4, list.width / 2)
    for line in 0..<max(0, min(list.height, rows.count - schema.list.scroll)) {
      let index = schema.list.scroll + line
      let rect = list.line(line)
      paint(rows[index], typeColumn, in: rect)
      guard index == schema.list.selected, rows[index].isSelectable else { continue }
      paintPopupSelection(rect)
      followSelection(at: rect, isFirst: index == rows.firstIndex(where: \.isSelectable))
    }
    paintScrollBar(
      first: schema.list.scroll, shown: list.height, count: rows.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }

  private mutating func paint(_ row: SchemaRow, _ typeColumn: Int, in rect: Rect) {
    let start = rect.column + 1
    switch row.kind {
    case .heading: put(row.name, at: start, in: rect, theme[.heading, on: .popup])
    case .text: put(row.name, at: start, in: rect, theme[.popup])
    case .deprecation:
      put("\(glyphs.warning) \(row.name)", at: start + 1 + row.depth * 2, in: rect, theme[.warning, on: .popup])
    case .field, .argument, .type, .value:
      let roles: [SchemaRow.Kind: ThemeRole] = [.argument: .argument, .type: .type, .value: .enumValue]
      var column = putName(
        row.name, isDeprecated: row.isDeprecated, at: start + 1 + row.depth * 2, in: rect,
        theme[roles[row.kind] ?? .field, on: .popup])
      if !row.type.isEmpty {
        column = put(row.type, at: max(column + 1, typeColumn), in: rect, theme[.typename, on: .popup])
      }
      let note = TextWidth.truncated(row.note, to: max(0, rect.endColumn - column - 3), ellipsis: glyphs.ellipsis)
      put(note, at: max(column + 2, row.type.isEmpty ? typeColumn : column + 2), in: rect, theme[.popupMuted])
    }
  }
}
