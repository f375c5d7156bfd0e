import ApusAudit
import ApusClientAPI
import ApusClientFormats
import ApusClientSubscriptions

/// Every command and option there is: parser, help, manual and shell completions read this one table.
enum CommandTable {
  static let commands = describedByHelp + [help]

  private static let describedByHelp: [CommandDescription] = [
    explore, demo, serve, query, audit, replay, schema, schemaDiff, schemaLint, validate, coverage, bundle, format,
    complete,
    hover, lsp, cache, importing, generate, trust, themes, doctor, completions,
  ]

  static func command(_ name: String) -> CommandDescription? { commands.first { $0.name == name } }

  /// The command that some words begin with, two of them where a command has commands of its own, and the words behind it.
  static func command(in words: [String]) -> (command: CommandDescription, rest: [String])? {
    for count in [2, 1] where words.count >= count {
      let name = words.prefix(count).joined(separator: " ")
      if let command = command(name) { return (command, Array(words.dropFirst(count))) }
    }
    return nil
  }

  static let explore = CommandDescription(
    name: "explore",
    summary: "Open the explorer on an endpoint; so does a URL or a profile's name alone",
    operands: [.init(name: "URL|PROFILE", isRequired: false, names: .profiles)],
    options: connection + subscription + [
      OptionDescription("file", short: "f", .file("FILE"), "begin with this document"),
      OptionDescription(
        "schema", .file("SOURCE"), "take the schema from here: a URL, an SDL file or introspection JSON"),
      OptionDescription("fresh", .none, "begin with nothing, and leave the kept workspace as it is"),
      theme,
      OptionDescription("escape-delay", .text("MS"), "how long to wait after Esc for an Alt key (default 25)"),
      log,
      OptionDescription("db", .file("FILE"), "keep the cache in this file; without a URL, look into it (exports too)"),
      OptionDescription(
        "cache-control", .none, "with --db: keep each response only as long as its Cache-Control header says"),
      OptionDescription("writable", .none, "with --db and no URL: the file may be changed"),
    ],
    discussion: """
      Without a URL the profile named 'default' is opened, of config.yml or of the project's graphql-config file, or the
      cache that --db names; where there is none, what can be opened is listed. What a project's file sends is asked about first.
      """,
    example: "apus https://api.example.com/graphql --header \"Authorization: Bearer $TOKEN\"")

  private static let log = OptionDescription(
    "log", .file("FILE"), "note what happens here, for a bug report; no texts, values or secrets")

  static let demo = CommandDescription(
    name: "demo",
    summary: "Start the demo API on a free loopback port and open the explorer on it",
    options: [
      delayScale,
      theme,
      OptionDescription("escape-delay", .text("MS"), "how long to wait after Esc for an Alt key (default 25)"),
      log,
    ])

  static let serve = CommandDescription(
    name: "serve",
    summary: "Run the demo API alone, or a mock of a schema; prints its URL on standard output",
    options: [
      OptionDescription("port", .text("N"), "the port on 127.0.0.1 (default: a free one)"),
      delayScale,
      OptionDescription("early", .none, "begin deferred fields with the others, so that ready ones leave first"),
      OptionDescription(
        "break", .text("AUDIT"), repeatable: true,
        "break the rule of this audit, to see how 'apus audit' and clients take it"),
      OptionDescription("schema", .file("SOURCE"), "make an API up from this schema instead"),
      OptionDescription("seed", .text("N"), "with --schema: other data for another number (default 1)"),
      OptionDescription(
        "cors", .text("ORIGIN"), repeatable: true,
        "let web pages of this origin use the server, such as http://localhost:3000; * for every page"),
    ],
    example: "apus serve --port 4000 --delay-scale 2")

  static let query = CommandDescription(
    name: "query",
    summary: "Run one operation without a screen",
    operands: [.init(name: "URL|PROFILE", isRequired: true, names: .profiles)],
    options: [
      OptionDescription("query", short: "q", .text("TEXT"), "the document, as text"),
      OptionDescription(
        "file", short: "f", .file("FILE"), "the document, from a file; without it, from standard input"),
      OptionDescription("operation", .text("NAME"), "which operation of the document"),
      OptionDescription("variables", .text("JSON|@FILE"), "the variables, as JSON or from a file"),
      OptionDescription(
        "var", .text("NAME=VALUE"), repeatable: true,
        "one variable, read by its type: texts and enum values as they are"),
      OptionDescription("extensions", .text("JSON|@FILE"), "the request's extensions, as JSON or from a file"),
    ] + connection + subscription + [
      OptionDescription(
        "output", .choice(of: ResultFormat.self), "how to print the result (default json)"),
      OptionDescription(
        "incremental", .choice(of: IncrementalDelivery.self), "the incremental format to accept"),
      OptionDescription("max-results", .text("N"), "end after N results"),
      OptionDescription(
        "upload", .text("VARIABLE.PATH=FILE"), repeatable: true, "send this file as that variable (multipart request)"),
      OptionDescription(
        "schema", .file("SOURCE"), "validate with this schema first: a URL, an SDL file or introspection JSON"),
      OptionDescription("record", .file("FILE"), "record what arrives, and when; 'apus replay' shows it again"),
      OptionDescription("jq", .text("FILTER"), "print what this jq filter makes of each object"),
      OptionDescription("raw-output", short: "r", .none, "with --jq: print texts without their quotes"),
      OptionDescription("include", short: "i", .none, "print the response's status and headers first, secrets hidden"),
      OptionDescription(
        "verbose", short: "v", .none, "tell of the connection and the headers on standard error, secrets hidden"),
      OptionDescription("get", .none, "send a query by GET, its parameters in the URL"),
      OptionDescription(
        "persisted", .none, "send the document's hash first, the text where the server does not know it"),
      OptionDescription("retry", .text("N"), "try a query again N times at most when the network or the server fails"),
      OptionDescription("all-pages", .none, "load every page of the result's list: a connection, or one by offset"),
      OptionDescription("page-limit", .text("N"), "with --all-pages: end after N pages"),
      OptionDescription("db", .file("FILE"), "read from and write to the cache in this file"),
      OptionDescription(
        "cache-policy", .choice(of: CachePolicy.self),
        "where to look first (default cacheFirst; needs --db)"),
      OptionDescription("partial", .none, "with --db: print what the cache has even if it is not all"),
      OptionDescription(
        "cache-control", .none, "with --db: keep each response only as long as its Cache-Control header says"),
    ],
    discussion: """
      json prints one object when all has arrived; ndjson prints an object for every result as it arrives,
      with the state of each deferred fragment. Sends the one request and nothing else. With --all-pages
      ndjson prints an object for every page, and the others print all pages merged into one result.
      """,
    example: "apus query http://127.0.0.1:4000/graphql -q '{ __typename }'")

  static let audit = CommandDescription(
    name: "audit",
    summary: "Check a server's HTTP and incremental delivery against the specifications",
    operands: [.init(name: "URL|PROFILE", isRequired: true, names: .profiles)],
    options: [
      OptionDescription(
        "schema", .file("SOURCE"), "the schema, if introspection is closed: an SDL file or introspection JSON"),
      OptionDescription(
        "operation", .file("FILE"), repeatable: true,
        "operations that may be sent; mutations are sent only if one is named"),
      OptionDescription(
        "only", .choice(of: AuditGroup.self), repeatable: true, "run this group of audits only"),
      OptionDescription(
        "output", .choice(of: AuditFormat.self), "the form of the report (default text)"),
      OptionDescription("report", .file("FOLDER"), "write the report and a recording for each finding to this folder"),
      OptionDescription("rate", .text("N"), "send at most N requests a second (default 10, on this machine unlimited)"),
      OptionDescription("limit", .text("N"), "send at most N requests (default 500)"),
    ] + connection,
    discussion: """
      Introspects the server, derives operations from fields that need no values, and compares the responses with the
      specifications. Exits with 1 if a MUST fails. 'apus replay' opens the recordings in the report's folder.
      """,
    example: "apus audit http://127.0.0.1:4000/graphql")

  static let replay = CommandDescription(
    name: "replay",
    summary: "Show a recorded session again, with its timing",
    operands: [.init(name: "FILE", isRequired: true, isFile: true)],
    options: [
      OptionDescription(
        "output", .choice(of: ResultFormat.self), "how to print the results (default ndjson)"),
      OptionDescription("speed", .text("X"), "this many times faster; 0 waits for nothing (default 1)"),
      OptionDescription("explore", .none, "open the explorer on it: what was recorded is answered as it was"),
    ],
    discussion: "FILE is what 'apus query --record FILE' or the explorer wrote.",
    example: "apus replay session.ndjson --speed 2")

  static let schema = CommandDescription(
    name: "schema",
    summary: "Print a schema as SDL or as introspection JSON",
    operands: [
      .init(name: "SOURCE", isRequired: true, isFile: true, choices: ["diff", "lint"], names: .profiles),
      .init(name: "COORDINATE", isRequired: false),
    ],
    options: [
      OptionDescription("output", .choice(of: SchemaCommand.Form.self), "the form to print (default sdl)")
    ] + connection,
    discussion: """
      SOURCE is a URL, an SDL file (.graphql) or an introspection result (.json), also one in a revision of git
      (HEAD:schema.graphql). 'schema diff' compares two of them, 'schema lint' judges one.
      COORDINATE asks for one definition: Bird, Bird.name, 'Query.birds(first:)', @cost, '@cost(weight:)'.
      """,
    example: "apus schema https://api.example.com/graphql > schema.graphql")

  static let validate = CommandDescription(
    name: "validate",
    summary: "Judge documents by the rules of the specification",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [
      schemaOption,
      OptionDescription("lint", .none, "warn of what is valid and yet seldom meant"),
      OptionDescription("max-depth", .text("N"), "an operation may be so many fields deep"),
      OptionDescription("max-aliases", .text("N"), "an operation may have so many aliases"),
      OptionDescription("max-complexity", .text("N"), "an operation may cost so much, by @cost and @listSize"),
      OptionDescription("list-size", .text("N"), "what a list is taken to have where @listSize is silent (default 10)"),
      OptionDescription("output", .choice(of: FindingFormat.self), "the form of the findings (default text)"),
    ] + connection,
    discussion: """
      Files that define types are validated together as a separate schema, all other files against the schema, or
      without one by their syntax and the rules that need none. Fragments of one file can be used in the others, and
      names are unique over all files. - is standard input.
      Without --schema, a file is validated against the schema of its project, with the fragments of the project. A
      graphql-config file in its folder or above describes the project. A schema at a URL is requested only if
      'apus trust' allowed it. Without such a file, the definitions in the working folder are the schema. Without
      FILE, all documents of the project are validated.
      """,
    example: "apus validate --schema schema.graphql queries/*.graphql")

  static let schemaDiff = CommandDescription(
    name: "schema diff",
    summary: "Tell what differs between two schemas: breaking, dangerous and safe changes",
    operands: [
      .init(name: "OLD", isRequired: true, isFile: true, names: .profiles),
      .init(name: "NEW", isRequired: true, isFile: true, names: .profiles),
    ],
    options: [
      OptionDescription(
        "output", .choice(of: SchemaDiffCommand.Form.self), "how to print the changes (default text)"),
      OptionDescription(
        "fail-on", .choice(SchemaDiffCommand.limits.map(\.rawValue)),
        "end with 1 when there is such a change, or a worse one"),
      OptionDescription(
        "documents", .file("FILE|FOLDER|PATTERN"), repeatable: true,
        "only what their operations meet is breaking or dangerous"),
    ] + connection,
    discussion: """
      OLD and NEW are URLs, profiles, files (.graphql, .json), or files in a revision of git: HEAD:schema.graphql,
      main:./schema.graphql, and :schema.graphql as it is staged. Docs/SchemaTools.md has all kinds of changes.
      """,
    example: "apus schema diff main:schema.graphql schema.graphql --fail-on breaking --documents src")

  static let schemaLint = CommandDescription(
    name: "schema lint",
    summary: "Judge a schema by what is good practice",
    operands: [
      .init(name: "SOURCE", isRequired: true, isRepeatable: true, isFile: true, names: .profiles)
    ],
    options: [
      OptionDescription("fix", .none, "put right what certainly can be, in the files"),
      OptionDescription("config", .file("FILE"), "the rules, in place of those in config.yml (a file with 'lint:')"),
      OptionDescription("output", .choice(of: FindingFormat.self), "the form of the findings (default text)"),
    ] + connection,
    discussion: """
      SOURCE is what 'apus schema' takes, or the files, folders and patterns of definitions that make one schema.
      Ends with 1 when a rule whose severity is error finds something. Docs/SchemaTools.md has all rules with their
      options; most have the names that graphql-eslint gives them.
      """,
    example: "apus schema lint schema.graphql --config lint.yml --output github")

  static let coverage = CommandDescription(
    name: "coverage",
    summary: "Tell which fields and arguments of a schema which operations use",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [
      schemaOption,
      OptionDescription("output", .choice(of: CoverageCommand.Form.self), "how to print it (default text)"),
    ] + connection,
    discussion: """
      Tells what is used by which operations, what is deprecated and used, and what is not used. Who asks an interface
      for a field uses it of every type that implements it. Without --schema it is the one of the documents' project,
      without FILE its documents are looked at: a graphql-config file says which.
      """,
    example: "apus coverage --schema schema.graphql src")

  static let bundle = CommandDescription(
    name: "bundle",
    summary: "Print a manifest of persisted queries: every operation under the SHA-256 of its text",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [
      OptionDescription(
        "format", .choice(of: BundleCommand.Form.self),
        "Apollo's persisted query manifest, or Relay's text for each id (default apollo)"),
      OptionDescription("typename", .none, "ask for __typename in every selection set, as Apollo's clients do"),
    ],
    discussion: """
      Each operation stands with all its fragments, also those of other files, and with no white space that it can do
      without. Operations need names. Without FILE the project's documents are taken: a graphql-config file says which.
      """,
    example: "apus bundle src > manifest.json")

  static let format = CommandDescription(
    name: "format",
    summary: "Write documents in the canonical form, comments kept",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [OptionDescription("check", .none, "change nothing; print the files that would change and exit with 1")],
    discussion: """
      Files are rewritten in place; - formats standard input to standard output. Without FILE the documents that the
      project's graphql-config file names are formatted.
      """,
    example: "apus format --check src 'tests/**/*.graphql'")

  static let complete = CommandDescription(
    name: "complete",
    summary: "Print what may be written at a place of a file, best first, as JSON",
    operands: [.init(name: "FILE", isRequired: true, isFile: true)],
    options: languageOptions,
    discussion: projectSchema)

  static let hover = CommandDescription(
    name: "hover",
    summary: "Print what stands at a place of a file, as JSON",
    operands: [.init(name: "FILE", isRequired: true, isFile: true)],
    options: languageOptions,
    discussion: projectSchema)

  static let lsp = CommandDescription(
    name: "lsp",
    summary: "The language server: an editor starts it and talks to it on standard input and output",
    options: [
      OptionDescription(
        "schema", .file("SOURCE"), repeatable: true,
        "the schema of files of no project: a URL, an SDL file or introspection JSON; several are one schema"),
      OptionDescription("stdio", .none, "say what is so anyway: some editors add this word"),
    ] + connection,
    discussion: """
      Language Server Protocol 3.17. Projects come from graphql-config files, several in one server; without one, the
      documents of a folder belong together, and the definitions among them are the schema. A schema at a URL is asked
      for when 'apus trust' allowed it. Docs/Editors.md has the lines for each editor.
      """,
    example: "apus lsp --schema https://api.example.com/graphql")

  private static let projectSchema =
    "Without --schema it is the one of the file's project: a graphql-config file in its folder or above says which."

  static let generate = CommandDescription(
    name: "generate",
    summary: "Write Swift models and type-safe selections",
    operands: [.init(name: "ENDPOINT", isRequired: false)],
    options: [
      OptionDescription(
        "config", .file("FILE"), "what to generate (default apus-generate.yml, else a graphql-config file)"),
      OptionDescription(
        "output", .file("FOLDER"), "where to, whatever the configuration says: it may only name folders of its project"),
    ] + connection,
    discussion: """
      With an endpoint its schema is asked for. What apus-generate.yml does not say of the schema and the documents, a
      graphql-config file in its folder or above does. Files that did not change are not written.
      """,
    example: "apus generate --config apus-generate.yml")

  static let cache = CommandDescription(
    name: "cache",
    summary: "Look into the file of a cache, and change it",
    operands: [
      .init(
        name: "ACTION", isRequired: true,
        choices: CacheCommand.Action.allCases.map(\.rawValue)),
      .init(name: "KEY", isRequired: false, isRepeatable: true),
    ],
    options: [
      OptionDescription("db", .file("FILE"), "the cache's file"),
      OptionDescription("output", .choice(of: CacheCommand.Form.self), "how to print (default text)"),
    ],
    discussion: """
      keys           every record's key
      show KEY       a record's fields
      refs KEY       the fields that refer to a record
      evict KEY...   remove records; * and ? stand for any characters and for one
      gc             remove what the roots do not lead to, and tell which references lead nowhere
      stats          how many records there are, of which types, and how large they are
      export         the whole cache as JSON
      import [FILE]  add the records of an export
      Works while other programs have the file open; they notice the change.
      """,
    example: "apus cache evict 'Bird:*' --db birds.sqlite")

  static let importing = CommandDescription(
    name: "import",
    summary: "Take requests over from other programs, as documents in a folder",
    operands: [.init(name: "FILE|FOLDER", isRequired: true, isRepeatable: true, isFile: true)],
    options: [OptionDescription("to", .file("FOLDER"), "where to: nothing that is there is overwritten")],
    discussion: """
      FILE holds curl commands, HTTP requests (.http, http-client.env.json), a Postman collection or environment (2.1), an
      Insomnia export (4, JSON), files of Altair's (.agc, .agq, .agx) or a browser's HTTP archive (.har); FOLDER is a
      collection of Bruno's. Several are taken as one: a collection and its environments.
      Each request becomes a document with its variables beside it, and .graphqlrc.yml gets an endpoint for each
      environment. Secrets are not written: they are taken from the environment, by names that are told. So is what
      is not understood, on standard error.
      """,
    example: "apus import birds.postman_collection.json local.postman_environment.json --to birds")

  static let trust = CommandDescription(
    name: "trust",
    summary: "Allow a project's file to send headers and values of the environment",
    operands: [.init(name: "FILE", isRequired: false, isFile: true)],
    options: [
      OptionDescription("show", .none, "show what it sends where, and change nothing"),
      OptionDescription("remove", .none, "trust it no longer"),
      OptionDescription("yes", .none, "agree without a question; needed where there is no terminal"),
    ],
    discussion: """
      FILE is a graphql-config file (default: the nearest one here or above) or apus-generate.yml. Shows every request
      that it causes, with its headers and the variables whose values it takes, and asks on a terminal: only a typed
      y is a yes. Trust goes by path, content and the requests that were shown: when one changes, you are asked again.
      A command ($(…)) in such a file is never run.
      """,
    example: "apus trust .graphqlrc.yml")

  static let themes = CommandDescription(name: "themes", summary: "List the colour themes there are")

  static let doctor = CommandDescription(
    name: "doctor",
    summary: "Say what the terminal, the libraries and the configuration offer, and what is wrong",
    discussion: "Ends with 1 when something is wrong.")

  static let completions = CommandDescription(
    name: "completions",
    summary: "Print the completion script of a shell: bash, zsh or fish",
    operands: [.init(name: "SHELL", isRequired: true, choices: ShellCompletions.shells)],
    discussion: "The scripts ask for names that may change: 'apus completions themes' and 'apus completions profiles'.")

  /// The commands of one word.
  private static let helpCommands = describedByHelp.map(\.name).filter { !$0.contains(" ") }

  static let help = CommandDescription(
    name: "help",
    summary: "Tell about apus, one command, or a topic: 'help topics' lists those",
    operands: [
      .init(
        name: "COMMAND|TOPIC", isRequired: false,
        choices: helpCommands + HelpTopic.names.filter { !helpCommands.contains($0) } + ["topics"]),
      .init(name: "diff|lint", isRequired: false),
    ],
    options: [OptionDescription("manual", .none, "print the manual page (troff)")])

  private static let theme = OptionDescription(
    "theme", .nameOrFile("NAME", .themes), "colours: a name that 'apus themes' lists, or a scheme file")

  private static let delayScale = OptionDescription(
    "delay-scale", .text("X"), "stretch the delays of the slow fields; 0 makes all of them fast (default 1)")

  private static let schemaOption = OptionDescription(
    "schema", .file("SOURCE"), repeatable: true,
    "the schema: a URL, SDL files or introspection JSON, also in a git revision; several make one")

  private static let languageOptions: [OptionDescription] =
    [
      OptionDescription("at", .text("LINE:COLUMN"), "the place; both count from 1, columns in UTF-16 units"),
      schemaOption,
      OptionDescription("output", .choice(of: LanguageCommand.Form.self), "the form to print (default json)"),
    ] + connection

  /// What says how subscriptions to an endpoint travel.
  private static let subscription: [OptionDescription] = [
    OptionDescription(
      "subscription-transport", .choice(of: SubscriptionOptions.Transport.self),
      "how a subscription travels (default auto: a WebSocket, or HTTP where there is none)"),
    OptionDescription(
      "max-reconnects", .text("N"), "reconnect a lost subscription at most N times within two minutes (8)"),
    OptionDescription(
      "connection-payload", .text("JSON|@FILE"), "what a WebSocket connection begins with; a file is read each time"),
  ]

  /// What says how to reach an endpoint; wherever a URL stands, these are taken.
  private static let connection: [OptionDescription] = [
    OptionDescription(
      "header", short: "H", .text("'K: V'|@FILE"), repeatable: true,
      "send this header, or those in a file, one a line"),
    OptionDescription(
      "user", short: "u", .text("NAME:PASSWORD"), "basic authentication; $NAME in it is taken from the environment"),
    OptionDescription("netrc", .none, "take user and password for the host from ~/.netrc"),
    OptionDescription("netrc-file", .file("FILE"), "the same from this file"),
    OptionDescription(
      "cookie-jar", .file("FILE"), "send the cookies in this file, and keep there what the server sets"),
    OptionDescription("env-file", .file("FILE"), "fill in $NAME from this file where the environment lacks it"),
    OptionDescription("timeout", .text("S"), "give up after this many seconds; a subscription: unless it has begun"),
    OptionDescription(
      "connect-timeout", .text("S"), "give up when there is no connection after S seconds (default 30)"),
    OptionDescription("unix-socket", .file("FILE"), "connect to this socket in place of the URL's host"),
    OptionDescription("insecure", .none, "accept any certificate"),
    OptionDescription("cacert", .file("FILE"), "trust the authorities in this PEM file"),
    OptionDescription("cert", .file("FILE"), "present this client certificate (PEM)"),
    OptionDescription("key", .file("FILE"), "the client certificate's key (PEM)"),
    OptionDescription("proxy", .text("URL"), "go through this proxy"),
    OptionDescription("http3", .none, "speak HTTP/3 where the server does; needs a libcurl that can"),
    OptionDescription(
      "redirect-anywhere", .none, "let a redirect take a mutation to another server, or what is sent to plain http"),
    OptionDescription(
      "max-megabytes", .text("N"), "refuse a larger response (default 256 on a terminal, else 1024)"),
  ]
}
