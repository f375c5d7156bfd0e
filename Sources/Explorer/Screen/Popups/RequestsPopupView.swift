import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText
import ApusFormatting

extension RequestsPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    var list = area.inset(horizontal: 1, vertical: 1)
    // The totals and the titles of the columns are above the rows, the details of the selected request below.
    list.row += 2
    list.height = max(1, list.height - 2 - Self.detailLines(in: area))
    return (area, list)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintRequests(geometry, self) }

  fileprivate static func detailLines(in area: Rect) -> Int { area.height >= 14 ? 3 : 0 }
}

extension Painter {
  mutating func paintRequests(_ geometry: PopupGeometry, _ popup: RequestsPopup) {
    guard let requests = state.requests else { return }
    paintBox(geometry.frame, title: "Requests to \(requests.url)")
    paintRequestTotals(requests, popup, in: geometry.frame.line(1).inset(horizontal: 2, vertical: 0))
    let list = geometry.list
    guard !requests.shown.isEmpty else { return paintNoRequests(requests, in: list) }
    let columns = RequestColumns(width: list.width - 5)
    let titles = geometry.frame.line(2).inset(horizontal: 1, vertical: 0)
    for (column, cells) in columns.all {
      let text = RequestColumns.placed(column.title, in: column, cells.count, ellipsis: glyphs.ellipsis)
      put(text, at: titles.column + 3 + cells.lowerBound, in: titles, theme[.heading, on: .popup])
    }
    let first = requests.firstRow(height: list.height)
    for line in 0..<max(0, min(list.height, requests.shown.count - first)) {
      paintRequest(requests.shown[first + line], columns, in: list.line(line))
      if first + line == requests.selectedIndex { paintPopupSelection(list.line(line)) }
    }
    paintScrollBar(first: first, shown: list.height, count: requests.shown.count, in: list, on: .popup)
    let lines = RequestsPopup.detailLines(in: geometry.frame)
    if lines > 0, let selected = requests.selected {
      paintDetails(
        of: selected, conflict: requests.conflicts.last,
        in: Rect(column: list.column, row: list.endRow, width: list.width, height: lines))
    }
  }

  /// Draws the numbers of requests, or the filter while it is typed or in effect.
  private mutating func paintRequestTotals(_ requests: RequestsFeature, _ popup: RequestsPopup, in line: Rect) {
    guard popup.input == nil, requests.filter.isEmpty else {
      let note = "\(DisplayFormat.count(requests.shown.count)) of \(DisplayFormat.count(requests.rows.count))"
      let column = put("/ ", at: line.column, in: line, theme[.accent, on: .popup])
      _ = paintInput(
        popup.input ?? LineEditor(requests.filter), at: column, in: room(in: line, beside: note),
        hasKeys: popup.input != nil)
      put(note, at: line.endColumn - TextWidth.width(of: note), in: line, theme[.popupMuted])
      return
    }
    if let failure = requests.failure {
      let text = TextWidth.truncated("\(glyphs.error) \(failure)", to: line.width, ellipsis: glyphs.ellipsis)
      put(text, at: line.column, in: line, theme[.error, on: .popup])
      return
    }
    var words = [DisplayFormat.plural(requests.rows.count, "request")]
    if requests.runningCount > 0 { words.append("\(DisplayFormat.count(requests.runningCount)) running") }
    if requests.holds { words.append("payloads wait") }
    if let rules = requests.rulesSummary { words.append("rules: \(rules)") }
    if requests.otherCount > 0 { words.append("\(DisplayFormat.count(requests.otherCount)) not GraphQL") }
    if requests.droppedCount > 0 { words.append("\(DisplayFormat.count(requests.droppedCount)) older ones dropped") }
    if !requests.conflicts.isEmpty { words.append(DisplayFormat.plural(requests.conflicts.count, "conflict")) }
    let text = TextWidth.truncated(words.joined(separator: ", "), to: line.width, ellipsis: glyphs.ellipsis)
    put(text, at: line.column, in: line, theme[.popupMuted])
  }

  private mutating func paintNoRequests(_ requests: RequestsFeature, in area: Rect) {
    let lines =
      requests.rows.isEmpty
      ? [
        "No request has arrived.", "", "Give the application this URL in place of the server's (y copies it):", "",
        requests.url,
      ] : ["No request matches the filter."]
    let top = area.row + max(0, (area.height - lines.count) / 2)
    for (index, line) in lines.enumerated() where top + index < area.endRow {
      let text = TextWidth.truncated(line, to: area.width - 2, ellipsis: glyphs.ellipsis)
      let row = area.line(top + index - area.row)
      let style = line == requests.url ? theme[.accent, on: .popup] : theme[.popupMuted]
      put(text, at: row.column + max(1, (row.width - TextWidth.width(of: text)) / 2), in: row, style)
    }
  }

  private mutating func paintRequest(_ request: ObservedRequest, _ columns: RequestColumns, in rect: Rect) {
    let style = style(of: request.resultStatus)
    put(String(style.glyph), at: rect.column + 1, in: rect, theme[style.role, on: .popup])
    for (column, cells) in columns.all {
      let text = RequestColumns.placed(
        request.text(column), in: column, cells.count, ellipsis: glyphs.ellipsis)
      let role: ThemeRole =
        switch column {
        case .operation: .popup
        case .state: style.role
        case .number, .time, .client, .status, .duration, .firstPayload, .lastPayload, .payloads, .bytes, .records:
          .popupMuted
        }
      let look = role == .popup || role == .popupMuted ? theme[role] : theme[role, on: .popup]
      put(text, at: rect.column + 3 + cells.lowerBound, in: rect, look)
    }
  }

  /// Draws the facts of a request that the columns leave out, and the reason of a failure or the last conflict.
  private mutating func paintDetails(of request: ObservedRequest, conflict: String?, in area: Rect) {
    frame.fill(area.line(0), with: glyphs.border.horizontal, style: theme[.popupBorder])
    var facts = [request.target, request.client].filter { !$0.isEmpty }
    if let first = request.firstPayload { facts.append("first payload \(DisplayFormat.duration(first))") }
    if let last = request.lastPayload, request.payloadCount > 1 { facts.append("last \(DisplayFormat.duration(last))") }
    facts.append(DisplayFormat.plural(request.payloadCount, "payload"))
    facts.append(DisplayFormat.bytes(request.byteCount))
    if request.errorCount > 0 { facts.append(DisplayFormat.plural(request.errorCount, "error")) }
    facts.append("\(request.newRecords) new and \(request.changedRecords) changed records")
    put(detail(facts.joined(separator: ", "), in: area), at: area.column + 1, in: area.line(1), theme[.popupMuted])
    var (text, role) = ("", ThemeRole.warning)
    if let remark = request.remark {
      (text, role) = ("\(glyphs.error) \(remark)", .error)
    } else if !request.changes.isEmpty {
      text = "changed by \(request.changes.joined(separator: ", "))"
    } else if let hint = request.hint {
      text = "\(glyphs.warning) \(hint)"
    } else if let conflict {
      text = "\(glyphs.warning) \(conflict)"
    }
    put(detail(text, in: area), at: area.column + 1, in: area.line(2), theme[role, on: .popup])
  }

  private func detail(_ text: String, in area: Rect) -> String {
    TextWidth.truncated(text, to: area.width - 2, ellipsis: glyphs.ellipsis)
  }
}
