import ApusExplorerCore
import ApusExplorerTerminal

/// What is shown before any endpoint is open: the list of what can be opened, with a few words around it in the place of
/// panes that have nothing to show.
extension Painter {
  /// Whether the list of endpoints is all that there is to look at.
  private var isAtStart: Bool {
    guard !state.connection.isOpen, let picker = state.popups.all.first?.state as? PickerState else { return false }
    return picker.purpose == .endpoints
  }

  mutating func paintStart() {
    guard isAtStart, let popup = state.popups.all.first else { return }
    let area = Rect(column: 0, row: 0, width: layout.size.width, height: layout.size.height - 2)
    frame.fill(area, style: theme[.text])
    let list = PopupGeometry(popup, state, layout).frame
    if list.row > 2 {
      paintCentered("apus", in: area.line(list.row - 3), theme[.accent].with(.bold))
      paintCentered("GraphQL in the terminal", in: area.line(list.row - 2), theme[.muted])
    }
    let advice = [
      "apus URL opens an endpoint at once; apus demo, one to try everything with",
      "profiles with their headers have a place in config.yml (apus help explore)",
    ]
    for (row, line) in advice.enumerated() where list.endRow + 1 + row < area.endRow {
      paintCentered(line, in: area.line(list.endRow + 1 + row), theme[.muted])
    }
  }

  private mutating func paintCentered(_ text: String, in row: Rect, _ style: Style) {
    put(text, at: max(row.column, row.column + (row.width - TextWidth.width(of: text)) / 2), in: row, style)
  }
}
