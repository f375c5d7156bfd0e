import ApusExplorerCore
import ApusExplorerTerminal

extension KeyTable {
  /// `Docs/Keys.md`: the table in words, one section for each context.
  package var document: String {
    var text = """
      # Keys

      Written from the commands in `Sources/Explorer/Core/Commands`; `F1` shows the same in the explorer.

      """
    for context in KeyContext.allCases {
      let rows = bindings.filter { $0.context == context }
      guard !rows.isEmpty else { continue }
      text += "\n## \(context.title)\n\n| key | what it does |\n|---|---|\n"
      for row in rows {
        let keys = row.keys.map { Self.codeSpan("\($0)") }.joined(separator: ", ")
        text += "| \(keys) | \(row.title) |\n"
      }
    }
    return text
  }

  /// A key as Markdown's code: one that is a backtick itself stands between two of them (CommonMark, section 6.1).
  static func codeSpan(_ key: String) -> String { key.contains("`") ? "`` \(key) ``" : "`\(key)`" }
}
