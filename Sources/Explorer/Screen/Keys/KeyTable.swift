import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// The target of a key: an explorer command, or a key of the vim grammar.
package enum KeyTarget: Hashable, Sendable {
  case command(Command)
  case vim(VimKey)

  package var title: String {
    switch self {
    case .command(let command): command.title
    case .vim(let key): key.title
    }
  }

  /// The name in `keys.yml`.
  package var name: String {
    switch self {
    case .command(let command): command.name
    case .vim(let key): key.rawValue
    }
  }

  package var action: Action {
    switch self {
    case .command(let command): .commandInvoked(command)
    case .vim(let key): .vimPressed(key)
    }
  }
}

/// The keys bound to one target in one context.
package struct KeyBinding: Sendable {
  package let context: KeyContext
  package let keys: [KeySequence]
  package let target: KeyTarget
  /// The label in the footer; nil omits the binding from the footer.
  package let footer: String?
  /// The help text, if the command's title is not precise enough in this context.
  package let help: String?

  package var title: String { help ?? target.title }
  package var command: Command? { if case .command(let command) = target { command } else { nil } }

  init(
    _ context: KeyContext, _ keys: [KeySequence], _ command: Command, footer: String? = nil, help: String? = nil
  ) {
    self.init(context, keys, target: .command(command), footer: footer, help: help)
  }

  init(
    _ context: KeyContext, _ keys: [KeySequence], target: KeyTarget, footer: String? = nil, help: String? = nil
  ) {
    self.context = context
    self.keys = keys
    self.target = target
    self.footer = footer
    self.help = help
  }

  /// Returns the binding without a key; nil if no key remains.
  func without(_ key: KeySequence) -> KeyBinding? {
    let rest = keys.filter { $0 != key }
    return rest.isEmpty ? nil : with(keys: rest)
  }

  /// Returns the binding with an additional key, which is displayed first.
  func with(_ key: KeySequence) -> KeyBinding { with(keys: [key] + keys) }

  fileprivate func with(keys: [KeySequence]) -> KeyBinding {
    KeyBinding(context, keys, target: target, footer: footer, help: help)
  }
}

/// All key bindings. Input handling, help, footer, palette and `Docs/Keys.md` use this table.
package struct KeyTable: Sendable {
  package enum Match: Equatable, Sendable {
    case target(KeyTarget)
    /// The keys are the start of a longer sequence.
    case beginning
    case nothing
  }

  /// The bindings of one context, grouped because each drawing looks up some of several hundred keys.
  private struct Section: Sendable {
    let bindings: [KeyBinding]
    /// Bindings that appear in the footer.
    let footers: [KeyBinding]
    private(set) var targets: [KeySequence: KeyTarget]
    private(set) var beginnings: Set<KeySequence> = []

    init(_ bindings: [KeyBinding]) {
      self.bindings = bindings
      footers = bindings.filter { $0.footer != nil }
      targets = Dictionary(minimumCapacity: bindings.count * 2)
      for binding in bindings {
        for keys in binding.keys {
          targets[keys] = binding.target
          for count in 1..<max(1, keys.presses.count) {
            beginnings.insert(KeySequence(Array(keys.presses.prefix(count))))
          }
        }
      }
    }
  }

  package let bindings: [KeyBinding]
  private let sections: [KeyContext: Section]
  private let byCommand: [Command: [KeyBinding]]

  package init(_ bindings: [KeyBinding]) {
    self.bindings = bindings
    sections = Dictionary(grouping: bindings) { $0.context }.mapValues(Section.init)
    var byCommand: [Command: [KeyBinding]] = Dictionary(minimumCapacity: bindings.count)
    for binding in bindings {
      if let command = binding.command { byCommand[command, default: []].append(binding) }
    }
    self.byCommand = byCommand
  }

  /// Rows of the help.
  package var rows: [KeyRow] {
    bindings.map { binding in
      KeyRow(
        binding.context, keys: binding.keys.map(\.description).joined(separator: "  "), title: binding.title,
        command: binding.command)
    }
  }

  /// The contexts of the focus, and the use of keys that have a character.
  private struct Scope {
    let contexts: [KeyContext]
    /// Whether a key with a character is text, also at the start of a sequence.
    let typesText: Bool
    /// Whether a popup has the focus, which may take characters too.
    let isInPopup: Bool

    init(_ state: ExplorerState) {
      contexts = KeyContext.contexts(of: state)
      typesText = state.typesText
      isInPopup = !state.popups.isEmpty
    }

    /// Whether a binding of a context applies. A key with a character never replaces typed text, except in a sequence
    /// for Vim's insert mode (`j k`), which is only for typed keys. A popup hides the bindings of the panes below it.
    func reaches(_ keys: KeySequence, in context: KeyContext) -> Bool {
      guard keys.presses.first?.typed != nil, context != .vimInsert else { return true }
      return !typesText && !(isInPopup && context == .everywhere)
    }
  }

  /// Looks up a sequence. The innermost context that binds it, or a longer sequence that starts with it, decides.
  package func lookUp(_ keys: KeySequence, in state: ExplorerState) -> Match { lookUp(keys, in: Scope(state)) }

  private func lookUp(_ keys: KeySequence, in scope: Scope) -> Match {
    for context in scope.contexts where scope.reaches(keys, in: context) {
      guard let section = sections[context] else { continue }
      if let target = section.targets[keys] { return .target(target) }
      if section.beginnings.contains(keys) { return .beginning }
    }
    return .nothing
  }

  /// Returns the key to display for a command: the first that works in the current focus, otherwise its first key.
  package func key(for command: Command, in state: ExplorerState) -> KeySequence? {
    guard let bindings = byCommand[command] else { return nil }
    let scope = Scope(state)
    for context in scope.contexts {
      // An inner context may bind the key to another command.
      for binding in bindings where binding.context == context {
        // A key that not every terminal sends is not shown.
        for key in binding.keys where key.presses.allSatisfy({ $0.asMostTerminalsSendIt == nil }) {
          if lookUp(key, in: scope) == .target(.command(command)) { return key }
        }
      }
    }
    return bindings.first { !$0.context.isVim || state.typing.vim != nil }?.keys.first
  }

  /// Returns the footer's bindings: cancel during a run, run, the innermost context's keys, then the global ones. Each
  /// command appears once.
  package func footer(for state: ExplorerState) -> [KeyBinding] {
    var seen: Set<KeyTarget> = []
    let scope = Scope(state)
    let isBusy = state.tab.response.isBusy
    let offered: [Command] = (isBusy ? [.copyOrCancel] : []) + [.runOperation]
    let first = state.popups.isEmpty ? offered.flatMap { byCommand[$0] ?? [] }.filter { $0.footer != nil } : []
    return (first + scope.contexts.flatMap { sections[$0]?.footers ?? [] })
      .filter { (isBusy || $0.command != .copyOrCancel) && seen.insert($0.target).inserted }
      .compactMap { binding in
        // Omit keys that an inner context has rebound.
        let reaching = binding.keys.filter { lookUp($0, in: scope) == .target(binding.target) }
        return reaching.isEmpty ? nil : binding.with(keys: reaching)
      }
  }

  /// Returns the keys that can continue a sequence.
  package func continuations(of keys: [KeyPress], in state: ExplorerState) -> [(keys: KeySequence, title: String)] {
    let begun = KeySequence(keys)
    return KeyContext.contexts(of: state).flatMap { context in
      (sections[context]?.bindings ?? []).flatMap { binding in
        binding.keys.filter { $0.begins(with: begun) }.prefix(1).map { (keys: $0, title: binding.title) }
      }
    }
  }
}
