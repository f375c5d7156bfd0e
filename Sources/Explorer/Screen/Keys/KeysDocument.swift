import ApusExplorerCore
import ApusExplorerTerminal

extension KeyTable {
  /// The contents of `Docs/Keys.md`: the bindings, one section per context.
  package var document: String {
    var text = """
      # Keys

      Written from the commands in `Sources/Explorer/Core/Commands`; `F1` shows the same in the explorer. `keys.yml` changes keys by
      the names of contexts (below each heading) and of commands (in the last column), as `apus help keys` shows.

      """
    for context in KeyContext.allCases {
      let rows = bindings.filter { $0.context == context }
      guard !rows.isEmpty else { continue }
      text += "\n## \(context.title)\n\nContext `\(context.rawValue)`\n\n| key | what it does | name |\n|---|---|---|\n"
      for row in rows {
        let keys = row.keys.map { Self.codeSpan("\($0)") }.joined(separator: ", ")
        text += "| \(keys) | \(row.title) | `\(row.target.name)` |\n"
      }
    }
    text += "\n## Commands without a key\n\nIn the palette (`Ctrl-P`); `keys.yml` can give them one.\n\n"
    text += "| what it does | name |\n|---|---|\n"
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
