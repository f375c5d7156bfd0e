/// The audits popup: one row per audit, findings first.
package struct AuditsPopup: ListPopupContent {
  package var list = ListCursor()

  package init() {}

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.audits, .everywhere] }
  package func rowCount(in state: ExplorerState) -> Int { state.audit?.rows.count ?? 0 }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    if let answer = move(command, in: state) { return answer }
    switch command {
    case .popupAccept:
      guard let rows = state.audit?.rows, rows.indices.contains(list.selected) else { return .stay() }
      return .stay(.present(Popup(AuditPopup(rows[list.selected]))))
    case .repeatAudit where state.audit?.isRunning == false: return .close(.invoke(.repeatAudit))
    case .popupClose, .showAudits: return .close()
    default: return .passOn
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
