import ApusExplorerCore
import ApusExplorerTerminal

extension HelpState: DrawnPopup {
  func place(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.page(in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintHelp(geometry, self) }
}

extension Painter {
  private enum HelpLine {
    case heading(String)
    case entry(KeyBinding)
    case blank
  }

  private func helpLines(_ filter: String) -> [HelpLine] {
    var lines: [HelpLine] = []
    let wanted = filter.lowercased()
    // What can be pressed where one was comes first.
    var below = state
    below.popups = []
    let here = KeyContext.contexts(of: below)
    for context in here + KeyContext.allCases.filter({ !here.contains($0) }) {
      let entries = keys.bindings.filter { binding in
        guard binding.context == context else { return false }
        guard !wanted.isEmpty else { return true }
        let text = "\(binding.title) \(binding.keys.map(\.description).joined(separator: " "))"
        return text.lowercased().contains(wanted)
      }
      guard !entries.isEmpty else { continue }
      if !lines.isEmpty { lines.append(.blank) }
      lines.append(.heading(context.title))
      lines.append(contentsOf: entries.map { .entry($0) })
    }
    return lines
  }

  fileprivate mutating func paintHelp(_ geometry: PopupGeometry, _ help: HelpState) {
    paintBox(geometry.frame, title: "Keys")
    let prompt = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    var column = put("/ ", at: prompt.column, in: prompt, theme[.accent, on: .popup])
    column = paintInput(help.input, at: column, in: prompt)
    if help.input.isEmpty { put(" type to search", at: column, in: prompt, theme[.popupMuted]) }
    let lines = helpLines(help.filter)
    let list = geometry.list
    let keyWidth = min(26, list.width * 2 / 5 - 4)
    let first = min(help.scroll, max(0, lines.count - list.height))
    for row in 0..<min(list.height, max(0, lines.count - first)) {
      let rect = list.line(row)
      switch lines[first + row] {
      case .blank: break
      case .heading(let title): put(title, at: rect.column, in: rect, theme[.heading, on: .popup])
      case .entry(let binding):
        let names = binding.keys.map(\.description).joined(separator: "  ")
        put(TextWidth.truncated(names, to: keyWidth), at: rect.column + 2, in: rect, theme[.footerKey, on: .popup])
        put(binding.title, at: rect.column + keyWidth + 4, in: rect, theme[.popup])
      }
    }
    paintScrollBar(
      first: first, shown: list.height, count: lines.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }
}
