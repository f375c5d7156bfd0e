import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON
import ApusPlatform

/// The lines of the value popup.
struct ValueLines {
  enum Line: Equatable {
    case fact(name: String, value: String)
    case text(String)
    case blank
  }

  private(set) var lines: [Line] = []
  static let nameWidth = 8

  init(_ reading: ValueDetail, width: Int) {
    for meaning in reading.meanings {
      switch meaning {
      case .link(let link): lines.append(.fact(name: "link", value: link))
      case .time(let seconds):
        lines.append(.fact(name: "UTC", value: Self.time(seconds, isLocal: false)))
        lines.append(.fact(name: "here", value: Self.time(seconds, isLocal: true)))
      case .base64(let count): lines.append(.fact(name: "Base64", value: DisplayFormat.bytes(count)))
      case .json: lines.append(.fact(name: "JSON", value: "in a string, \(DisplayFormat.bytes(reading.byteCount))"))
      }
    }
    if !lines.isEmpty { lines.append(.blank) }
    for line in reading.lines {
      // Lines that fit keep their spaces.
      lines +=
        TextWidth.width(of: line) <= width
        ? [.text(line)] : TextWrapping.lines(of: line, width: width).map { .text($0) }
    }
    if reading.isCut { lines.append(.fact(name: "…", value: "\(DisplayFormat.bytes(reading.byteCount)) in total")) }
  }

  /// Returns a time as text, in UTC or the local time zone; empty if it is out of range.
  private static func time(_ seconds: Double, isLocal: Bool) -> String {
    // The system's calendar functions support only this range.
    guard abs(seconds) < 1e11 else { return "" }
    var wholeSeconds = time_t(seconds.rounded(.down))
    var parts = tm()
    if isLocal { localtime_r(&wholeSeconds, &parts) } else { gmtime_r(&wholeSeconds, &parts) }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, isLocal ? "%a %Y-%m-%d %H:%M:%S %Z" : "%a %Y-%m-%d %H:%M:%S", &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension ValuePopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.value(self, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintValue(geometry, self) }
}

extension Painter {
  mutating func paintValue(_ geometry: PopupGeometry, _ value: ValuePopup) {
    paintBox(geometry.frame, title: value.path.description)
    let list = geometry.list
    let lines = ValueLines(value.reading, width: list.width - 1).lines
    let first = min(value.scroll, max(0, lines.count - list.height))
    for row in 0..<min(list.height, max(0, lines.count - first)) {
      let rect = list.line(row)
      switch lines[first + row] {
      case .blank: break
      case .fact(let name, let text):
        put(name, at: rect.column, in: rect, theme[.popupMuted])
        put(text, at: rect.column + ValueLines.nameWidth, in: rect, theme[.accent, on: .popup])
      case .text(let text): put(text, at: rect.column, in: rect, theme[.popup])
      }
    }
    paintScrollBar(
      first: first, shown: list.height, count: lines.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }
}

extension PopupGeometry {
  /// Returns the layout: as large as the value needs, within the screen.
  static func value(_ value: ValuePopup, in area: Rect) -> (frame: Rect, list: Rect) {
    let longest = value.reading.lines.lazy.map { TextWidth.width(of: $0) }.max() ?? 0
    let width = min(
      area.popupRoom.width,
      max(48, min(100, longest) + 5, TextWidth.width(of: value.path.description) + 6))
    let count = ValueLines(value.reading, width: width - 5).lines.count
    let frame = area.centered(Size(width: width, height: min(area.popupRoom.height, count + 2)))
    let list = Rect(column: frame.column + 2, row: frame.row + 1, width: frame.width - 4, height: frame.height - 2)
    return (frame, list)
  }
}
