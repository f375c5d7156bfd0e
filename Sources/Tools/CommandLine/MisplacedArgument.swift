import ApusClientNetwork
import ApusGraphQLValidation

/// Suggestions for an argument that belongs to an option, or that is a command name of another program.
enum MisplacedArgument {
  /// Names that other programs use for commands of this one.
  private static let otherNames = [
    "lint": "schema lint", "diff": "schema diff", "introspect": "schema", "sdl": "schema", "mock": "serve --schema",
    "run": "query", "exec": "query", "request": "query", "fetch": "query", "subscribe": "query", "check": "validate",
    "fmt": "format", "codegen": "generate", "open": "explore", "version": "--version",
  ]

  private static let documents = [".graphql", ".gql"]
  private static let schemas = [".graphqls", ".sdl", ".json"]
  private static let caches = [".sqlite", ".sqlite3", ".db"]
  private static let configurations = [".yml", ".yaml"]

  /// Returns the option that a word belongs to, such as "pass a variable with --var" for `id=b42`; `nil` if that is
  /// unclear. A variable or URL may hold a secret, so the message does not repeat it.
  static func owningOption(of word: String, in command: CommandDescription) -> String? {
    let has = { name in command.options.contains { $0.name == name } }
    let ends = { (endings: [String]) in endings.contains(where: word.hasSuffix) }
    if word.contains("://") {
      let takesURL = command.operands.contains { $0.names == .profiles }
      return has("schema") && !takesURL ? "pass a schema with --schema" : nil
    }
    if word.contains("{"), has("query") { return "pass a document with -q" }
    if word.contains("="), has("var") { return "pass a variable with --var" }
    if ends(documents), has("file") { return "pass a document file with -f: '\(word)'" }
    if ends(schemas + documents), has("schema") { return "pass a schema with --schema: '\(word)'" }
    if ends(caches), has("db") { return "pass a cache file with --db: '\(word)'" }
    if ends(configurations), has("config") { return "pass a configuration with --config: '\(word)'" }
    return nil
  }

  /// Returns a word for a message. A URL, with or without a scheme, is shown without user, password and query.
  static func shown(_ word: String) -> String {
    let mayBeURL = word.contains("://") || word.contains(":") && word.contains("@")
    return mayBeURL ? HTTPRequest(url: word).redactedURL : word
  }

  /// Returns the failure for a word that is neither an address nor a profile and so does not open the explorer.
  static func opensNothing(_ word: String, _ endpoints: NamedEndpoints) -> CommandError {
    if let place = owningOption(of: word, in: CommandTable.explore) { return .usage(place, command: "explore") }
    var message = "there is no command, URL or profile '\(shown(word))'"
    if let suggestion = otherNames[word] ?? NameSuggestions.slip(of: word, CommandTable.commands.map(\.name)) {
      message += "; did you mean 'apus \(suggestion)'?"
    } else if !endpoints.names.isEmpty {
      message += "; the profiles are \(endpoints.names.joined(separator: ", "))"
    }
    if let problem = endpoints.projectProblem { message += "; \(problem)" }
    return .usage(message, command: "")
  }
}
