import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// What a mouse event means at its place.
struct Pointer {
  /// Where the button went down: a drag belongs to that pane wherever it goes.
  private var pressed: PaneID?
  private var division: ScreenLayout.Division?
  private var lastPress: (point: Point, time: ContinuousClock.Instant)?

  mutating func action(for event: MouseEvent, _ painter: Painter) -> Action? {
    let (state, layout) = (painter.state, painter.layout)
    let point = event.position
    switch event.action {
    case .wheel(let direction):
      let lines = direction == .down ? 3 : direction == .up ? -3 : 0
      if !state.popups.isEmpty { return .popupScrolled(lines: lines) }
      return layout.slots.first { $0.content.contains(point) }.map { .scrolled($0.pane, lines: lines) }
    case .press(.left):
      pressed = nil
      if state.inputLine != nil, let offset = painter.inputOffset(at: point) { return .inputClicked(offset) }
      division = state.popups.isEmpty ? layout.divisions.first { $0.line.contains(point) } : nil
      if let popup = state.popups.last { return popupAction(popup, at: point, painter) }
      return press(at: point, event.modifiers, painter)
    case .drag(.left):
      if let division { return division.action(for: point) }
      guard let pressed, pressed.isEditor, let slot = layout.slot(of: pressed) else { return nil }
      return .textClicked(pressed, position(at: point, in: slot, state), extending: true)
    case .release:
      pressed = nil
      division = nil
      return nil
    case .press, .drag: return nil
    }
  }

  private mutating func press(at point: Point, _ modifiers: KeyModifiers, _ painter: Painter) -> Action? {
    let now = ContinuousClock.now
    let isDouble = lastPress.map { $0.point == point && now - $0.time < .milliseconds(400) } ?? false
    lastPress = isDouble ? nil : (point, now)
    if let index = painter.tabIndex(at: point) { return .tabClicked(index) }
    if let pane = painter.tab(at: point) { return .paneClicked(pane) }
    guard let slot = painter.layout.slots.first(where: { $0.content.contains(point) }) else { return nil }
    pressed = slot.pane
    let state = painter.state
    switch slot.pane {
    case .query, .variables, .headers:
      let position = position(at: point, in: slot, state)
      if isDouble { return .wordClicked(slot.pane, position) }
      return .textClicked(slot.pane, position, extending: modifiers.contains(.shift) && state.focus == slot.pane)
    case .response:
      let row = state.responseList.scroll + point.row - slot.content.row - state.responseView.headerLines
      guard (0..<state.responseRowCount).contains(row) else { return .paneClicked(.response) }
      guard state.responseView == .tree else { return .rowClicked(.response, row: row, onFold: false) }
      let item = state.shownTree.rows[row]
      let fold = slot.content.column + 1 + min(item.depth * 2, slot.content.width / 2)
      return .rowClicked(
        .response, row: row, onFold: item.isFoldable && (isDouble || (fold...(fold + 1)).contains(point.column)))
    case .deferred:
      let row = state.rail.scroll + point.row - slot.content.row
      let count = state.run?.fragments.count ?? 0
      return row < count ? .rowClicked(.deferred, row: row, onFold: false) : .paneClicked(.deferred)
    case .cache:
      let list = CacheGeometry(state.cache, in: slot.content).list
      let row = state.cache.shownList.scroll + point.row - list.row
      let count = state.cache.shownRowCount
      return list.contains(point) && row < count
        ? .rowClicked(.cache, row: row, onFold: false) : .paneClicked(.cache)
    }
  }

  private func position(at point: Point, in slot: ScreenLayout.Slot, _ state: ExplorerState) -> TextPosition {
    let (editor, analysis) =
      switch slot.pane {
      case .query: (state.query, state.queryAnalysis)
      case .headers: (state.headers, TextAnalysis())
      default: (state.variables, state.variablesAnalysis)
      }
    let area = EditorGeometry(editor, analysis, in: slot.content, isFocused: slot.pane == state.focus).text
    let index = point.row - area.row
    // A drag above the text goes on upward.
    guard index >= 0 else { return TextPosition(max(0, editor.scroll.line + index), 0) }
    let rows = EditorRow.rows(of: editor, width: area.width, height: index + 1)
    guard rows.indices.contains(index) else { return editor.buffer.end }
    return rows[index].position(at: point.column - area.column, in: editor)
  }

  private func popupAction(_ popup: Popup, at point: Point, _ painter: Painter) -> Action? {
    let geometry = PopupGeometry(popup, painter.state, painter.layout)
    guard geometry.frame.contains(point) else { return .commandInvoked(.closeOrCancel) }
    guard geometry.list.contains(point) else { return nil }
    let line = point.row - geometry.list.row
    return popup.state.row(inLine: line, of: geometry.list.height, in: painter.state).map { .popupRowClicked($0) }
  }
}
