import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// Everything in view that a click would reach, with labels to type instead.
extension Painter {
  func jumpTargets() -> [JumpTarget] {
    var places: [(point: Point, action: Action)] = []
    for (index, columns) in tabPlaces() where state.tabs.count > 1 {
      places.append((Point(column: columns.lowerBound, row: layout.tabBar.row), .tabClicked(index)))
    }
    for slot in layout.slots {
      var column = slot.title.column + 1
      for pane in slot.tabs {
        places.append((Point(column: column, row: slot.title.row), .paneClicked(pane)))
        while column < slot.title.endColumn, tab(at: Point(column: column, row: slot.title.row)) == pane { column += 1 }
      }
      places += rows(of: slot)
    }
    let letters = Array("asdfghjklqwertyuiopzxcvbnm")
    let labels: [String] =
      places.count <= letters.count
      ? letters.map { String($0) } : letters.flatMap { first in letters.map { "\(first)\($0)" } }
    return zip(labels, places).map { label, place in
      JumpTarget(label: label, column: place.point.column, row: place.point.row, action: place.action)
    }
  }

  private func rows(of slot: ScreenLayout.Slot) -> [(point: Point, action: Action)] {
    func listed(_ scroll: Int, _ count: Int, from top: Int = 0) -> [(point: Point, action: Action)] {
      let height = max(0, slot.content.height - top)
      return (scroll..<max(scroll, min(count, scroll + height))).map { row in
        (
          Point(column: slot.content.column, row: slot.content.row + top + row - scroll),
          .rowClicked(slot.pane, row: row, onFold: false)
        )
      }
    }
    switch slot.pane {
    case .query: return lines(of: state.query, state.queryAnalysis, slot)
    case .variables: return lines(of: state.variables, state.variablesAnalysis, slot)
    case .headers: return lines(of: state.headers, TextAnalysis(), slot)
    case .response:
      return listed(state.responseList.scroll, state.responseRowCount, from: state.responseView.headerLines)
    case .deferred: return listed(state.rail.scroll, state.run?.fragments.count ?? 0)
    case .cache:
      let top = CacheGeometry(state.cache, in: slot.content).list.row - slot.content.row
      return listed(state.cache.shownList.scroll, state.cache.shownRowCount, from: top)
    }
  }

  private func lines(
    of editor: Editor, _ analysis: TextAnalysis, _ slot: ScreenLayout.Slot
  ) -> [(point: Point, action: Action)] {
    let area = EditorGeometry(editor, analysis, in: slot.content, isFocused: slot.pane == state.focus).text
    return EditorRow.rows(of: editor, width: area.width, height: area.height).enumerated().compactMap { index, row in
      guard row.isFirst, !editor.buffer.line(row.line).isEmpty else { return nil }
      let position = TextPosition(row.line, editor.buffer.indentation(of: row.line))
      let column = min(area.endColumn - 2, area.column + position.column)
      return (Point(column: column, row: area.row + index), .textClicked(slot.pane, position, extending: false))
    }
  }

  mutating func paintJump(_ jump: JumpState) {
    for target in jump.shown {
      let rest = target.label.dropFirst(jump.typed.count)
      let point = Point(column: target.column, row: target.row)
      frame.put(String(rest), at: point, style: theme[.currentSearchMatch].with(.bold))
    }
  }
}
