import ApusClientFormats
import ApusExplorerCore
import ApusExplorerScreen
import ApusExplorerTerminal

/// What `apus help` tells of matters that concern several commands.
struct HelpTopic {
  let name: String
  let summary: String
  let text: String

  static func named(_ name: String) -> HelpTopic? { all.first { $0.name == name } }

  static var all: [HelpTopic] { [output, exitCodes, configuration, environment, keys, themes] + explorerTopics }

  /// What the explorer shows by F1 is the same text.
  private static var explorerTopics: [HelpTopic] {
    Topic.all.map { topic in
      let text = topic.text { command in
        KeyTable.standard.bindings.first { $0.command == command }?.keys.first?.description
      }
      return HelpTopic(name: topic.name, summary: topic.title, text: text + "\n")
    }
  }

  static let names = ["output", "exit-codes", "configuration", "environment", "keys", "themes"] + Topic.all.map(\.name)

  private static let output = HelpTopic(
    name: "output", summary: "What is printed, and where",
    text: """
      Standard output is data, standard error is narration: warnings, progress, and one line for each failure. On a
      terminal control characters of others are made visible; into a pipe they go as they came.

      --output of 'query' and 'replay':
      \(forms)

      Colours are used on a terminal, never where NO_COLOR is set, and into a pipe where FORCE_COLOR is. Long help and
      'pretty' go through the pager on a terminal ('apus help environment').

      Docs/Reference/Output.md has every form of every command, with JSON Schemas.

      """)

  private static let forms = table(
    ResultFormat.allCases.map { format in
      switch format {
      case .json: (format.rawValue, "one object, when all has arrived; of a subscription one a line")
      case .ndjson: (format.rawValue, "an object a line for every result as it arrives, with the states of fragments")
      case .pretty: (format.rawValue, "the object laid out in lines")
      case .table: (format.rawValue, "the first list of objects, in columns; without one the result as a row")
      case .csv: (format.rawValue, "the same for spreadsheets (RFC 4180)")
      case .tsv: (format.rawValue, "the same with tabs")
      case .yaml: (format.rawValue, "the object as YAML 1.2")
      }
    })

  /// A line each; the manual page has them, too.
  static let exitStatus: [(code: ExitCode, meaning: String)] = [
    (.success, "a result without errors"),
    (.resultHasErrors, "a result with GraphQL errors, a document that is not valid, or a check that found something"),
    (.wrongUsage, "wrong usage; nothing was sent"),
    (.networkFailed, "the network or the server failed, or cacheOnly missed"),
    (.protocolBroken, "the response broke its protocol"),
    (.localFileFailed, "a local file or database failed"),
    (.hungUp, "hung up (SIGHUP)"),
    (.interrupted, "interrupted (SIGINT, Ctrl-C)"),
    (.quit, "quit (SIGQUIT)"),
    (.terminated, "terminated (SIGTERM)"),
  ]

  private static let exitCodes = HelpTopic(
    name: "exit-codes", summary: "What a command ends with",
    text: """
      \(table(exitStatus.map { ("\($0.code.rawValue)", $0.meaning) }))

      A body that is a GraphQL response counts as one whatever its HTTP status. A first signal ends the request in good
      order, a second one the program at once.

      """)

  /// The files of a person and of a project; the manual page has them, too.
  static let files: [(path: String, meaning: String)] = [
    (
      "~/.config/apus/config.yml", "settings, profiles (names for endpoints with their headers), rules of 'schema lint'"
    ),
    ("~/.config/apus/keys.yml", "keys: a key map and bindings"),
    ("~/.config/apus/.env", "variables for the profiles"),
    ("~/.config/apus/themes/", "base16 and base24 schemes of your own"),
    ("~/.local/share/apus/", "history, kept schemas, what was trusted"),
    ("~/.local/state/apus/", "workspaces"),
    ("~/.cache/apus/", "what can be made again"),
    (".graphqlrc.yml, graphql.config.yml, …", "a project's schema, documents and endpoints; looked for here and above"),
    ("apus-generate.yml", "what 'generate' writes"),
  ]

  private static let configuration = HelpTopic(
    name: "configuration", summary: "The files that are read",
    text: """
      \(table(files.map { ($0.path, $0.meaning) }))

      A profile in config.yml:

        profiles:
          birds:
            url: https://birds.example/graphql
            headers:
              Authorization: Bearer $BIRDS_TOKEN

      Then 'apus birds'. 'apus doctor' reads all files and tells what is wrong in them. What a project's own file sends
      is asked about first ('apus trust'). Docs/Reference/Configuration.md has every key.

      """)

  /// The manual page has them, too.
  static let variables: [(name: String, meaning: String)] = [
    ("APUS_CONFIG_HOME, APUS_DATA_HOME, APUS_STATE_HOME, APUS_CACHE_HOME", "the folders themselves, before all others"),
    ("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME", "the folders in which apus/ lies"),
    ("APUS_PAGER, PAGER", "what shows long help and pretty output on a terminal; empty or cat: nothing (default less)"),
    ("LESS", "options of less, where it is set in place of FRX"),
    ("NO_COLOR", "no colours"),
    ("FORCE_COLOR, CLICOLOR_FORCE", "colours into a pipe, too"),
    ("TERM, COLORTERM", "what the terminal can do"),
    ("VISUAL, EDITOR", "what a text is opened in"),
    ("http_proxy, https_proxy, all_proxy, no_proxy", "proxies, as libcurl reads them"),
  ]

  private static let environment = HelpTopic(
    name: "environment", summary: "The variables that are read",
    text: """
      \(variables.map { "\($0.name)\n    \($0.meaning)" }.joined(separator: "\n"))

      Others fill in $NAME where it is in config.yml, in --header, in --user, or in the headers of a tab, and so do those
      of --env-file FILE, which nothing else sees. Docs/Reference/Environment.md has all.

      """)

  private static var keys: HelpTopic {
    var text =
      """
      F1 shows these in the explorer, Ctrl-P every command. keys.yml gives others ('keymap: vim' to begin with), by the
      names in parentheses:

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
    return HelpTopic(name: "keys", summary: "The keys of the explorer", text: text)
  }

  private static let themes = HelpTopic(
    name: "themes", summary: "Colours, and where they come from",
    text: """
      'apus themes' lists what there is: two built in, those installed beside the program, and base16 and base24 files
      in ~/.config/apus/themes. F7 in the explorer tries them.

      --theme NAME, else 'theme:' of the profile, else 'theme:' in config.yml; without any, dark or light as the
      terminal's background is. 'contrast: high' is for weak eyes and bright rooms. NO_COLOR turns colours off; every
      state has a sign as well.

      """)

  /// Two columns.
  private static func table(_ rows: [(String, String)]) -> String {
    let width = rows.map { $0.0.count }.max() ?? 0
    return rows.map { "  \($0.0.padded(to: width))   \($0.1)" }.joined(separator: "\n")
  }
}
