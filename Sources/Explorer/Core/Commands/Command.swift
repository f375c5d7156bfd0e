import ApusExplorerText

/// A command that the user can run by name. Each is one literal in the file of its group, with its title, keys, reason
/// for being unavailable, and action. The key table, footer, help, palette and `Docs/Keys.md` are generated from these.
/// It is a class because each command exists once and others refer to it.
package final class Command: Sendable {
  /// The name in `keys.yml`.
  package let name: String
  /// The title in the palette and the help.
  package let title: String
  package let keys: [DefaultKeyBinding]
  /// Whether the palette lists it. Cursor movements, for example, are useful only as keys.
  package let isInPalette: Bool
  /// The editing command that it performs in an editor or input line; nil for other commands.
  let text: TextCommand?
  fileprivate let unless: @Sendable (ExplorerState) -> String?
  let action: @Sendable (inout ExplorerState) -> [Effect]

  init(
    _ name: String, _ title: String, _ keys: DefaultKeyBinding..., inPalette: Bool = true,
    unless reason: @escaping @Sendable (ExplorerState) -> String? = { _ in nil },
    _ action: @escaping @Sendable (inout ExplorerState) -> [Effect]
  ) {
    self.name = name
    self.title = title
    self.keys = keys
    isInPalette = inPalette
    text = nil
    unless = reason
    self.action = action
  }

  /// Creates a command for the editor or input line that has the cursor.
  init(
    _ text: TextCommand, _ title: String, _ keys: DefaultKeyBinding..., inPalette: Bool = true,
    unless reason: @escaping @Sendable (ExplorerState) -> String? = { _ in nil }
  ) {
    name = text.rawValue
    self.title = title
    self.keys = keys
    isInPalette = inPalette
    self.text = text
    unless = reason
    action = { $0.edit(text) }
  }

  /// Creates a command for the topmost popup; it does nothing if no popup is open.
  init(popup name: String, _ title: String, _ keys: DefaultKeyBinding...) {
    self.name = name
    self.title = title
    self.keys = keys
    isInPalette = false
    text = nil
    unless = { _ in nil }
    action = { _ in [] }
  }
}

extension ExplorerState {
  /// Returns the reason why a command is unavailable; nil if it is available.
  package func reason(against command: Command) -> String? { command.unless(self) }
}

extension Command: Hashable, CustomStringConvertible {
  package static func == (left: Command, right: Command) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  package var description: String { name }
}

extension Command {
  /// All commands in the order of the footer, help and palette.
  package static let all =
    lists + runs + deferredRows + program + tabs + schemas + reading + caches + editors + writing + popups

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  package static func named(_ name: String) -> Command? { byName[name] }

  /// Returns the palette's commands for a filter, best match first. Equal matches list available commands first and, if
  /// the filter is empty, recent commands first.
  package static func palette(matching filter: String, in state: ExplorerState) -> [Command] {
    var below = state
    below.popups = []
    let recent = filter.isEmpty ? state.screen.recentCommands : []
    return palette(matching: filter).map { match in
      let isPossible = below.reason(against: match.command) == nil
      let recency = recent.firstIndex(of: match.command) ?? recent.count
      return (rank: (match.title.kind, isPossible ? 0 : 1, recency, match.title.distance, match.offset), match.command)
    }
    .sorted { $0.rank < $1.rank }
    .map(\.1)
  }

  private static func palette(
    matching filter: String
  ) -> [(title: TitleMatch, offset: Int, command: Command)] {
    let words = filter.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    return all.filter(\.isInPalette).enumerated().compactMap { offset, command in
      command.match(of: words).map { ($0, offset, command) }
    }
  }
}

/// The keys of a command in one context, with its wording there.
package struct DefaultKeyBinding: Sendable {
  package let context: KeyContext
  /// Keys as written in `keys.yml`, such as `F5`, `Ctrl-R` or `g g`.
  package let keys: [String]
  /// The label in the footer; nil omits the command from the footer.
  package let footer: String?
  /// The help text, if the command's title is not precise enough in this context.
  package let help: String?

  static func keys(
    _ context: KeyContext, _ keys: String..., footer: String? = nil, help: String? = nil
  ) -> DefaultKeyBinding {
    DefaultKeyBinding(context: context, keys: keys, footer: footer, help: help)
  }
}
