import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

extension JumpPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    (area, .zero)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintJump(self) }
  var keepsCursor: Bool { true }
}

/// The visible clickable elements, with labels to type instead: one letter each, or two if there are more elements than
/// letters.
extension Painter {
  func jumpTargets() -> [JumpTarget] {
    var targets: [(point: Point, action: Action)] = []
    for (index, columns) in tabColumns() where state.tabs.all.count > 1 {
      targets.append((Point(column: columns.lowerBound, row: layout.tabBar.row), .tabClicked(index)))
    }
    for slot in layout.slots {
      var column = slot.title.column + 1
      for (pane, area) in names(in: slot) {
        targets.append((Point(column: column, row: area.row), .paneClicked(pane)))
        column = area.endColumn
      }
      targets += rows(of: slot)
    }
    let letters = Array("asdfghjklqwertyuiopzxcvbnm")
    let labels: [String] =
      targets.count <= letters.count
      ? letters.map { String($0) } : letters.flatMap { first in letters.map { "\(first)\($0)" } }
    return zip(labels, targets).map { label, target in
      JumpTarget(label: label, column: target.point.column, row: target.point.row, action: target.action)
    }
  }

  private func rows(of slot: ScreenLayout.Slot) -> [(point: Point, action: Action)] {
    if let editor = state.tab.editors.editor(in: slot.pane) {
      return lines(of: editor, state.analysis(in: slot.pane), slot)
    }
    guard let list = state.list(in: slot.pane) else { return [] }
    let area = slot.listArea(state)
    let first = list.cursor.scroll
    let end = min(list.count, first + max(0, area.height - list.headerLines))
    return (first..<max(first, end)).map { row in
      let point = Point(column: area.column, row: area.row + list.headerLines + row - first)
      return (point, .rowClicked(slot.pane, row: row, onFold: false))
    }
  }

  private func lines(
    of editor: Editor, _ analysis: EditorAnalysis, _ slot: ScreenLayout.Slot
  ) -> [(point: Point, action: Action)] {
    let area = EditorGeometry(editor, analysis, in: slot.content, isFocused: slot.pane == state.screen.focus).text
    return EditorRow.rows(of: editor, width: area.width, height: area.height).enumerated().compactMap { index, row in
      guard row.isFirst, !editor.buffer.line(row.line).isEmpty else { return nil }
      let position = TextPosition(row.line, editor.buffer.indentation(of: row.line))
      let column = min(area.endColumn - 2, area.column + position.column)
      return (Point(column: column, row: area.row + index), .textClicked(slot.pane, position, extending: false))
    }
  }

  mutating func paintJump(_ jump: JumpPopup) {
    for target in jump.shown {
      let rest = target.label.dropFirst(jump.typed.count)
      let point = Point(column: target.column, row: target.row)
      frame.put(String(rest), at: point, style: theme[.currentSearchMatch].with(.bold))
    }
  }
}
