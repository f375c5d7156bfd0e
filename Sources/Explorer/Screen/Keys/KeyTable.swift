import ExplorerCore
import ExplorerTerminal

/// Where a key means something: a pane, a kind of pane, a popup, or everywhere.
package enum KeyContext: String, CaseIterable, Sendable {
  case everywhere, panes, editors, query, lists, reading, found, table, response, deferred, records, record, writes
  case filter, completion, palette, help, traffic, confirmation, choice, menu, prompt, find, hover, schema

  package var title: String {
    switch self {
    case .everywhere: "Everywhere"
    case .panes: "Outside the editors"
    case .editors: "In the query and the variables"
    case .query: "In the query"
    case .lists: "In lists and trees"
    case .response: "In the response"
    case .reading: "While typing a search, a filter or a path"
    case .found: "After a search of the response"
    case .table: "In a table of the response"
    case .deferred: "In the deferred fragments"
    case .records: "In the cache"
    case .record: "In a record of the cache"
    case .writes: "In the time line of the cache"
    case .filter: "While filtering records"
    case .completion: "In the completion"
    case .palette: "In the command palette"
    case .help: "In this help"
    case .traffic: "In the traffic"
    case .confirmation: "In a question"
    case .menu: "In a list to choose from"
    case .prompt: "Where a name is asked for"
    case .find: "While finding"
    case .hover: "In what is told of a thing"
    case .schema: "In the schema"
    case .choice: "In a choice"
    }
  }

  /// The contexts that a key is looked up in, the innermost first.
  package static func contexts(of state: ExplorerState) -> [KeyContext] {
    switch state.popups.last {
    case .help: return [.help, .everywhere]
    case .traffic: return [.traffic, .everywhere]
    case .palette: return [.palette, .everywhere]
    case .confirmation: return [.confirmation, .everywhere]
    case .completion where state.focus == .query: return [.completion, .query, .editors, .everywhere]
    case .completion: return [.completion, .editors, .everywhere]
    case .menu: return [.menu, .everywhere]
    case .prompt: return [.prompt, .everywhere]
    case .find: return [.find, .editors, .everywhere]
    case .hover where state.focus == .query: return [.hover, .query, .editors, .everywhere]
    case .hover: return [.hover, .editors, .everywhere]
    case .schema: return [.schema, .everywhere]
    case .pagedLists, .pagingOffers, .export, .errors: return [.choice, .everywhere]
    case nil: break
    }
    switch state.focus {
    case .query: return [.query, .editors, .everywhere]
    case .variables: return [.editors, .everywhere]
    case .response:
      if state.reading.prompt != nil { return [.reading, .everywhere] }
      let found: [KeyContext] = state.reading.search.isActive ? [.found] : []
      let table: [KeyContext] = state.reading.table != nil ? [.table] : []
      return found + table + [.response, .lists, .panes, .everywhere]
    case .deferred: return [.deferred, .lists, .panes, .everywhere]
    case .cache:
      if state.cache.isFiltering || state.cache.edit != nil { return [.filter, .everywhere] }
      if state.cache.isShowingWrites { return [.writes, .lists, .panes, .everywhere] }
      return [state.cache.openedKey == nil ? .records : .record, .lists, .panes, .everywhere]
    }
  }
}

/// Keys that do one thing in one context.
package struct KeyBinding: Sendable {
  package let context: KeyContext
  package let keys: [KeyPress]
  package let command: Command
  /// The word that the footer has for it; without one it is only in the help.
  package let footer: String?
  /// The help's words where the command's own title says less than is true here.
  package let help: String?

  package var title: String { help ?? command.title }

  init(_ context: KeyContext, _ keys: [KeyPress], _ command: Command, footer: String? = nil, help: String? = nil) {
    self.context = context
    self.keys = keys
    self.command = command
    self.footer = footer
    self.help = help
  }
}

/// Every key of every focus. Keys, help, footer, palette and `Docs/Keys.md` are all drawn from this table.
package struct KeyTable: Sendable {
  package let bindings: [KeyBinding]
  private let commands: [KeyContext: [KeyPress: Command]]

  package init(_ bindings: [KeyBinding]) {
    self.bindings = bindings
    var commands: [KeyContext: [KeyPress: Command]] = [:]
    for binding in bindings {
      for key in binding.keys { commands[binding.context, default: [:]][key] = binding.command }
    }
    self.commands = commands
  }

  package func command(for key: KeyPress, in state: ExplorerState) -> Command? {
    for context in KeyContext.contexts(of: state) {
      if let command = commands[context]?[key] { return command }
    }
    return nil
  }

  /// The action of a key press: a command, or text.
  package func action(for key: KeyPress, in state: ExplorerState) -> Action? {
    if let command = command(for: key, in: state) { return .commandInvoked(command) }
    return key.typed.map { .textTyped(String($0)) }
  }

  /// The key to show for a command: the first that reaches it from where the focus is, else the first at all.
  package func key(for command: Command, in state: ExplorerState) -> KeyPress? {
    for context in KeyContext.contexts(of: state) {
      if let binding = bindings.first(where: { $0.context == context && $0.command == command }) {
        return binding.keys.first
      }
    }
    return bindings.first { $0.command == command }?.keys.first
  }

  /// What the footer offers: how to run, then the innermost context's keys, then those of everywhere; each command once.
  package func footer(for state: ExplorerState) -> [KeyBinding] {
    var seen: Set<Command> = []
    let contexts = KeyContext.contexts(of: state)
    let first = state.popups.isEmpty ? bindings.filter { $0.command == .runOperation } : []
    return (first + contexts.flatMap { context in bindings.filter { $0.context == context } })
      .filter { $0.footer != nil && seen.insert($0.command).inserted }
  }
}
