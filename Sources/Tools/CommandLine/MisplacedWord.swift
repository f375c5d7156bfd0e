import ApusClientNetwork
import ApusGraphQLValidation

/// What a word was probably meant as that belongs elsewhere, or is another program's.
enum MisplacedWord {
  /// What other programs call our commands.
  private static let otherNames = [
    "lint": "schema lint", "diff": "schema diff", "introspect": "schema", "sdl": "schema", "mock": "serve --schema",
    "run": "query", "exec": "query", "request": "query", "fetch": "query", "subscribe": "query", "check": "validate",
    "fmt": "format", "codegen": "generate", "open": "explore", "version": "--version",
  ]

  private static let documents = [".graphql", ".gql"]
  private static let schemas = [".graphqls", ".sdl", ".json"]
  private static let caches = [".sqlite", ".sqlite3", ".db"]
  private static let configurations = [".yml", ".yaml"]

  /// Which option of a command a word belongs behind; nil where that cannot be told. What may hold a secret, a variable or a
  /// URL, is not repeated.
  static func place(of word: String, in command: CommandDescription) -> String? {
    let has = { name in command.options.contains { $0.name == name } }
    let ends = { (endings: [String]) in endings.contains(where: word.hasSuffix) }
    if word.contains("://") {
      let takesURL = command.operands.contains { $0.names == .profiles }
      return has("schema") && !takesURL ? "a schema goes behind --schema" : nil
    }
    if word.contains("{"), has("query") { return "a document goes behind -q" }
    if word.contains("="), has("var") { return "a variable goes behind --var" }
    if ends(documents), has("file") { return "the file of a document goes behind -f: '\(word)'" }
    if ends(schemas + documents), has("schema") { return "a schema goes behind --schema: '\(word)'" }
    if ends(caches), has("db") { return "the file of a cache goes behind --db: '\(word)'" }
    if ends(configurations), has("config") { return "a configuration goes behind --config: '\(word)'" }
    return nil
  }

  /// A word as it may be printed: of a URL, with a scheme or without, not its user, password and query.
  static func shown(_ word: String) -> String {
    let mayBeURL = word.contains("://") || word.contains(":") && word.contains("@")
    return mayBeURL ? HTTPRequest(url: word).shownURL : word
  }

  /// Why the explorer is not opened by a word that is neither an address nor a profile.
  static func opensNothing(_ word: String, _ known: KnownEndpoints) -> CommandFailure {
    if let place = place(of: word, in: CommandTable.explore) { return .usage(place, command: "explore") }
    var message = "there is no command, URL or profile '\(shown(word))'"
    if let meant = otherNames[word] ?? Suggestions.slip(of: word, CommandTable.commands.map(\.name)) {
      message += "; did you mean 'apus \(meant)'?"
    } else if !known.names.isEmpty {
      message += "; the profiles are \(known.names.joined(separator: ", "))"
    }
    if let problem = known.projectProblem { message += "; \(problem)" }
    return .usage(message, command: "")
  }
}
