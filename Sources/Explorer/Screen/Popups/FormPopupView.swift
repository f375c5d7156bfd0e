import ApusExplorerCore
import ApusExplorerTerminal

extension FormPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.form(self, state, layout, area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintForm(geometry, self) }
}

extension PopupGeometry {
  /// Returns the layout: next to or below the edited document if there is space, otherwise over everything.
  static func form(_ form: FormPopup, _ state: ExplorerState, _ layout: ScreenLayout, _ area: Rect) -> (
    frame: Rect, list: Rect
  ) {
    var frame = area.inset(horizontal: area.width > 70 ? 2 : 0, vertical: area.height > 16 ? 1 : 0)
    if let slot = layout.slot(of: state.screen.focus), area.endColumn - slot.content.endColumn >= 38 {
      frame = Rect(
        column: slot.content.endColumn, row: area.row, width: area.endColumn - slot.content.endColumn,
        height: area.height)
    } else if let slot = layout.slot(of: state.screen.focus), area.endRow - slot.content.endRow >= 8 {
      // The panes are stacked: the form takes the space below the editor.
      frame = Rect(
        column: area.column, row: slot.content.endRow, width: area.width, height: area.endRow - slot.content.endRow)
    }
    let list = Rect(column: frame.column + 1, row: frame.row + 1, width: frame.width - 2, height: frame.height - 3)
    return (frame, list)
  }
}

extension Painter {
  mutating func paintForm(_ geometry: PopupGeometry, _ form: FormPopup) {
    paintBox(
      geometry.frame, title: form.search.isEmpty && !form.isFinding ? form.title : "\(form.title) / \(form.search)")
    let list = geometry.list
    if form.rows.isEmpty { paintNoRows(form, in: list.line(0)) }
    for line in 0..<max(0, min(list.height, form.rows.count - form.list.scroll)) {
      let index = form.list.scroll + line
      paintFormRow(form.rows[index], in: list.line(line), isSelected: index == form.list.selected)
    }
    paintScrollBar(
      first: form.list.scroll, shown: list.height, count: form.rows.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
    let about = form.selected.map { $0.problem ?? $0.note }
    let note = about?.split(separator: "\n").first.map(String.init) ?? ""
    let foot = Rect(column: list.column, row: list.endRow, width: list.width, height: 1)
    put(
      TextWidth.truncated(note, to: foot.width - 2, ellipsis: glyphs.ellipsis), at: foot.column + 1, in: foot,
      theme[.popupMuted].with(.italic))
  }

  private mutating func paintNoRows(_ form: FormPopup, in rect: Rect) {
    let text: String =
      if case .unavailable = state.connection.schema, form.purpose == .selections {
        "There is no schema"
      } else if !form.isFilled {
        "\(glyphs.ellipsis)"
      } else {
        form.purpose == .selections ? "There is no schema" : "The operation has no variables"
      }
    put(text, at: rect.column + 1, in: rect, theme[.popupMuted])
  }

  private mutating func paintFormRow(_ row: FormRow, in rect: Rect, isSelected: Bool) {
    var column = rect.column + 1 + min(row.depth * 2, rect.width / 2)
    let fold = row.isOpen.map { $0 ? glyphs.unfolded : glyphs.folded } ?? " "
    column = put("\(fold) ", at: column, in: rect, theme[.popupMuted])
    if let isTicked = row.isTicked {
      let glyph = isTicked ? glyphs.checked : glyphs.unchecked
      column = put("\(glyph) ", at: column, in: rect, theme[isTicked ? .accent : .popupMuted, on: .popup])
    }
    // A colon distinguishes arguments from fields without color.
    let isArgument = row.isTicked != nil && row.isWritable
    column = putName(
      isArgument ? "\(row.name):" : row.name, isDeprecated: row.isDeprecated, at: column, in: rect,
      theme[row.isWritable ? .argument : .field, on: .popup])
    if let value = row.value, !value.isEmpty {
      let isDefault = value.hasPrefix("= ")
      let room = rect.endColumn - column - 2 - min(rect.width / 3, TextWidth.width(of: row.type) + 2)
      column = put(
        " \(TextWidth.truncated(value, to: max(4, room), ellipsis: glyphs.ellipsis))", at: column, in: rect,
        isDefault ? theme[.popupMuted] : theme[.string, on: .popup])
    } else if row.isMissing {
      column = put(" \(glyphs.warning) required", at: column, in: rect, theme[.warning, on: .popup])
    }
    // The line below the list has the reason.
    if row.problem != nil { column = put(" \(glyphs.error)", at: column, in: rect, theme[.error, on: .popup]) }
    let type = TextWidth.truncated(row.type, to: max(0, rect.endColumn - column - 2), ellipsis: glyphs.ellipsis)
    put(
      type, at: max(column + 1, rect.endColumn - 1 - TextWidth.width(of: type)), in: rect, theme[.typename, on: .popup])
    if isSelected { paintPopupSelection(rect) }
  }
}
