import ApusExplorerCore
import ApusExplorerTerminal
import ApusExplorerText

/// What a key reaches: a command of the explorer, or a word of the vim grammar.
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

/// Keys that do one thing in one context.
package struct KeyBinding: Sendable {
  package let context: KeyContext
  package let keys: [KeySequence]
  package let target: KeyTarget
  /// The word that the footer has for it; without one it is only in the help.
  package let footer: String?
  /// The help's words where the command's own title says less than is true here.
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

  /// The binding without a key; nil if it had no other.
  func without(_ key: KeySequence) -> KeyBinding? {
    let rest = keys.filter { $0 != key }
    return rest.isEmpty ? nil : with(keys: rest)
  }

  /// The binding with one more key, which is the one to be shown.
  func with(_ key: KeySequence) -> KeyBinding { with(keys: [key] + keys) }

  fileprivate func with(keys: [KeySequence]) -> KeyBinding {
    KeyBinding(context, keys, target: target, footer: footer, help: help)
  }
}

/// Every key of every focus. Keys, help, footer, palette and `Docs/Keys.md` are all drawn from this table.
package struct KeyTable: Sendable {
  package enum Match: Equatable, Sendable {
    case target(KeyTarget)
    /// More must be pressed.
    case beginning
    case nothing
  }

  /// What there is in one context: each drawing asks for some keys, and the table has hundreds.
  private struct Section: Sendable {
    let bindings: [KeyBinding]
    /// Those that have a word for the footer.
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

  /// The rows of the help.
  package var rows: [KeyRow] {
    bindings.map { binding in
      KeyRow(
        binding.context, keys: binding.keys.map(\.description).joined(separator: "  "), title: binding.title,
        command: binding.command)
    }
  }

  /// What a sequence means where the focus is: the innermost context that knows it, or a longer one, decides.
  package func lookUp(_ keys: KeySequence, in state: ExplorerState) -> Match {
    lookUp(keys, in: KeyContext.contexts(of: state))
  }

  private func lookUp(_ keys: KeySequence, in contexts: [KeyContext]) -> Match {
    for context in contexts {
      guard let section = sections[context] else { continue }
      if let target = section.targets[keys] { return .target(target) }
      if section.beginnings.contains(keys) { return .beginning }
    }
    return .nothing
  }

  /// The key to show for a command: the first that reaches it from where the focus is, else the first at all.
  package func key(for command: Command, in state: ExplorerState) -> KeySequence? {
    guard let bindings = byCommand[command] else { return nil }
    let contexts = KeyContext.contexts(of: state)
    for context in contexts {
      // A key that an inner context has taken for something else does not reach it.
      for binding in bindings where binding.context == context {
        for key in binding.keys where lookUp(key, in: contexts) == .target(.command(command)) { return key }
      }
    }
    return bindings.first { !$0.context.isVim || state.typing.vim != nil }?.keys.first
  }

  /// What the footer offers: how to cancel while something runs, how to run, then the innermost context's keys, then those of
  /// everywhere; each command once.
  package func footer(for state: ExplorerState) -> [KeyBinding] {
    var seen: Set<KeyTarget> = []
    let contexts = KeyContext.contexts(of: state)
    let isBusy = state.tab.response.isBusy
    let offered: [Command] = (isBusy ? [.copyOrCancel] : []) + [.runOperation]
    let first = state.popups.isEmpty ? offered.flatMap { byCommand[$0] ?? [] }.filter { $0.footer != nil } : []
    return (first + contexts.flatMap { sections[$0]?.footers ?? [] })
      .filter { (isBusy || $0.command != .copyOrCancel) && seen.insert($0.target).inserted }
      .compactMap { binding in
        // As it can be pressed here: without the keys that an inner context has taken.
        let reaching = binding.keys.filter { lookUp($0, in: contexts) == .target(binding.target) }
        return reaching.isEmpty ? nil : binding.with(keys: reaching)
      }
  }

  /// What may follow the beginning of a sequence.
  package func continuations(of keys: [KeyPress], in state: ExplorerState) -> [(keys: KeySequence, title: String)] {
    let begun = KeySequence(keys)
    return KeyContext.contexts(of: state).flatMap { context in
      (sections[context]?.bindings ?? []).flatMap { binding in
        binding.keys.filter { $0.begins(with: begun) }.prefix(1).map { (keys: $0, title: binding.title) }
      }
    }
  }
}
