import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// Translates mouse events into actions.
struct MouseHandler {
  /// The pane in which the button was pressed; a drag belongs to it wherever it goes.
  private var pressed: PaneID?
  private var division: ScreenLayout.Division?
  private var lastPress: (point: Point, time: ContinuousClock.Instant)?

  mutating func action(for event: MouseEvent, in state: ExplorerState, _ drawn: HitRegions) -> Action? {
    let layout = drawn.layout
    let point = event.position
    switch event.action {
    case .wheel(let direction):
      let lines = direction == .down ? 3 : direction == .up ? -3 : 0
      if !state.popups.isEmpty { return .popupScrolled(lines: lines) }
      return layout.slots.first { $0.content.contains(point) }.map { .scrolled($0.pane, lines: lines) }
    case .press(.left):
      pressed = nil
      if state.inputLine != nil, let offset = drawn.input?.offset(at: point) { return .inputClicked(offset) }
      division = state.popups.isEmpty ? layout.divisions.first { $0.line.contains(point) } : nil
      if let popup = state.popups.last { return popupAction(popup, at: point, state, layout) }
      return press(at: point, event.modifiers, state, drawn)
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

  private mutating func press(
    at point: Point, _ modifiers: KeyModifiers, _ state: ExplorerState, _ drawn: HitRegions
  ) -> Action? {
    let now = ContinuousClock.now
    let isDouble = lastPress.map { $0.point == point && now - $0.time < .milliseconds(400) } ?? false
    lastPress = isDouble ? nil : (point, now)
    if let index = drawn.tab(at: point) { return .tabClicked(index) }
    if let pane = drawn.pane(at: point) { return .paneClicked(pane) }
    guard let slot = drawn.layout.slots.first(where: { $0.content.contains(point) }) else { return nil }
    pressed = slot.pane
    if slot.pane.isEditor {
      let position = position(at: point, in: slot, state)
      if isDouble { return .wordClicked(slot.pane, position) }
      let isExtending = modifiers.contains(.shift) && state.screen.focus == slot.pane
      return .textClicked(slot.pane, position, extending: isExtending)
    }
    let area = slot.listArea(state)
    guard let list = state.list(in: slot.pane), area.contains(point) else { return .paneClicked(slot.pane) }
    let row = list.cursor.scroll + point.row - area.row - list.headerLines
    guard (0..<list.count).contains(row) else { return .paneClicked(slot.pane) }
    guard slot.pane == .response, state.tab.response.view == .tree else {
      return .rowClicked(slot.pane, row: row, onFold: false)
    }
    let tree = state.tab.response.shownTree
    // Clicking a sticky parent at the top selects it.
    let parents = tree.parents(above: tree.list.scroll, height: area.height)
    if parents.indices.contains(point.row - area.row) {
      return .rowClicked(.response, row: parents[point.row - area.row], onFold: false)
    }
    let item = tree.rows[row]
    let fold = ResponseGeometry.start(of: item, in: area, tree)
    let isOnFold = item.isFoldable && (isDouble || (fold...(fold + 1)).contains(point.column))
    return .rowClicked(.response, row: row, onFold: isOnFold)
  }

  private func position(at point: Point, in slot: ScreenLayout.Slot, _ state: ExplorerState) -> TextPosition {
    guard let editor = state.tab.editors.editor(in: slot.pane) else { return .start }
    let analysis = state.analysis(in: slot.pane)
    let area = EditorGeometry(editor, analysis, in: slot.content, isFocused: slot.pane == state.screen.focus).text
    let index = point.row - area.row
    // A drag above the editor continues upward.
    guard index >= 0 else { return TextPosition(max(0, editor.scroll.line + index), 0) }
    let rows = EditorRow.rows(of: editor, width: area.width, height: index + 1)
    guard rows.indices.contains(index) else { return editor.buffer.end }
    return rows[index].position(at: point.column - area.column, in: editor)
  }

  private func popupAction(
    _ popup: Popup, at point: Point, _ state: ExplorerState, _ layout: ScreenLayout
  ) -> Action? {
    let geometry = PopupGeometry(popup, state, layout)
    guard geometry.frame.contains(point) else { return .commandInvoked(.close) }
    guard geometry.list.contains(point) else { return nil }
    let line = point.row - geometry.list.row
    return popup.state.row(inLine: line, of: geometry.list.height, in: state).map { .popupRowClicked($0) }
  }
}
