import ApusExplorerCore
import ApusExplorerTerminal

extension KeyTable {
  /// The contents of `Docs/Keys.md`: the bindings, one section per context.
  package var document: String {
    var text = """
      # Keys

      Generated from the commands in `Sources/Explorer/Core/Commands`; `F1` shows the same list in the explorer. `keys.yml` changes
      keys by context name (below each heading) and command name (last column); see `apus help keys`.

      """
    for context in KeyContext.allCases {
      let rows = bindings.filter { $0.context == context }
      guard !rows.isEmpty else { continue }
      text += "\n## \(context.title)\n\nContext `\(context.rawValue)`\n\n| Key | Command | Name |\n|---|---|---|\n"
      for row in rows {
        let keys = row.keys.map { Self.codeSpan("\($0)") }.joined(separator: ", ")
        text += "| \(keys) | \(row.title) | `\(row.target.name)` |\n"
      }
    }
    text +=
      "\n## Commands without a key\n\nThe palette (`Ctrl-P`) lists these commands; `keys.yml` can bind keys to them.\n\n"
    text += "| Command | Name |\n|---|---|\n"
    for command in unbound { text += "| \(command.title) | `\(command.name)` |\n" }
    return text
  }

  /// The palette's commands without a key.
  package var unbound: [Command] {
    Command.all.filter { command in command.isInPalette && !bindings.contains { $0.command == command } }
  }

  /// Returns a key as a Markdown code span; a backtick is enclosed in double backticks (CommonMark, section 6.1).
  static func codeSpan(_ key: String) -> String { key.contains("`") ? "`` \(key) ``" : "`\(key)`" }
}
