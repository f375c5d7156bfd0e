extension Command {
  /// Synonyms that also find a command in the palette, by command name: "maximize" finds `zoomPane`.
  package static let otherWords: [String: [String]] = [
    "zoomPane": ["maximize", "fullscreen", "enlarge", "minimize"],
    "runOperation": ["execute", "send", "refetch", "reload", "refresh", "request"],
    "formatDocument": ["prettify", "pretty print", "indent", "beautify"],
    "openSchema": ["docs", "documentation", "explorer", "types", "reference"],
    "comparePrevious": ["diff", "difference"],
    "runOnOtherEndpoint": ["diff"],
    "foldText": ["collapse", "expand"],
    "foldAll": ["collapse"],
    "unfoldAll": ["expand"],
    "reloadSchema": ["introspect", "refresh schema", "refetch schema"],
    "refreshRecords": ["refetch", "refresh cache"],
    "renewCredentials": ["token", "authenticate", "auth", "refresh token"],
    "useValueAsHeader": ["token", "login", "authorization", "bearer"],
    "signIn": ["login", "log in", "authenticate", "auth", "oauth"],
    "signOut": ["logout", "log out"],
    "focusHeaders": ["token", "authorization", "auth", "cookie", "api key"],
    "pickEndpoint": ["switch", "environment", "server", "connect", "host", "url"],
    "duplicateTab": ["copy tab", "clone"],
    "closeTab": ["delete tab", "remove tab"],
    "pickTheme": ["settings", "preferences", "colors", "appearance", "dark mode", "light mode"],
    "pickCachePolicy": ["settings", "fetch policy"],
    "showHelp": ["docs", "documentation", "shortcuts", "key bindings", "settings", "manual"],
    "toggleVim": ["settings", "modal editing"],
    "toggleMouse": ["settings", "select text"],
    "nextLayout": ["settings", "arrange", "split"],
    "showHistory": ["recent", "previous runs"],
    "showTraffic": ["network", "request", "response headers", "inspect", "debug", "timing"],
    "copyAsCurl": ["share", "export request"],
    "copyAsHTTP": ["share", "export request"],
    "copyAsCommand": ["share", "export request"],
    "importRequest": ["paste curl", "collection", "load requests"],
    "saveResponse": ["download", "export response"],
    "editRequestExtensions": ["metadata"],
    "pickRequestOptions": ["settings", "method", "apq", "automatic persisted queries", "hash"],
    "cancel": ["stop", "abort"],
    "editRules": ["delay", "fail", "drop", "status", "throttle"],
    "quit": ["exit", "close"],
  ]

  /// Words that a user may type although no title has them.
  private static let fillers: Set<String> = ["a", "an", "the", "this", "my", "of", "to", "as", "with", "for"]

  /// Returns how well the command matches typed words: in their order, or else each of them, in any order, by a prefix
  /// of a word of its title, its name or a synonym: "import curl" finds `importRequest`.
  func match(of words: [String]) -> TitleMatch? {
    if let match = match(of: words.joined()) { return match }
    let intended = words.filter { !Self.fillers.contains($0) }
    guard words.count > 1, !intended.isEmpty else { return nil }
    let texts = [title, spokenName] + (Self.otherWords[name] ?? [])
    let isMeant = intended.allSatisfy { word in texts.contains { (TitleMatch(of: word, in: $0)?.kind ?? 4) <= 1 } }
    return isMeant ? .otherWord : nil
  }

  /// Returns how well the command matches the typed text: by its title, or else by a prefix of its name or of a
  /// synonym.
  private func match(of query: String) -> TitleMatch? {
    let title = TitleMatch(of: query, in: self.title)
    if let title, title.kind < 4 { return title }
    let words = [spokenName] + (Self.otherWords[name] ?? [])
    let isMeant = query.count >= 3 && words.contains { (TitleMatch(of: query, in: $0)?.kind ?? 4) <= 1 }
    return isMeant ? .otherWord : title
  }

  /// The name as separate words: `zoomPane` becomes `zoom pane`.
  private var spokenName: String {
    name.reduce(into: "") { spoken, character in
      spoken += character.isUppercase ? " \(character.lowercased())" : String(character)
    }
  }
}
