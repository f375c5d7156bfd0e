import ApusExplorerText

/// A context that gives keys their meaning: a pane, a kind of pane, a popup, a mode, or everywhere.
package enum KeyContext: String, CaseIterable, Sendable {
  case everywhere, panes, editors, query, lists, reading, found, compared, table, raw, events, event, response,
    deferred, records,
    record, writes
  case input, filter, recordEdit, completion, palette, help, traffic, confirmation, choice, find, hover, schema, form,
    jump, value, errors, noSchema, topic, audits, audit
  case line, picker, history, difference
  case vimNormal, vimInsert, vimVisual, vimPending, vimCharacter, vimOperators, vimObjects, vimMotions

  package var title: String {
    switch self {
    case .everywhere: "Everywhere"
    case .panes: "Outside the editors"
    case .editors: "In the query, the variables and the headers"
    case .query: "In the query"
    case .lists: "In lists and trees"
    case .response: "In the response"
    case .events: "In the events of a subscription"
    case .event: "In an event of a subscription"
    case .reading: "While typing a search, a filter or a path"
    case .found: "After a search of the response"
    case .compared: "While the response is compared"
    case .table: "In a table of the response"
    case .raw: "In the text of the response"
    case .deferred: "In the deferred fragments"
    case .records: "In the cache"
    case .record: "In a record of the cache"
    case .writes: "In the time line of the cache"
    case .input: "In every line that is typed"
    case .filter: "While filtering records or deferred fragments"
    case .recordEdit: "While a value of the cache is edited"
    case .completion: "In the completion"
    case .palette: "In the command palette"
    case .help: "In this help"
    case .topic: "In a topic of the help"
    case .traffic: "In the traffic"
    case .value: "In a value that is shown whole"
    case .errors: "In the errors"
    case .audits: "In the audits of the server"
    case .audit: "In one audit"
    case .confirmation: "In a question"
    case .find: "While finding"
    case .hover: "In what is told of a thing"
    case .schema: "In the schema"
    case .noSchema: "Where there is no schema"
    case .jump: "While labels are shown"
    case .form: "In the field tree and the variables' form"
    case .choice: "In a choice"
    case .line: "In a line to fill in"
    case .picker: "In a list to choose from"
    case .history: "In the history"
    case .difference: "In a comparison"
    case .vimNormal: "Vim: normal mode"
    case .vimInsert: "Vim: insert mode"
    case .vimVisual: "Vim: visual modes"
    case .vimPending: "Vim: behind an operator"
    case .vimCharacter: "Vim: where a character is awaited"
    case .vimOperators: "Vim: operators"
    case .vimObjects: "Vim: text objects, behind an operator and in visual modes"
    case .vimMotions: "Vim: motions"
    }
  }

  package var isVim: Bool { rawValue.hasPrefix("vim") }

  /// Returns the contexts to look up a key in, innermost first.
  package static func contexts(of state: ExplorerState) -> [KeyContext] {
    if let popup = state.popups.last { return popup.state.contexts(in: state) }
    switch state.screen.focus {
    case .query: return vim(state) + [.query, .editors, .everywhere]
    case .variables, .headers: return vim(state) + [.editors, .everywhere]
    case .response:
      if state.tab.response.reading.prompt != nil { return [.reading, .input, .everywhere] }
      let found: [KeyContext] = state.tab.response.reading.search.isActive ? [.found] : []
      let event: [KeyContext] = state.tab.response.reading.events != nil ? [.event] : []
      switch state.tab.response.view {
      case .events: return [.events, .lists, .panes, .everywhere]
      case .text: return found + [.raw] + event + [.response, .lists, .panes, .everywhere]
      case .table: return found + [.table] + event + [.response, .lists, .panes, .everywhere]
      case .tree:
        let compared: [KeyContext] = state.tab.response.reading.comparison != nil ? [.compared] : []
        return compared + found + event + [.response, .lists, .panes, .everywhere]
      }
    case .deferred:
      if state.tab.response.deferredInput != nil { return [.filter, .input, .everywhere] }
      return [.deferred, .lists, .panes, .everywhere]
    case .cache:
      if state.cache.edit != nil { return [.recordEdit, .input, .everywhere] }
      if state.cache.inputLine != nil { return [.filter, .input, .everywhere] }
      switch state.cache.view {
      case .records: return [.records, .lists, .panes, .everywhere]
      case .record: return [.record, .lists, .panes, .everywhere]
      case .writes, .write: return [.writes, .lists, .panes, .everywhere]
      }
    }
  }

  /// Returns the vim contexts, which precede the editors' own.
  private static func vim(_ state: ExplorerState) -> [KeyContext] {
    guard let vim = state.typing.vim else { return [] }
    if vim.waiting != nil { return [.vimCharacter] }
    if vim.operation != nil { return [.vimPending, .vimObjects, .vimOperators, .vimMotions] }
    switch vim.mode {
    case .normal: return [.vimNormal, .vimOperators, .vimMotions]
    case .visual, .visualLine: return [.vimVisual, .vimObjects, .vimOperators, .vimMotions]
    case .insert: return [.vimInsert]
    }
  }
}
