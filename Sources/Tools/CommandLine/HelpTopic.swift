import ApusClientFormats
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal

/// A page of `apus help TOPIC` on a subject of several commands.
struct HelpTopic {
  let name: String
  let summary: String
  /// Paragraphs, and preformatted lines that begin with two spaces.
  let text: String

  /// The text for the width of the terminal.
  var page: String { HelpText.wrapped(text, HelpText.width) }

  static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }

  static var all: [HelpTopic] {
    [network, output, exitCodes, configuration, environment, keys, themes] + explorerTopics
  }

  /// Topics of the explorer's help (F1).
  private static var explorerTopics: [HelpTopic] {
    Topic.all.map { topic in
      let text = topic.text { command in
        KeyTable.standard.bindings.first { $0.command == command }?.keys.first?.description
      }
      return HelpTopic(name: topic.name, summary: topic.title, text: text + "\n")
    }
  }

  static let names =
    ["network", "output", "exit-codes", "configuration", "environment", "keys", "themes"] + Topic.all.map(\.name)

  private static var network: HelpTopic {
    HelpTopic(
      name: "network", summary: "Options of all commands that send requests",
      text: """
        \(HelpText.list(CommandTable.connection, HelpText.width))

        Options of 'explore' and 'query' for subscriptions:
        \(HelpText.list(CommandTable.subscription, HelpText.width))

        """)
  }

  private static let output = HelpTopic(
    name: "output", summary: "Output formats, standard output and standard error",
    text: """
      Data goes to standard output. Warnings, progress and errors go to standard error. On a terminal, control characters
      in data are shown as visible characters; in a pipe, data is not changed.

      --output of 'query' and 'replay':
      \(forms)

      Colors are used on a terminal, unless NO_COLOR is set, and in a pipe if FORCE_COLOR is set. On a terminal, long help
      and 'pretty' go through a pager ('apus help environment').

      Docs/Reference/Output.md describes each format of each command, with JSON Schemas.

      """)

  private static let forms = table(
    ResultFormat.allCases.map { format in
      switch format {
      case .json: (format.rawValue, "one object when complete; for subscriptions, one object per line")
      case .ndjson: (format.rawValue, "one object per line for each payload, with the states of deferred fragments")
      case .pretty: (format.rawValue, "the object with indentation")
      case .table: (format.rawValue, "the first list of objects in columns; without a list, the result as one row")
      case .csv: (format.rawValue, "the same rows as CSV (RFC 4180)")
      case .tsv: (format.rawValue, "the same rows, separated by tabs")
      case .yaml: (format.rawValue, "the object as YAML 1.2")
      }
    })

  /// Exit codes with one line each, also for the manual page.
  static let exitStatus: [(code: ExitCode, meaning: String)] = [
    (.success, "a result without errors"),
    (.resultErrors, "GraphQL errors in the result, an invalid document, or findings of a check"),
    (.usageError, "usage error; nothing was sent"),
    (.networkError, "network error or server failure, or data missing with cacheOnly"),
    (.protocolError, "protocol error: the response violates its protocol"),
    (.fileError, "file error: a local file or database cannot be used"),
    (.hungUp, "hung up (SIGHUP)"),
    (.interrupted, "interrupted (SIGINT, Ctrl-C)"),
    (.quit, "quit (SIGQUIT)"),
    (.terminated, "terminated (SIGTERM)"),
  ]

  private static let exitCodes = HelpTopic(
    name: "exit-codes", summary: "Exit codes of all commands",
    text: """
      \(table(exitStatus.map { ("\($0.code.rawValue)", $0.meaning) }))

      A GraphQL response counts as such with any HTTP status. The first signal cancels the request cleanly, the second one
      ends the program immediately.

      """)

  /// Files of the user and of a project, also for the manual page.
  static let files: [(path: String, meaning: String)] = [
    (
      "~/.config/apus/config.yml", "settings, profiles (named endpoints with headers), rules of 'schema lint'"
    ),
    ("~/.config/apus/keys.yml", "key map and key bindings"),
    ("~/.config/apus/.env", "variables for profiles"),
    ("~/.config/apus/themes/", "your base16 and base24 themes"),
    ("~/.local/share/apus/", "history and trusted projects"),
    ("~/.local/state/apus/", "saved sessions"),
    ("~/.cache/apus/", "saved schemas, which can be requested again"),
    (
      ".graphqlrc.yml, graphql.config.yml, …", "a project's schema, documents and endpoints, in this directory or above"
    ),
    ("apus-generate.yml", "configuration of 'generate'"),
  ]

  private static let configuration = HelpTopic(
    name: "configuration", summary: "Configuration files and profiles",
    text: """
      \(table(files.map { ($0.path, $0.meaning) }))

      A profile in config.yml:

        profiles:
          birds:
            url: https://birds.example/graphql
            headers:
              Authorization: Bearer $BIRDS_TOKEN

      opens with 'apus birds'. 'apus doctor' checks all files. Before Apus uses headers from a project's own file, it asks
      you ('apus trust'). Docs/Reference/Configuration.md lists all keys.

      """)

  /// Environment variables, also for the manual page.
  static let variables: [(name: String, meaning: String)] = [
    ("APUS_CONFIG_HOME, APUS_DATA_HOME, APUS_STATE_HOME, APUS_CACHE_HOME", "the folders of Apus (first choice)"),
    ("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "the parents of the folders apus/"),
    ("APUS_PAGER, PAGER", "pager for long output on a terminal; empty or cat disables it (default less)"),
    ("LESS", "options for less (default FRX)"),
    ("NO_COLOR", "disables colors"),
    ("FORCE_COLOR, CLICOLOR_FORCE", "enable colors in a pipe"),
    ("TERM, COLORTERM", "capabilities of the terminal"),
    ("VISUAL, EDITOR", "external editor"),
    ("http_proxy, https_proxy, all_proxy, no_proxy", "proxies, as libcurl reads them"),
  ]

  private static let environment = HelpTopic(
    name: "environment", summary: "Environment variables",
    text: """
      \(table(variables.map { ($0.name, $0.meaning) }))

      Other variables resolve $NAME in config.yml, --header, --user and the headers of a tab. Variables of --env-file FILE
      do so too, and are used for nothing else. Docs/Reference/Environment.md lists all variables.

      """)

  private static var keys: HelpTopic {
    var text =
      """
      In the explorer, F1 lists the keys and Ctrl-P the commands. keys.yml changes keys ('keymap: vim' for modal editing),
      by the names in parentheses:

        bindings:
          everywhere:
            F9: runOperation

      """
    let bindings = KeyTable.standard.bindings
    for context in KeyContext.allCases {
      let rows = bindings.filter { $0.context == context }.map {
        ($0.keys.map { "\($0)" }.joined(separator: ", "), "\($0.title) (\($0.target.name))")
      }
      if !rows.isEmpty { text += "\n\(context.title) (\(context.rawValue))\n\(table(rows))\n" }
    }
    text += "\nWithout a key\n\(table(KeyTable.standard.unbound.map { ($0.name, $0.title) }))\n"
    return HelpTopic(name: "keys", summary: "Keys of the explorer", text: text)
  }

  private static let themes = HelpTopic(
    name: "themes", summary: "Themes and colors",
    text: """
      'apus themes' lists the built-in and the installed themes, and the base16 and base24 files in
      ~/.config/apus/themes. F7 in the explorer previews them.

      The theme is that of --theme NAME, else 'theme:' of the profile, else 'theme:' in config.yml. Without any of them,
      Apus follows the background of the terminal. 'contrast: high' increases contrast. NO_COLOR disables colors; no
      information is conveyed by color alone.

      """)

  private static func table(_ rows: [(String, String)]) -> String { HelpText.columns(rows, HelpText.width) }
}
