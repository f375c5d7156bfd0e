import ApusFormatting
import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

extension AuditsPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let frame = area.centered(Size(width: min(area.popupRoom.width, 120), height: area.popupRoom.height))
    var list = frame.inset(horizontal: 1, vertical: 1)
    // The first line shows the totals.
    list.row += 2
    list.height = max(1, list.height - 2)
    return (frame, list)
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintAudits(geometry, self) }
}

extension AuditPopup: PopupView {
  func frames(in area: Rect, _ state: ExplorerState, _ layout: ScreenLayout) -> (frame: Rect, list: Rect) {
    let frame = area.centered(Size(width: min(area.popupRoom.width, 120), height: area.popupRoom.height))
    return (frame, frame.inset(horizontal: 2, vertical: 1))
  }

  func paint(with painter: inout Painter, _ geometry: PopupGeometry) { painter.paintAudit(geometry, self) }
}

/// The lines of the details of one audit.
struct AuditLines {
  enum Line: Equatable {
    case fact(name: String, value: String)
    case heading(String)
    case text(String)
    /// Text of a read that decides the finding.
    case proof(String)
    case blank
  }

  private(set) var lines: [Line] = []
  private let width: Int
  static let nameWidth = 10

  init(_ row: AuditRow, width: Int) {
    self.width = width
    add("expected", row.expectation)
    switch row.outcome {
    case .passed: add("found", "as expected")
    case .failed(let text), .reported(let text): add("found", text)
    case .unsteady(let text): add("found", "\(text) (passed when repeated)")
    case .notApplicable(let reason): add("not run", reason)
    }
    add("source", row.source)
    add("affects", row.reason)
    for exchange in row.exchanges { add(exchange) }
  }

  private mutating func add(_ exchange: AuditedExchange) {
    lines += [.blank, .heading("Request")]
    for line in exchange.request { lines += Self.broken(line, width).map { .text($0) } }
    lines += [.blank, .heading("Response: \(exchange.response)")]
    add("proof", exchange.proof)
    for read in exchange.reads {
      lines.append(.fact(name: DisplayFormat.duration(read.elapsed), value: ""))
      for line in read.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
        lines += Self.broken(String(line), width).map { read.isProof ? .proof($0) : .text($0) }
      }
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    for (index, line) in TextWrapping.lines(of: value, width: max(8, width - Self.nameWidth)).enumerated() {
      lines.append(.fact(name: index == 0 ? name : "", value: line))
    }
  }

  private static func broken(_ text: String, _ width: Int) -> [String] {
    TextWidth.width(of: text) > width - 2 ? TextWrapping.lines(of: text, width: max(8, width - 2)) : [text]
  }
}

extension Painter {
  mutating func paintAudits(_ geometry: PopupGeometry, _ popup: AuditsPopup) {
    guard let audit = state.audit else { return }
    paintBox(geometry.frame, title: "Audit of \(state.connection.endpoint)")
    let head = geometry.frame.line(1).inset(horizontal: 2, vertical: 0)
    put(Self.summary(of: audit), at: head.column, in: head, theme[.popupMuted])
    let list = geometry.list
    let rows = popup.rows(in: state)
    paintAuditFilter(
      popup, rows.count, of: audit.rows.count, in: geometry.frame.line(2).inset(horizontal: 2, vertical: 0))
    let first = popup.list.firstRow(count: rows.count, height: list.height)
    for line in 0..<max(0, min(list.height, rows.count - first)) {
      paintAuditRow(rows[first + line], in: list.line(line))
      if first + line == popup.list.selected { paintPopupSelection(list.line(line)) }
    }
    paintScrollBar(first: first, shown: list.height, count: rows.count, in: list, on: .popup)
  }

  private mutating func paintAuditFilter(_ popup: AuditsPopup, _ count: Int, of total: Int, in line: Rect) {
    guard popup.input != nil || !popup.filter.isEmpty else { return }
    let note = "\(DisplayFormat.count(count)) of \(DisplayFormat.count(total))"
    let column = put("/ ", at: line.column, in: line, theme[.accent, on: .popup])
    _ = paintInput(
      popup.input ?? LineEditor(popup.filter), at: column, in: room(in: line, beside: note), hasKeys: popup.input != nil
    )
    put(note, at: line.endColumn - TextWidth.width(of: note), in: line, theme[.popupMuted])
  }

  private static func summary(of audit: AuditProgress) -> String {
    let failures = "\(audit.count(.must)) MUST and \(audit.count(.should)) SHOULD failed"
    if let summary = audit.summary { return summary }
    let done = "\(failures), \(audit.rows.count)\(audit.total.map { " of \($0)" } ?? "") audits done"
    return audit.current.map { "\(done); now: \($0)" } ?? done
  }

  private mutating func paintAuditRow(_ row: AuditRow, in rect: Rect) {
    let (glyph, role): (Character, ThemeRole) =
      switch row.rank {
      case .must: (glyphs.error, .error)
      case .should, .unsteady: (glyphs.warning, .warning)
      case .reported: (glyphs.bullet, .accent)
      case .passed, .notApplicable: (" ", .popupMuted)
      }
    var column = put(" \(glyph) ", at: rect.column, in: rect, theme[role, on: .popup])
    column = put(row.level, at: column, in: rect, theme[.popupMuted])
    let idColumn = rect.column + 11
    put(row.id, at: idColumn, in: rect, theme[.popup])
    let text: String =
      switch row.outcome {
      case .passed: "passed"
      case .notApplicable: "not applicable: \(row.found)"
      case .failed, .unsteady, .reported: row.found
      }
    let textColumn = idColumn + 32
    let room = max(0, rect.endColumn - 2 - textColumn)
    put(
      TextWidth.truncated(text, to: room, ellipsis: glyphs.ellipsis), at: textColumn, in: rect,
      theme[.popupMuted])
  }

  mutating func paintAudit(_ geometry: PopupGeometry, _ shown: AuditPopup) {
    paintBox(geometry.frame, title: "\(shown.row.level) \(shown.row.id)")
    let list = geometry.list
    let lines = AuditLines(shown.row, width: list.width - 1).lines
    let first = min(shown.scroll, max(0, lines.count - list.height))
    for row in 0..<min(list.height, max(0, lines.count - first)) {
      let rect = list.line(row)
      switch lines[first + row] {
      case .blank: break
      case .heading(let text): put(text, at: rect.column, in: rect, theme[.heading, on: .popup])
      case .fact(let name, let value):
        put(name, at: rect.column, in: rect, theme[.popupMuted])
        put(value, at: rect.column + AuditLines.nameWidth, in: rect, theme[.popup])
      case .text(let text): put(text, at: rect.column + 1, in: rect, theme[.popupMuted])
      case .proof(let text):
        put(String(glyphs.selected), at: rect.column, in: rect, theme[.accent, on: .popup])
        put(text, at: rect.column + 1, in: rect, theme[.popup])
      }
    }
    paintScrollBar(
      first: first, shown: list.height, count: lines.count,
      in: Rect(column: list.column, row: list.row, width: list.width + 1, height: list.height), on: .popup)
  }
}
