import ApusExplorerCore
import ApusExplorerTerminal

extension TopicPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let room = area.popupRoom
    let frame = area.centered(Size(width: min(84, room.width), height: room.height))
    return (frame, frame == area ? frame.inset(horizontal: 1, vertical: 1) : frame.inset(horizontal: 3, vertical: 2))
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintTopic(geometry, self) }
}

extension Painter {
  fileprivate mutating func paintTopic(_ geometry: PopupGeometry, _ shown: TopicPopup) {
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

  private func lines(of topic: Topic, width: Int) -> [String] {
    var below = state
    below.popups = []
    return TextWrapping.paragraphs(of: topic.text { keys.key(for: $0, in: below)?.description }, width: width)
  }
}
