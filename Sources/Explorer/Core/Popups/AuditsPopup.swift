import ApusExplorerText

/// The audits popup: one row per audit, findings first. The rows can be filtered, copied and saved.
package struct AuditsPopup: ListPopupContent {
  package var list = ListCursor()
  /// The filter while it is typed; nil otherwise.
  package private(set) var input: LineEditor?
  package private(set) var filter = ""

  package init() {}

  package var line: LineEditor? {
    get { input }
    set { if let newValue, input != nil { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] {
    input == nil ? [.audits, .everywhere] : [.line, .input, .everywhere]
  }

  /// The rows that contain each word of the filter.
  package func rows(in state: ExplorerState) -> [AuditRow] {
    let words = filter.lowercased().split(separator: " ")
    return (state.audit?.rows ?? []).filter { row in
      let text = row.text.lowercased()
      return words.allSatisfy { text.contains($0) }
    }
  }

  package func rowCount(in state: ExplorerState) -> Int { rows(in: state).count }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    if input != nil { return performInFilter(command) }
    let rows = rows(in: state)
    switch command {
    case .popupAccept:
      guard rows.indices.contains(list.selected) else { return .stay() }
      return .stay(.present(Popup(AuditPopup(rows[list.selected]))))
    case .filterAudits:
      input = LineEditor(filter)
      return .stay()
    case .copyAudits: return .stay(.copy(Self.text(of: rows)))
    case .saveAudits: return .stay(.present(Popup(LinePopup(.auditFile(Self.text(of: rows)), text: "audits.txt"))))
    case .repeatAudit where state.audit?.isRunning == false: return .close(.invoke(.repeatAudit))
    case .popupClose where !filter.isEmpty:
      filter = ""
      return .stay()
    case .popupClose, .showAudits: return .close()
    default: return .passOn
    }
  }

  private mutating func performInFilter(_ command: Command) -> PopupResult {
    switch command {
    case .popupAccept: input = nil
    case .popupClose: (input, filter) = (nil, "")
    default: return .passOn
    }
    return .stay()
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    filter = input?.text ?? ""
    list = ListCursor()
    return .stay()
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult {
    input = nil
    return .stay()
  }

  private static func text(of rows: [AuditRow]) -> String { rows.map { "\($0.text)\n" }.joined() }
}

extension AuditRow {
  /// The row as one line: `MUST get-is-safe failed: a mutation was executed`.
  package var text: String {
    switch outcome {
    case .passed: "\(level) \(id) passed"
    case .failed: "\(level) \(id) failed: \(found)"
    case .unsteady: "\(level) \(id) unsteady: \(found)"
    case .reported: "\(level) \(id) reported: \(found)"
    case .notApplicable: "\(level) \(id) not applicable: \(found)"
    }
  }
}

/// The details of one audit: its rule, and the request and response bytes that prove a finding.
package struct AuditPopup: PopupContent {
  package let row: AuditRow
  package var scroll = 0

  init(_ row: AuditRow) { self.row = row }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.audit, .everywhere] }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let step = command.popupStep {
      scroll = max(0, scroll + step)
      return .stay()
    }
    return [.popupAccept, .popupClose].contains(command) ? .close() : .passOn
  }
}
