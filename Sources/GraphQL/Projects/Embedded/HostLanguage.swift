/// The language of a file that may contain GraphQL.
package enum HostLanguage: String, Sendable {
  case graphql, javascript, markup, python, swift, markdown
  /// A language in which GraphQL is not searched for.
  case other

  /// The extensions of files that may contain GraphQL.
  package static let endings: [String] = table.map(\.ending)

  private static let table: [(ending: String, language: HostLanguage)] = [
    (".graphql", .graphql), (".graphqls", .graphql), (".gql", .graphql), (".ts", .javascript), (".tsx", .javascript),
    (".mts", .javascript), (".cts", .javascript), (".js", .javascript), (".jsx", .javascript), (".mjs", .javascript),
    (".cjs", .javascript), (".vue", .markup), (".svelte", .markup), (".astro", .markup), (".py", .python),
    (".swift", .swift),
    (".md", .markdown), (".markdown", .markdown), (".mdx", .markdown),
  ]

  package init(path: String) {
    self = Self.table.first { path.hasSuffix($0.ending) }?.language ?? .other
  }

  /// Creates the language for an editor's language identifier, else by the name of the file.
  package init(languageID: String, path: String) {
    switch languageID {
    case "graphql", "gql": self = .graphql
    case "javascript", "javascriptreact", "typescript", "typescriptreact", "tsx", "jsx": self = .javascript
    case "vue", "svelte", "astro": self = .markup
    case "python": self = .python
    case "swift": self = .swift
    case "markdown", "mdx": self = .markdown
    default: self = HostLanguage(path: path)
    }
  }
}
