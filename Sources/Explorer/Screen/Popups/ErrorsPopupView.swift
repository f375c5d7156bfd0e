import ApusFormatting
import ApusClientAPI
import ApusExplorerCore
import ApusExplorerTerminal
import ApusJSON

/// The details of an error, shown below the list.
struct ErrorLines {
  enum Line: Equatable {
    case message(String)
    case fact(name: String, value: String)
    case text(String)
    case blank
  }

  private(set) var lines: [Line]
  static let nameWidth = 12

  init(_ error: GraphQLError, width: Int) {
    lines = TextWrapping.lines(of: error.shownMessage, width: width).map { .message($0) } + [.blank]
    if let path = error.path { add("path", "\(path)", width) }
    let locations = error.locations.map { "line \($0.line), column \($0.column)" }.joined(separator: "; ")
    if !locations.isEmpty { add("in the query", locations, width) }
    guard let extensions = error.extensions, extensions.kind == .object, extensions.count > 0 else { return }
    lines += [.blank, .fact(name: "extensions", value: "")]
    add(extensions, depth: 1, width)
  }

  private mutating func add(_ name: String, _ value: String, _ width: Int) {
    for (index, line) in TextWrapping.lines(of: value, width: max(8, width - Self.nameWidth - 1)).enumerated() {
      lines.append(.fact(name: index == 0 ? name : "", value: line))
    }
  }

  /// Adds a value as an indented tree, one value per line.
  private mutating func add(_ value: JSONValue, depth: Int, _ width: Int) {
    let members =
      value.kind == .object
      ? value.members.map { ($0.key, $0.value) } : value.elements.enumerated().map { ("\($0.offset)", $0.element) }
    for (key, member) in members {
      let isInner = (member.kind == .object || member.kind == .array) && member.count > 0
      let text = isInner ? key : "\(key): \(member.kind == .string ? member.string ?? "" : member.description)"
      let indentation = 2 * min(depth, width / 4)
      lines += TextWrapping.hangingLines(of: text, width: width, indentation: indentation).map { .text($0) }
      if isInner { add(member, depth: depth + 1, width) }
    }
  }
}

extension ErrorsPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    PopupGeometry.errors(state.tab.response.errors.count, in: area)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintErrors(geometry, self) }
}

extension PopupGeometry {
  /// Returns the layout: the list of errors, followed by the details of the selected one.
  static func errors(_ count: Int, in area: Rect) -> (frame: Rect, list: Rect) {
    let frame = area.centered(Size(width: min(area.popupRoom.width, 100), height: area.popupRoom.height))
    var list = frame.inset(horizontal: 1, vertical: 1)
    list.height = min(max(1, count), max(1, list.height / 3))
    return (frame, list)
  }
}

extension Painter {
  mutating func paintErrors(_ geometry: PopupGeometry, _ shown: ErrorsPopup) {
    let errors = state.tab.response.errors
    let list = shown.list
    paintBox(geometry.frame, title: DisplayFormat.plural(errors.count, "error"))
    let first = list.firstRow(count: errors.count, height: geometry.list.height)
    for row in 0..<max(0, min(geometry.list.height, errors.count - first)) {
      let error = errors[first + row]
      let line = geometry.list.line(row)
      let path = error.path.map { "\($0)" } ?? ""
      let shownPath = TextWidth.truncated(path, to: line.width / 2, ellipsis: glyphs.ellipsis)
      let end = put("  \(glyphs.error) ", at: line.column, in: line, theme[.error, on: .popup])
      let room = line.width - (end - line.column) - TextWidth.width(of: shownPath) - 3
      put(
        TextWidth.truncated(error.shownMessage, to: max(8, room), ellipsis: glyphs.ellipsis), at: end, in: line,
        theme[.popup])
      put(shownPath, at: line.endColumn - 1 - TextWidth.width(of: shownPath), in: line, theme[.popupMuted])
      if first + row == list.selected { paintPopupSelection(line) }
    }
    guard errors.indices.contains(list.selected) else { return }
    let rule = Rect(
      column: geometry.frame.column + 1, row: geometry.list.endRow, width: geometry.frame.width - 2, height: 1)
    frame.fill(rule, with: glyphs.border.horizontal, style: theme[.popupBorder])
    let details = Rect(
      column: geometry.frame.column + 2, row: rule.row + 1, width: geometry.frame.width - 4,
      height: max(0, geometry.frame.endRow - 1 - rule.row - 1))
    paintError(errors[list.selected], scroll: shown.scroll, in: details)
  }

  private mutating func paintError(_ error: GraphQLError, scroll: Int, in area: Rect) {
    let lines = ErrorLines(error, width: area.width - 1).lines
    let first = min(scroll, max(0, lines.count - area.height))
    for row in 0..<max(0, min(area.height, lines.count - first)) {
      let rect = area.line(row)
      switch lines[first + row] {
      case .blank: break
      case .message(let text): put(text, at: rect.column, in: rect, theme[.popup].with(.bold))
      case .fact(let name, let value):
        put(name, at: rect.column, in: rect, theme[.popupMuted])
        put(value, at: rect.column + ErrorLines.nameWidth + 1, in: rect, theme[.accent, on: .popup])
      case .text(let text): put(text, at: rect.column, in: rect, theme[.popup])
      }
    }
    paintScrollBar(
      first: first, shown: area.height, count: lines.count,
      in: Rect(column: area.column, row: area.row, width: area.width + 1, height: area.height), on: .popup)
  }
}
