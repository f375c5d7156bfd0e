import ApusExplorerCore
import ApusExplorerTerminal

extension CompletionPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let frame = PopupGeometry.completion(self, state, layout, area)
    return (
      frame,
      Rect(column: frame.column, row: frame.row, width: frame.width, height: min(frame.height, items.count, 10))
    )
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintCompletion(geometry, self) }
  var keepsCursor: Bool { true }
}

extension PopupGeometry {
  fileprivate static func completion(
    _ completion: CompletionPopup, _ state: ExplorerState, _ layout: ScreenLayout, _ area: Rect
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
  fileprivate mutating func paintCompletion(_ geometry: PopupGeometry, _ completion: CompletionPopup) {
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
        let style = theme[.popupSelection]
        frame.restyle(line) { style.over($0).keepingForeground(of: $0) }
      }
    }
    guard rect.height > list.height else { return }
    let room = rect.height - list.height
    var words = TextWrapping.lines(of: completion.selected?.documentation ?? "", width: rect.width - 3)
    if words.count > room { words[room - 1] += String(glyphs.ellipsis) }
    for (index, line) in words.prefix(room).enumerated() {
      let target = rect.line(list.height + index)
      put(" \(line)", at: target.column, in: target, theme[.popupMuted].with(.italic))
    }
    paintSides(rect)
  }

  /// Marks the characters of a completion that are already typed.
  private mutating func markTyped(of item: Completion, _ pane: PaneID, in line: Rect) {
    guard let editor = state.tab.editors.editor(in: pane), item.replaces.lowerBound <= editor.cursor else { return }
    let typed = editor.buffer.text(in: item.replaces.lowerBound..<editor.cursor).lowercased()
    let marked = item.label.lowercased().subsequenceOffsets(of: typed)
    // Names are ASCII, so each character has one cell.
    for column in marked where line.column + 1 + column < line.endColumn {
      frame.restyle(Rect(column: line.column + 1 + column, row: line.row, width: 1, height: 1)) {
        $0.with(.bold).with(.underline)
      }
    }
  }
}
