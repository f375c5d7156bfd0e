import ApusExplorerText

/// The rules that change responses to an application (`apus tap`), one in each row. The last row is empty and takes a new rule.
///
/// | key or event | effect |
/// |---|---|
/// | text in the last row | another empty row follows |
/// | pasted lines | each becomes a row |
/// | Backspace in an empty row | the row is removed |
/// | Enter | the rows are used as rules of new requests; without any, no rule is left |
/// | a row is not a rule | the row is selected and its reason is shown; the rules in use stay |
/// | the rules are used | the popup closes |
/// | Esc | the rules in use stay |
package struct RulesPopup: PopupContent {
  package private(set) var rows: [LineEditor]
  package private(set) var list = ListCursor()
  /// The reason why the selected row is not a rule; `nil` before the rows are used, and after a change.
  package private(set) var problem: String?

  /// - Parameter rules: The rules in use.
  init(_ rules: [String]) {
    rows = rules.map { LineEditor($0) } + [LineEditor()]
    list.select(rows.count - 1, count: rows.count)
  }

  package var line: LineEditor? {
    get { rows[list.selected] }
    set { if let newValue { rows[list.selected] = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { [.rules, .input, .everywhere] }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let row = list.firstRow(count: rows.count, height: height) + line
    return rows.indices.contains(row) ? row : nil
  }

  package mutating func click(row: Int, in state: ExplorerState) -> PopupResult {
    select(row)
    return .stay()
  }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    switch command {
    case .popupUp: select(list.selected - 1)
    case .popupDown: select(list.selected + 1)
    case .popupAccept: return .stay(.effect(.requests(.use(rows.map(\.text)))))
    case .popupClose: return .close()
    default: return .passOn
    }
    return .stay()
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    problem = nil
    let lines = rows[list.selected].text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if lines.count > 1 {
      rows.replaceSubrange(list.selected...list.selected, with: lines.map { LineEditor(String($0)) })
      select(list.selected + lines.count - 1)
    }
    if rows.last?.isEmpty == false { rows.append(LineEditor()) }
    return .stay()
  }

  package mutating func leaveEmptyLine(in state: ExplorerState) -> PopupResult {
    problem = nil
    if list.selected < rows.count - 1 { rows.remove(at: list.selected) }
    select(list.selected - 1)
    return .stay()
  }

  /// Selects the row that is not a rule, and shows the reason.
  mutating func refuse(_ row: Int, _ reason: String) {
    select(row)
    problem = reason
  }

  private mutating func select(_ row: Int) {
    problem = nil
    list.select(row, count: rows.count)
  }
}
