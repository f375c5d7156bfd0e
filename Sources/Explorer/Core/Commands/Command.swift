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

  /// The palette's entries for what was typed, by how well they match. Of those that match alike, what can be done comes
  /// before what cannot, and where nothing is typed what was done lately before the rest.
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
    let wanted = filter.lowercased().filter { !$0.isWhitespace }
    return all.filter(\.isInPalette).enumerated().compactMap { offset, command in
      command.match(of: wanted).map { ($0, offset, command) }
    }
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
