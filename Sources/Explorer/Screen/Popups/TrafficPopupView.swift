import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// The lines of the traffic popup, wrapped to its width.
struct TrafficLines {
  private(set) var lines: [TrafficReport.Line] = []
  /// The first row of each report line.
  private(set) var starts: [Int] = []
  private let width: Int
  static let nameWidth = 19

  init(_ traffic: Traffic?, width: Int) {
    self.width = width
    for line in TrafficReport(traffic).lines {
      starts.append(lines.count)
      switch line {
      case .heading, .boundary, .bar, .blank: lines.append(line)
      case .header(let text): lines += Self.wrapped(text, width).map { .header($0) }
      case .text(let text): lines += Self.wrapped(text, width).map { .text($0) }
      case .fact(let name, let value):
        for (index, part) in Self.wrapped(value, max(8, width - Self.nameWidth)).enumerated() {
          lines.append(.fact(name: index == 0 ? name : "", value: part))
        }
      }
    }
  }

  /// Returns the report line of a row.
  func line(ofRow row: Int) -> Int { (starts.lastIndex { $0 <= row }) ?? 0 }

  /// Wraps text with a hanging indentation, between words if possible.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    guard TextWidth.width(of: text) > width else { return [text] }
    return TextWrapping.hangingLines(
      of: String(text.drop { $0 == " " }), width: width, indentation: min(text.prefix { $0 == " " }.count, width / 2))
  }
}

extension TrafficPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.page(in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintTraffic(geometry, self) }
}

extension Painter {
  private mutating func paintPhase(_ name: String, _ share: Range<Double>, _ time: String, in rect: Rect) {
    put(name, at: rect.column, in: rect, theme[.popupMuted])
    let first = rect.column + TrafficLines.nameWidth
    let width = max(1, rect.width - TrafficLines.nameWidth - 10)
    let start = min(width - 1, Int(share.lowerBound * Double(width)))
    let end = min(width, max(start + 1, Int((share.upperBound * Double(width)).rounded())))
    let bar = String(repeating: glyphs.bar, count: end - start)
    put(bar, at: first + start, in: rect, theme[.accent, on: .popup])
    put(time, at: first + width + 1, in: rect, theme[.popup])
  }

  /// Draws the search input in the frame's last line.
  private mutating func paintSearch(_ input: LineEditor, in frame: Rect) {
    let line = frame.line(frame.height - 1).inset(horizontal: 1, vertical: 0)
    self.frame.fill(line, style: theme[.popup])
    let start = put(" / ", at: line.column, in: line, theme[.accent, on: .popup])
    _ = paintInput(input, at: start, in: line)
  }

  mutating func paintTraffic(_ geometry: PopupGeometry, _ shown: TrafficPopup) {
    paintBox(geometry.frame, title: "Traffic")
    let list = geometry.list
    let laid = TrafficLines(state.tab.response.traffic, width: list.width - 2)
    let lines = laid.lines
    let first = min(shown.scroll, max(0, lines.count - list.height))
    for row in 0..<min(list.height, max(0, lines.count - first)) {
      let rect = list.line(row)
      if let match = shown.match, laid.line(ofRow: first + row) == match {
        put(String(glyphs.bullet), at: list.column - 1, in: geometry.frame, theme[.accent, on: .popup])
      }
      switch lines[first + row] {
      case .blank: break
      case .heading(let text): put(text, at: rect.column, in: rect, theme[.heading, on: .popup])
      case .fact(let name, let value):
        put(name, at: rect.column, in: rect, theme[.popupMuted])
        put(value, at: rect.column + TrafficLines.nameWidth, in: rect, theme[.popup])
      case .boundary(let text):
        let rule = String(repeating: glyphs.border.horizontal, count: 2)
        put("\(rule) \(text) \(rule)", at: rect.column, in: rect, theme[.accent, on: .popup])
      case .header(let text): put(text, at: rect.column + 1, in: rect, theme[.popupMuted])
      case .text(let text): put(text, at: rect.column + 1, in: rect, theme[.popup])
      case .bar(let name, let share, let time): paintPhase(name, share, time, in: rect)
      }
    }
    if let input = shown.input { paintSearch(input, in: geometry.frame) }
    paintScrollBar(
      first: first, shown: list.height, count: lines.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }
}
