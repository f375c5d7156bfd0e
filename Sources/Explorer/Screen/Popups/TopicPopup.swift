import ApusExplorerCore
import ApusExplorerTerminal

extension TopicState: DrawnPopup {
  func place(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let frame = area.centered(Size(width: min(84, area.width - 4), height: area.height - 2))
    return (frame, frame.inset(horizontal: 3, vertical: 2))
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintTopic(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintTopic(_ geometry: PopupGeometry, _ shown: TopicState) {
    paintBox(geometry.frame, title: shown.topic.title)
    let area = geometry.list
    let lines = lines(of: shown.topic, width: area.width)
    let first = min(shown.scroll, max(0, lines.count - area.height))
    for row in 0..<max(0, min(area.height, lines.count - first)) {
      let text = lines[first + row]
      put(text, at: area.column, in: area.line(row), text.hasPrefix("  ") ? theme[.accent, on: .popup] : theme[.popup])
    }
    paintScrollBar(
      first: first, shown: area.height, count: lines.count,
      in: Rect(column: area.column, row: area.row, width: area.width + 2, height: area.height), on: .popup)
  }

  /// Its paragraphs, broken anew for the width; what begins with blanks stays as it is.
  private func lines(of topic: Topic, width: Int) -> [String] {
    var below = state
    below.popups = []
    let text = topic.text { keys.key(for: $0, in: below)?.description }
    var lines: [String] = []
    var paragraph = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix("  ") {
        lines += TextWrapping.lines(of: paragraph, width: width)
        paragraph = ""
        lines.append(String(line))
      } else {
        paragraph += paragraph.isEmpty ? String(line) : " \(line)"
      }
    }
    return lines + TextWrapping.lines(of: paragraph, width: width)
  }
}
