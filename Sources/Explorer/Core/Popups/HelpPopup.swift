import ApusExplorerText

/// Topics and key bindings, filtered by typing. Choosing a key runs its command.
package struct HelpPopup: ListPopupContent {
  package var input = LineEditor()
  package var list = ListCursor()

  package init() { list.selected = 1 }

  package var filter: String { input.text }

  package var line: LineEditor? {
    get { input }
    set { if let newValue { input = newValue } }
  }

  package func contexts(in state: ExplorerState) -> [KeyContext] { contexts(of: .help, typing: input) }
  package func rowCount(in state: ExplorerState) -> Int { rows(in: state).count }

  package func row(inLine line: Int, of height: Int, in state: ExplorerState) -> Int? {
    let rows = rows(in: state)
    let row = list.firstRow(count: rows.count, height: height) + line
    return rows.indices.contains(row) && rows[row].isSelectable ? row : nil
  }

  package mutating func perform(_ command: Command, in state: ExplorerState) -> PopupResult {
    let rows = rows(in: state)
    if let step = command.popupStep {
      move(by: step, in: rows)
      return .stay()
    }
    let selected = rows.indices.contains(list.selected) ? rows[list.selected] : nil
    switch command {
    case .popupAccept: return accept(selected)
    case .showTopic:
      if case .topic? = selected { return accept(selected) }
      guard case .key(let row)? = selected, let topic = row.command.flatMap({ Topic.about($0) }) else {
        return .stay(.notice("No topic describes this key"))
      }
      return .stay(.present(Popup(TopicPopup(topic))))
    case .popupClose, .showHelp: return .close()
    default: return .passOn
    }
  }

  private func accept(_ row: HelpRow?) -> PopupResult {
    switch row {
    case .topic(let topic): return .stay(.present(Popup(TopicPopup(topic))))
    case .key(let row):
      guard let command = row.command else { return .stay(.notice("This vim key works only in an editor")) }
      return .close(.invoke(command))
    case .heading, .blank, nil: return .stay()
    }
  }

  package mutating func lineChanged(in state: ExplorerState) -> PopupResult {
    list = ListCursor()
    list.selected = 1
    return .stay()
  }

  /// Moves the selection by a number of selectable rows.
  private mutating func move(by step: Int, in rows: [HelpRow]) {
    let choices = rows.indices.filter { rows[$0].isSelectable }
    guard !choices.isEmpty else { return }
    let index = choices.lastIndex { $0 <= list.selected } ?? 0
    list.selected = choices[min(max(0, index + step), choices.count - 1)]
  }

  /// Returns the topics, then the key bindings, starting with those of the focused pane.
  package func rows(in state: ExplorerState) -> [HelpRow] {
    let query = filter.lowercased()
    var rows: [HelpRow] = []
    let topics = Topic.all.filter { query.isEmpty || $0.mentions(query) }
    if !topics.isEmpty { rows = [.heading("Topics")] + topics.map { .topic($0) } }
    var below = state
    below.popups = []
    let here = KeyContext.contexts(of: below)
    for context in here + KeyContext.allCases.filter({ !here.contains($0) }) {
      let keys = state.screen.keyRows.filter { row in
        row.context == context && (query.isEmpty || "\(row.title) \(row.keys)".lowercased().contains(query))
      }
      guard !keys.isEmpty else { continue }
      if !rows.isEmpty { rows.append(.blank) }
      rows.append(.heading(context.title))
      rows += keys.map { .key($0) }
    }
    return rows
  }
}

package enum HelpRow: Equatable, Sendable {
  case heading(String)
  case topic(Topic)
  case key(KeyRow)
  case blank

  var isSelectable: Bool {
    switch self {
    case .topic, .key: true
    case .heading, .blank: false
    }
  }
}

/// The keys bound to a command in one context, as configured by the user.
package struct KeyRow: Equatable, Sendable {
  package let context: KeyContext
  package let keys: String
  package let title: String
  /// The command; nil for a key of vim's grammar.
  let command: Command?

  package init(_ context: KeyContext, keys: String, title: String, command: Command?) {
    self.context = context
    self.keys = keys
    self.title = title
    self.command = command
  }
}
