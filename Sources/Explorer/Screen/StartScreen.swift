import ApusExplorerCore
import ApusExplorerTerminal

/// Draws the start screen, before any endpoint is open: the list of endpoints, with introductory text in place of the
/// empty panes.
extension Painter {
  /// Whether only the list of endpoints is shown.
  private var isAtStart: Bool {
    guard !state.connection.isOpen, let picker = state.popups.all.first?.state as? PickerPopup else { return false }
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
      "apus URL opens an endpoint directly; apus demo starts a demo server",
      "define profiles with headers in config.yml (apus help configuration)",
    ]
    var row = list.endRow + 1
    for sentence in advice {
      let lines = TextWrapping.lines(of: sentence, width: max(1, area.width - 2))
      guard row + lines.count <= area.endRow else { break }
      for line in lines {
        paintCentered(line, in: area.line(row), theme[.muted])
        row += 1
      }
    }
  }

  private mutating func paintCentered(_ text: String, in row: Rect, _ style: Style) {
    put(text, at: max(row.column, row.column + (row.width - TextWidth.width(of: text)) / 2), in: row, style)
  }
}
