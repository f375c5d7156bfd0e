import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

extension FindPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    (PopupGeometry.find(self, state, layout), .zero)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintFind(geometry, self) }
}

extension HoverPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let frame = PopupGeometry.hover(self, state, layout, area)
    return (frame, frame)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintHover(geometry, self) }
  var keepsCursor: Bool { true }
}

extension PopupGeometry {
  /// Returns the screen point of a position in an editor.
  static func point(
    of position: TextPosition, in pane: PaneID, _ state: ExplorerState, _ layout: ScreenLayout
  ) -> Point? {
    guard let slot = layout.slot(of: pane), let editor = state.tab.editors.editor(in: pane) else { return nil }
    let analysis = state.analysis(in: pane)
    let area = EditorGeometry(editor, analysis, in: slot.content, isFocused: true).text
    return EditorRow.point(of: position, in: editor, area)
  }

  static func rowCount(_ find: FindPopup) -> Int { find.isReplacing ? 2 : 1 }

  /// Returns the layout of the find box, at the bottom of the searched editor.
  static func find(_ find: FindPopup, _ state: ExplorerState, _ layout: ScreenLayout) -> Rect {
    let rows = rowCount(find)
    guard let content = layout.slot(of: state.screen.focus)?.content else { return .zero }
    return Rect(column: content.column, row: content.endRow - rows, width: content.width, height: rows)
  }

  static func hover(_ hover: HoverPopup, _ state: ExplorerState, _ layout: ScreenLayout, _ area: Rect) -> Rect {
    let lines = hoverLines(hover, width: min(72, area.popupRoom.width) - 2)
    let widest = lines.reduce(8) { max($0, TextWidth.width(of: $1.text)) }
    let anchor = point(of: hover.anchor, in: hover.pane, state, layout) ?? area.origin
    return area.popup(Size(width: widest + 2, height: min(lines.count, max(3, area.height / 2))), at: anchor)
  }

  static func schema(in area: Rect) -> (frame: Rect, list: Rect) {
    let frame = area.inset(horizontal: area.width > 70 ? 2 : 0, vertical: area.height > 16 ? 1 : 0)
    return (
      frame, Rect(column: frame.column + 1, row: frame.row + 2, width: frame.width - 2, height: frame.height - 3)
    )
  }

  /// Returns the lines wrapped to a width; code is not wrapped.
  static func hoverLines(_ hover: HoverPopup, width: Int) -> [HoverLine] {
    hover.lines.flatMap { line -> [HoverLine] in
      if line.kind == .code || line.text.isEmpty { return [line] }
      return TextWrapping.lines(of: line.text, width: width).map { HoverLine($0, line.kind) }
    }
  }
}

extension Painter {
  mutating func paintFind(_ geometry: PopupGeometry, _ find: FindPopup) {
    frame.fill(geometry.frame, style: theme[.popup])
    let pattern = ("find", find.patternInput)
    let fields = find.isReplacing ? [pattern, ("with", find.replacementInput)] : [pattern]
    for (index, field) in fields.enumerated() {
      let line = geometry.frame.line(index)
      let isCurrent = (index == 1) == find.isInReplacement
      var column = put(" \(field.0) ", at: line.column, in: line, theme[isCurrent ? .accent : .popupMuted, on: .popup])
      column = paintInput(
        field.1, at: column, in: index == 0 ? room(in: line, beside: find.status) : line, hasKeys: isCurrent)
      guard index == 0 else { continue }
      let isMissing = find.matches.isEmpty && !find.pattern.isEmpty
      let width = TextWidth.width(of: find.status) + 1
      if line.endColumn - width > column {
        put(
          find.status, at: line.endColumn - width, in: line,
          isMissing ? theme[.warning, on: .popup] : theme[.popupMuted])
      }
    }
  }

  mutating func paintHover(_ geometry: PopupGeometry, _ hover: HoverPopup) {
    let rect = geometry.frame
    frame.fill(rect, style: theme[.popup])
    let lines = PopupGeometry.hoverLines(hover, width: rect.width - 2)
    let first = min(hover.scroll, max(0, lines.count - rect.height))
    for row in 0..<max(0, min(rect.height, lines.count - first)) {
      let line = lines[first + row]
      let style =
        switch line.kind {
        case .code: theme[.type, on: .popup]
        case .text: theme[.popup]
        case .note: theme[.popupMuted].with(.italic)
        }
      put(" \(line.text)", at: rect.column, in: rect.line(row), style)
    }
    paintSides(rect)
    paintScrollBar(first: first, shown: rect.height, count: lines.count, in: rect, on: .popup)
  }
}
