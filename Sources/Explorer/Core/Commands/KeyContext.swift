import ApusExplorerText

/// A context that gives keys their meaning: a pane, a kind of pane, a popup, a mode, or everywhere.
package enum KeyContext: String, CaseIterable, Sendable {
  case everywhere, panes, editors, query, lists, prompt, matches, comparison, table, raw, events, event, response,
    deferred, records, record, writes
  case input, filter, recordEdit, completion, palette, help, traffic, confirmation, choice, find, hover, schema, form,
    jump, value, errors, noSchema, topic, audits, audit, signIn, requests,
    rules
  case line, picker, history, difference
  case vimNormal, vimInsert, vimVisual, vimPending, vimCharacter, vimOperators, vimObjects, vimMotions

  package var title: String {
    switch self {
    case .everywhere: "Everywhere"
    case .panes: "Outside the editors"
    case .editors: "In the editors"
    case .query: "In the query editor"
    case .lists: "In lists and trees"
    case .response: "In the response"
    case .events: "In the event list of a subscription"
    case .event: "In an event of a subscription"
    case .prompt: "In the response prompt"
    case .matches: "With search matches"
    case .comparison: "While comparing"
    case .table: "In a table of the response"
    case .raw: "In the raw JSON of the response"
    case .deferred: "In the deferred pane"
    case .records: "In the cache"
    case .record: "In a cache record"
    case .writes: "In the write log"
    case .input: "In every input line"
    case .filter: "While filtering records or deferred fragments"
    case .recordEdit: "While editing a cache value"
    case .completion: "In the completion list"
    case .palette: "In the command palette"
    case .help: "In the help"
    case .topic: "In a help topic"
    case .traffic: "In the traffic"
    case .value: "In a full value"
    case .errors: "In the errors"
    case .audits: "In the server audits"
    case .audit: "In one audit"
    case .requests: "In the requests of an application"
    case .rules: "In the rules for responses to an application"
    case .confirmation: "In a question"
    case .signIn: "In the sign-in"
    case .find: "In find and replace"
    case .hover: "In hover information"
    case .schema: "In the schema"
    case .noSchema: "Without a schema"
    case .jump: "While jump labels are shown"
    case .form: "In the field tree and the variables form"
    case .choice: "In a list of choices"
    case .line: "In a dialog with an input line"
    case .picker: "In a searchable list"
    case .history: "In the history"
    case .difference: "In a comparison"
    case .vimNormal: "Vim: normal mode"
    case .vimInsert: "Vim: insert mode"
    case .vimVisual: "Vim: visual modes"
    case .vimPending: "Vim: after an operator"
    case .vimCharacter: "Vim: waiting for a character"
    case .vimOperators: "Vim: operators"
    case .vimObjects: "Vim: text objects, after an operator and in visual modes"
    case .vimMotions: "Vim: motions"
    }
  }

  package var isVim: Bool { rawValue.hasPrefix("vim") }

  /// Whether text is typed in the context, always or in some of its panes and modes.
  package var isTyped: Bool {
    switch self {
    case .everywhere, .editors, .query, .prompt, .input, .filter, .recordEdit, .completion, .palette, .help, .find,
      .schema,
      .line, .picker, .rules, .history, .vimInsert, .vimCharacter:
      true
    case .panes, .lists, .matches, .comparison, .table, .raw, .events, .event, .response, .deferred, .records, .record,
      .writes, .traffic, .confirmation, .choice, .hover, .form, .jump, .value, .errors, .noSchema, .topic, .audits,
      .signIn,
      .audit, .requests,
      .difference, .vimNormal, .vimVisual, .vimPending, .vimOperators, .vimObjects, .vimMotions:
      false
    }
  }

  /// Whether the context is of a pane or of a Vim mode in which keys are commands, not of a popup or an input line.
  package var isOfPanes: Bool {
    switch self {
    case .panes, .editors, .query, .lists, .matches, .comparison, .table, .raw, .events, .event, .response, .deferred,
      .records, .record, .writes, .vimNormal, .vimVisual, .vimOperators, .vimMotions:
      true
    case .everywhere, .prompt, .input, .filter, .recordEdit, .completion, .palette, .help, .traffic, .confirmation,
      .choice,
      .find, .hover, .schema, .form, .jump, .value, .errors, .noSchema, .topic, .audits, .audit, .requests, .rules,
      .signIn,
      .line,
      .picker,
      .history, .difference, .vimInsert, .vimPending, .vimCharacter, .vimObjects:
      false
    }
  }

  /// Returns the contexts to look up a key in, innermost first.
  package static func contexts(of state: ExplorerState) -> [KeyContext] {
    if let popup = state.popups.last { return popup.state.contexts(in: state) }
    switch state.screen.focus {
    case .query: return vim(state) + [.query, .editors, .everywhere]
    case .variables, .headers: return vim(state) + [.editors, .everywhere]
    case .response:
      if state.tab.response.reading.prompt != nil { return [.prompt, .input, .everywhere] }
      let found: [KeyContext] = state.tab.response.reading.search.isActive ? [.matches] : []
      let event: [KeyContext] = state.tab.response.reading.events != nil ? [.event] : []
      switch state.tab.response.view {
      case .events: return [.events, .lists, .panes, .everywhere]
      case .text: return found + [.raw] + event + [.response, .lists, .panes, .everywhere]
      case .table: return found + [.table] + event + [.response, .lists, .panes, .everywhere]
      case .tree:
        let compared: [KeyContext] = state.tab.response.reading.comparison != nil ? [.comparison] : []
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
