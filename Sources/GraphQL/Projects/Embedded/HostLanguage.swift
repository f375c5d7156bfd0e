/// The language of a file, in which GraphQL stands.
package enum HostLanguage: String, Sendable {
  case graphql, javascript, markup, python, swift, markdown
  /// Nothing in it is looked for.
  case other

  /// How the names of files end in which GraphQL may stand.
  package static let endings: [String] = table.map(\.ending)

  private static let table: [(ending: String, language: HostLanguage)] = [
    (".graphql", .graphql), (".graphqls", .graphql), (".gql", .graphql), (".ts", .javascript), (".tsx", .javascript),
    (".mts", .javascript), (".cts", .javascript), (".js", .javascript), (".jsx", .javascript), (".mjs", .javascript),
    (".cjs", .javascript), (".vue", .markup), (".svelte", .markup), (".py", .python), (".swift", .swift),
    (".md", .markdown), (".markdown", .markdown),
  ]

  package init(path: String) {
    self = Self.table.first { path.hasSuffix($0.ending) }?.language ?? .other
  }

  /// What an editor calls it, else by the name of the file.
  package init(languageID: String, path: String) {
    switch languageID {
    case "graphql", "gql": self = .graphql
    case "javascript", "javascriptreact", "typescript", "typescriptreact", "tsx", "jsx": self = .javascript
    case "vue", "svelte": self = .markup
    case "python": self = .python
    case "swift": self = .swift
    case "markdown": self = .markdown
    default: self = HostLanguage(path: path)
    }
  }
}
