import ApusExplorerCore
import ApusExplorerTerminal

extension KeyTable {
  /// `Docs/Keys.md`: the table in words, one section for each context.
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

  /// The commands of the palette that no key reaches.
  package var unbound: [Command] {
    Command.all.filter { command in command.isInPalette && !bindings.contains { $0.command == command } }
  }

  /// A key as Markdown's code: one that is a backtick itself stands between two of them (CommonMark, section 6.1).
  static func codeSpan(_ key: String) -> String { key.contains("`") ? "`` \(key) ``" : "`\(key)`" }
}
