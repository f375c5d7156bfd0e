import ApusExplorerText

/// Something that a person can ask for by name. Each is one literal in the file of its group: how it is called, its keys,
/// when it cannot be done, and what it does. Key table, footer, help, palette and `Docs/Keys.md` come from these.
/// It is a class since there is one of each: who names it holds a reference, no copy.
package final class Command: Sendable {
  /// What `keys.yml` calls it.
  package let name: String
  /// What the palette and the help call it.
  package let title: String
  package let keys: [KeyAssignment]
  /// Whether it means something by name alone: a cursor key is no entry of a palette.
  package let isInPalette: Bool
  /// What it asks of a text, in an editor and in a line that is typed; nil for what is asked of anything else.
  let text: TextCommand?
  fileprivate let unless: @Sendable (ExplorerState) -> String?
  let action: @Sendable (inout ExplorerState) -> [Effect]

  init(
    _ name: String, _ title: String, _ keys: KeyAssignment..., inPalette: Bool = true,
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

  /// What a text is asked, wherever one has the cursor.
  init(
    _ text: TextCommand, _ title: String, _ keys: KeyAssignment..., inPalette: Bool = true,
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

  /// What a popup is asked: it means nothing where there is none.
  init(popup name: String, _ title: String, _ keys: KeyAssignment...) {
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
  /// Why a command would do nothing now; nil when it would do something.
  package func reason(against command: Command) -> String? { command.unless(self) }
}

extension Command: Hashable, CustomStringConvertible {
  package static func == (left: Command, right: Command) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  package var description: String { name }
}

extension Command {
  /// All of them, in the order in which footer, help and palette show them.
  package static let all =
    lists + runs + program + tabs + schemas + reading + caches + texts + writing + popups

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  package static func named(_ name: String) -> Command? { byName[name] }

  /// The palette's entries for what was typed: the letters in order, words' beginnings first. What can be done comes before
  /// what cannot, and where nothing is typed what was done lately before the rest.
  package static func palette(matching filter: String, in state: ExplorerState) -> [Command] {
    var below = state
    below.popups = []
    let matching = palette(matching: filter)
    let recent = filter.isEmpty ? state.screen.recentCommands : []
    let ordered = recent.filter(matching.contains) + matching.filter { !recent.contains($0) }
    let isPossible = Dictionary(uniqueKeysWithValues: ordered.map { ($0, below.reason(against: $0) == nil) })
    return ordered.filter { isPossible[$0] == true } + ordered.filter { isPossible[$0] != true }
  }

  private static func palette(matching filter: String) -> [Command] {
    let commands = all.filter(\.isInPalette)
    let wanted = filter.lowercased().filter { !$0.isWhitespace }
    guard !wanted.isEmpty else { return commands }
    return commands.enumerated().compactMap { offset, command -> (score: Int, offset: Int, command: Command)? in
      guard let score = command.title.lowercased().subsequenceScore(of: wanted) else { return nil }
      return (score, offset, command)
    }
    .sorted { ($0.score, $0.offset) < ($1.score, $1.offset) }
    .map(\.command)
  }
}

/// Keys that ask for a command in one context, and the words for it there.
package struct KeyAssignment: Sendable {
  package let context: KeyContext
  /// As they are written: `F5`, `Ctrl-R`, `g g`.
  package let keys: [String]
  /// The word that the footer has for it; without one it is only in the help.
  package let footer: String?
  /// The help's words where the command's own title says less than is true here.
  package let help: String?

  static func keys(
    _ context: KeyContext, _ keys: String..., footer: String? = nil, help: String? = nil
  ) -> KeyAssignment {
    KeyAssignment(context: context, keys: keys, footer: footer, help: help)
  }
}
