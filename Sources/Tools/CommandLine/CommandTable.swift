import ApusAudit
import ApusClientAPI
import ApusClientFormats
import ApusClientImports
import ApusClientSubscriptions
import ApusGraphQLMediaTypes

/// All commands with their options and actions. The program, the parser, help, manual page and shell completions read
/// this table.
enum CommandTable {
  static let commands = describedByHelp + [help]

  private static let describedByHelp: [CommandDescription] = [
    explore, demo, serve, query, audit, tap, replay, schema, schemaDiff, schemaLint, validate, coverage, bundle, format,
    complete,
    hover, lsp, cache, importing, generate, login, logout, trust, themes, doctor, completions,
  ]

  static func command(_ name: String) -> CommandDescription? { commands.first { $0.name == name } }

  /// Finds the command at the start of a command line, which may have two words (`schema diff`), and the remaining words.
  static func command(in words: [String]) -> (command: CommandDescription, rest: [String])? {
    for count in [2, 1] where words.count >= count {
      let name = words.prefix(count).joined(separator: " ")
      if let command = command(name) { return (command, Array(words.dropFirst(count))) }
    }
    return nil
  }

  static let explore = CommandDescription(
    name: "explore",
    summary: "Open the explorer; a URL or the name of a profile alone does the same",
    operands: [.init(name: "URL|PROFILE", isRequired: false, names: .profiles)],
    options: connection + subscription + [
      OptionDescription("file", short: "f", .file("FILE"), "open this document"),
      OptionDescription(
        "schema", .file("SOURCE"), "use this schema: a URL, an SDL file or introspection JSON"),
      OptionDescription("fresh", .none, "start with an empty session and leave the saved one unchanged"),
      theme,
      OptionDescription(
        "escape-delay", .text("MS"), "time in ms to wait after Esc for the rest of an Alt key (default 25)"),
      log,
      OptionDescription(
        "db", .file("FILE"), "cache file of the first endpoint; without a URL, inspect it (or an export of a cache)"),
      OptionDescription(
        "cache-control", .none, "with --db: expire responses by their Cache-Control header"),
      OptionDescription("writable", .none, "with --db and no URL: allow changes to the file"),
    ],
    discussion: """
      Without a URL, Apus opens the profile named 'default' in config.yml or in the project's graphql-config file, or the
      cache file of --db. If there is none, it lists the endpoints that you can open. Before it uses headers from a
      project's own file, it asks you.
      """,
    examples: [
      "apus https://api.example.com/graphql --header 'Authorization: Bearer $TOKEN'",
      "apus birds --file migration.graphql",
    ],
    run: .synchronous(ExploreCommand.open))

  private static let log = OptionDescription(
    "log", .file("FILE"), "log events to this file for a bug report, without documents, values or secrets")

  static let demo = CommandDescription(
    name: "demo",
    summary: "Start the demo API on a free loopback port and open the explorer on it",
    options: [
      delayScale,
      theme,
      OptionDescription(
        "escape-delay", .text("MS"), "time in ms to wait after Esc for the rest of an Alt key (default 25)"),
      log,
    ],
    examples: ["apus demo", "apus demo --delay-scale 3"],
    run: .synchronous(ExploreCommand.demo))

  static let serve = CommandDescription(
    name: "serve",
    summary: "Serve the demo API, a mock of a schema or recordings, and print the URL",
    options: [
      OptionDescription("port", .text("N"), "port on 127.0.0.1 (default: a free port)"),
      delayScale,
      OptionDescription(
        "early-execution", .none,
        "start deferred fields together with the others, so that fast ones arrive first"),
      OptionDescription(
        "break", .text("AUDIT"), repeatable: true,
        "break the rule of this audit, to test 'apus audit' and clients"),
      OptionDescription("schema", .file("SOURCE"), "mock this schema instead of serving the demo API"),
      OptionDescription("seed", .text("N"), "with --schema: seed for the mock data (default 1)"),
      OptionDescription(
        "rules", .file("FILE"),
        "with --schema: values, errors, delays and nulls of fields (YAML); read again when it changes"),
      OptionDescription(
        "recordings", .file("FOLDER"), "answer with recorded responses (of 'apus tap --record'), at their times"),
      OptionDescription(
        "cors", .text("ORIGIN"), repeatable: true,
        "allow web pages of this origin, such as http://localhost:3000; * allows all"),
    ],
    examples: [
      "apus serve --port 4000 --delay-scale 2", "apus serve --schema schema.graphql --seed 7",
      "apus serve --schema schema.graphql --rules rules.yml", "apus serve --recordings session",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try await ServeCommand(arguments).run() })

  static let query = CommandDescription(
    name: "query",
    summary: "Run one operation and print the result",
    operands: [.init(name: "URL|PROFILE", isRequired: true, names: .profiles)],
    options: [
      OptionDescription("query", short: "q", .text("TEXT"), "the document as a string"),
      OptionDescription(
        "file", short: "f", .file("FILE"), "the document in a file (default: standard input)"),
      OptionDescription("operation", .text("NAME"), "name of the operation to run"),
      OptionDescription("variables", .text("JSON|@FILE"), "variables as JSON or in a file"),
      OptionDescription(
        "var", .text("NAME=VALUE"), repeatable: true,
        "one variable; its type decides whether VALUE is JSON, a string or an enum value"),
      OptionDescription("extensions", .text("JSON|@FILE"), "request extensions as JSON or in a file"),
      OptionDescription(
        "on-error", .choice(of: ErrorBehavior.self),
        "effect of a field error on the result, if the server supports onError"),
    ] + connection + subscription + [
      OptionDescription(
        "output", .choice(of: ResultFormat.self), "output format (default json)"),
      OptionDescription(
        "incremental", .choice(of: IncrementalDelivery.self), "the incremental format to accept"),
      OptionDescription("max-results", .text("N"), "stop after N results"),
      OptionDescription(
        "upload", .text("VARIABLE.PATH=FILE"), repeatable: true, "upload this file as a variable (multipart request)"),
      OptionDescription(
        "schema", .file("SOURCE"), "validate with this schema first: a URL, an SDL file or introspection JSON"),
      OptionDescription("record", .file("FILE"), "record the response with its timing, for 'apus replay'"),
      OptionDescription("jq", .text("FILTER"), "print the output of this jq filter for each object"),
      OptionDescription("raw-output", short: "r", .none, "with --jq: print strings without quotes"),
      OptionDescription(
        "include", short: "i", .none, "print the status and headers of the response first, with secrets hidden"),
      OptionDescription(
        "verbose", short: "v", .none, "print the connection and all headers to standard error, with secrets hidden"),
      OptionDescription("get", .none, "send a query, or a subscription over HTTP, as a GET request"),
      OptionDescription(
        "persisted", .none, "send the hash of the document first, and the document only if the server asks for it"),
      OptionDescription("retry", .text("N"), "retry a query at most N times after network and server failures"),
      OptionDescription(
        "all-pages", .none, "load all pages of the list in the result (a connection, or offset and limit)"),
      OptionDescription("page-limit", .text("N"), "with --all-pages: stop after N pages"),
      OptionDescription("db", .file("FILE"), "cache file to read and write"),
      OptionDescription(
        "cache-policy", .choice(of: CachePolicy.self),
        "with --db: cache policy (default cacheFirst)"),
      OptionDescription("partial", .none, "with --db: print cached data even if some of it is missing"),
      OptionDescription(
        "cache-control", .none, "with --db: expire responses by their Cache-Control header"),
    ],
    discussion: """
      Sends one request and nothing else. json prints one object when the response is complete; ndjson prints one object
      per payload, with the state of each deferred fragment. With --all-pages, ndjson prints one object per page, and the
      other formats print all pages merged into one result.
      """,
    examples: [
      "apus query http://127.0.0.1:4000/graphql -q '{ __typename }'",
      "apus query birds -f birds.graphql --var first=20 --output csv",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try await QueryCommand(arguments).run() })

  static let audit = CommandDescription(
    name: "audit",
    summary: "Check a server against the GraphQL specifications",
    operands: [.init(name: "URL|PROFILE", isRequired: true, names: .profiles)],
    options: [
      OptionDescription(
        "schema", .file("SOURCE"), "the schema if introspection is disabled: an SDL file or introspection JSON"),
      OptionDescription(
        "operation", .file("FILE"), repeatable: true,
        "also send the operations in this file; no other mutations are sent"),
      OptionDescription(
        "only", .choice(of: AuditGroup.self), repeatable: true, "run only this group of audits"),
      OptionDescription(
        "output", .choice(of: AuditFormat.self), "report format (default text)"),
      OptionDescription("report", .file("FOLDER"), "write the report and a recording for each finding to this folder"),
      OptionDescription(
        "rate", .text("N"), "maximum requests per second (default 10; 0 and loopback servers: no limit)"),
      OptionDescription("limit", .text("N"), "maximum number of requests (default 500)"),
      subscriptionURL, connectionPayload,
    ] + connection,
    discussion: """
      Introspects the server, derives operations from fields without required arguments, and checks HTTP, incremental
      delivery, subscriptions, uploads, persisted queries and paging. Exits with 1 if a MUST fails. 'apus replay' opens
      the recordings in the report folder.
      """,
    examples: [
      "apus audit http://127.0.0.1:4000/graphql",
      "apus audit staging --only incremental --report audit",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try await AuditCommand(arguments).run() })

  static let tap = CommandDescription(
    name: "tap",
    summary: "Forward an application's requests to its server, and show the responses",
    operands: [.init(name: "URL|PROFILE", isRequired: true, names: .profiles)],
    options: [
      OptionDescription("port", .text("N"), "port on 127.0.0.1 (default: a free port)"),
      OptionDescription(
        "origin", .text("ORIGIN"), repeatable: true,
        "forward requests of web pages of this origin, too, such as https://app.example.com"),
      OptionDescription(
        "output", .choice(of: TapCommand.Form.self),
        "print lines in place of the explorer (default ndjson if the output is not a terminal)"),
      OptionDescription(
        "record", .file("FOLDER"), "record each operation to this folder, for 'apus replay' and 'apus serve'"),
      OptionDescription(
        "schema", .file("SOURCE"), "types and keys for the cache: a URL, an SDL file or introspection JSON"),
      OptionDescription(
        "key", .text("TYPE=FIELD"), repeatable: true,
        "key field of a type in the cache (default id); separate several fields by commas"),
      OptionDescription("db", .file("FILE"), "keep the cache in this file, with the data of the server"),
      OptionDescription(
        "documents", .file("FILE|FOLDER"), repeatable: true,
        "the text of persisted queries: a manifest (Apollo, Relay, 'apus bundle') or a folder of documents"),
      OptionDescription(
        "delay", .text("[WHAT:]TIME"), repeatable: true,
        "deliver payloads later: all (2s), of a fragment (label=reviews:2s) or with a field (field=Product.price:500ms)"
      ),
      OptionDescription("fail", .text("label=NAME"), repeatable: true, "replace a deferred fragment by an error"),
      OptionDescription("drop", .text("label=NAME"), repeatable: true, "never deliver a deferred fragment"),
      OptionDescription("cut-after", .text("N"), "break the connection after N payloads of a response"),
      OptionDescription("status", .text("CODE"), "answer with this status in place of the server"),
      OptionDescription("hold", .none, "deliver each payload when it is released: by a line on standard input"),
      OptionDescription("for", .text("OPERATION"), repeatable: true, "change only the responses of this operation"),
    ] + connection.filter { tapConnection.contains($0.name) },
    discussion: """
      Prints the URL for the application on a line of standard error. Requests to it are forwarded to the origin of URL, and
      responses are returned as their bytes arrive, unchanged. Only this machine can connect. Pages of other machines can use it only
      if --origin names them.
      Operations are recognized in all requests, and their responses are merged and cached as a client would. On a terminal, the explorer
      lists them and opens each in a tab; ndjson prints one object for each operation, payload and end, table one line.
      --delay, --fail, --drop, --cut-after, --status and --hold change responses and mark them as changed; otherwise every byte is the
      server's. In the explorer, a key changes these rules, and others release payloads that --hold holds. Without the explorer, an
      empty line on standard input releases the next payload of each operation, a number that of one operation, and 'all' or the end
      of input everything. Nothing is stored without --record and --db, and recordings have no secrets. Docs/Reference/Output.md
      describes the lines, and Docs/HowTo/Tap.md how applications use the URL.
      """,
    examples: [
      "apus tap https://api.example.com/graphql --port 4001", "apus tap staging --delay label=reviews:2s --for Product",
      "apus tap http://127.0.0.1:4000/graphql --output ndjson | jq 'select(.event == \"end\")'",
    ],
    run: .synchronous { (arguments) throws(CommandError) in
      if TapCommand.opensExplorer(arguments) { return try ExploreCommand.tap(arguments) }
      return try AsyncRunner.toEnd { () throws(CommandError) in try await TapCommand(arguments).run() }
    })

  /// The options of connections that do not add anything to a request.
  private static let tapConnection: Set<String> = [
    "env-file", "connect-timeout", "unix-socket", "insecure", "cacert", "cert", "proxy", "proxy-cacert",
    "proxy-insecure",
  ]

  static let replay = CommandDescription(
    name: "replay",
    summary: "Print a recorded response again, with its timing",
    operands: [.init(name: "FILE", isRequired: true, isFile: true)],
    options: [
      OptionDescription(
        "output", .choice(of: ResultFormat.self), "output format (default ndjson)"),
      OptionDescription("speed", .text("X"), "play X times as fast; 0 prints everything immediately (default 1)"),
      OptionDescription("explore", .none, "open the explorer with the recording as the server"),
    ],
    discussion: "FILE is a recording by 'apus query --record FILE' or the explorer.",
    examples: ["apus replay session.ndjson --speed 2", "apus replay session.ndjson --explore"],
    run: .synchronous { (arguments) throws(CommandError) in
      if arguments.has("explore") { return try ExploreCommand.replay(arguments) }
      return try AsyncRunner.toEnd { () throws(CommandError) in try await ReplayCommand(arguments).run() }
    })

  static let schema = CommandDescription(
    name: "schema",
    summary: "Print a schema as SDL or as introspection JSON",
    operands: [
      .init(name: "SOURCE", isRequired: true, isFile: true, choices: ["diff", "lint"], names: .profiles),
      .init(name: "COORDINATE", isRequired: false),
    ],
    options: [
      OptionDescription("output", .choice(of: SchemaCommand.Form.self), "output format (default sdl)")
    ] + connection,
    discussion: """
      SOURCE is a URL, an SDL file (.graphql) or an introspection result (.json), also in a git revision
      (HEAD:schema.graphql). COORDINATE prints a single definition: Bird, Bird.name, 'Query.birds(first:)', @cost or
      '@cost(weight:)'. See also 'apus help schema diff' and 'apus help schema lint'.
      """,
    examples: [
      "apus schema https://api.example.com/graphql > schema.graphql",
      "apus schema schema.graphql Bird.name",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try await SchemaCommand(arguments: arguments).run() })

  static let validate = CommandDescription(
    name: "validate",
    summary: "Validate GraphQL documents",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [
      schemaOption,
      OptionDescription("lint", .none, "also warn about valid but suspicious documents"),
      OptionDescription(
        "fail-on", .choice(of: ValidateCommand.FailureLimit.self),
        "exit with 1 at this severity or worse (default error)"),
      OptionDescription("max-depth", .text("N"), "maximum depth of an operation, in fields"),
      OptionDescription("max-aliases", .text("N"), "maximum number of aliases in an operation"),
      OptionDescription("max-complexity", .text("N"), "maximum cost of an operation, by @cost and @listSize"),
      OptionDescription("list-size", .text("N"), "assumed list length without @listSize (default 10)"),
      OptionDescription("output", .choice(of: DiagnosticFormat.self), "output format (default text)"),
    ] + connection,
    discussion: """
      Validates executable documents against the schema. Files with type definitions that no project names are one schema
      together, or separate schemas if they define a type twice.
      Documents can use fragments of other files. '-' reads standard input.
      Without --schema, the nearest graphql-config file above each document names its schema; a schema at a URL is
      requested only if 'apus trust' allowed it. If there is no such file, the definitions in the current directory are
      the schema. Without FILE, Apus validates the schema files and all documents of the project. A folder means all files
      in it that can contain GraphQL, except those that git ignores; if one cannot be read, the command fails.
      """,
    examples: [
      "apus validate --schema schema.graphql queries/*.graphql",
      "apus validate --lint --output github",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try await ValidateCommand(arguments: arguments).run() })

  static let schemaDiff = CommandDescription(
    name: "schema diff",
    summary: "List breaking, dangerous and safe changes between two schemas",
    operands: [
      .init(name: "OLD", isRequired: true, isFile: true, names: .profiles),
      .init(name: "NEW", isRequired: true, isFile: true, names: .profiles),
    ],
    options: [
      OptionDescription(
        "output", .choice(of: SchemaDiffCommand.Form.self), "output format (default text)"),
      OptionDescription(
        "fail-on", .choice(SchemaDiffCommand.limits.map(\.rawValue)),
        "exit with 1 if a change has this criticality or a worse one"),
      OptionDescription(
        "documents", .file("FILE|FOLDER|PATTERN"), repeatable: true,
        "count only changes that affect these operations"),
    ] + connection,
    discussion: """
      OLD and NEW are URLs, profiles, files (.graphql, .json) or files in a git revision: HEAD:schema.graphql,
      main:./schema.graphql, or :schema.graphql for the staged file. Docs/SchemaTools.md lists all kinds of changes.
      """,
    examples: [
      "apus schema diff main:schema.graphql schema.graphql --fail-on breaking --documents src",
      "apus schema diff schema.graphql https://api.example.com/graphql --output markdown",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try await SchemaDiffCommand(arguments: arguments).run() })

  static let schemaLint = CommandDescription(
    name: "schema lint",
    summary: "Lint a schema",
    operands: [
      .init(name: "SOURCE", isRequired: false, isRepeatable: true, isFile: true, names: .profiles)
    ],
    options: [
      OptionDescription("fix", .none, "fix the files where the fix is certain"),
      OptionDescription("config", .file("FILE"), "use the rules in this file ('lint:') instead of those in config.yml"),
      OptionDescription("output", .choice(of: DiagnosticFormat.self), "output format (default text)"),
    ] + connection,
    discussion: """
      SOURCE is a schema as for 'apus schema', or files, folders and patterns that form one schema together. Exits with 1
      if a rule of severity 'error' fails. Docs/SchemaTools.md lists the rules and their options; most have the names of
      graphql-eslint.
      """,
    examples: [
      "apus schema lint schema.graphql --config lint.yml --output github",
      "apus schema lint --fix 'schema/**/*.graphql'",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try await SchemaLintCommand(arguments: arguments).run() })

  static let coverage = CommandDescription(
    name: "coverage",
    summary: "Show which schema fields and arguments your operations use",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [
      schemaOption,
      OptionDescription("output", .choice(of: CoverageCommand.Form.self), "output format (default text)"),
    ] + connection,
    discussion: """
      Lists the used fields with their operations, the used fields that are deprecated, and the unused fields. A field of
      an interface counts as used in every type that implements it. Without --schema and FILE, the project's
      graphql-config file names the schema and the documents.
      """,
    examples: ["apus coverage --schema schema.graphql src", "apus coverage --output json"],
    run: .cancelable { (arguments) throws(CommandError) in try await CoverageCommand(arguments: arguments).run() })

  static let bundle = CommandDescription(
    name: "bundle",
    summary: "Print a manifest of persisted queries",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [
      OptionDescription(
        "format", .choice(of: BundleCommand.Form.self),
        "Apollo's persisted query manifest or Relay's map of documents (default apollo)"),
      OptionDescription("typename", .none, "add __typename to every selection set, as Apollo's clients do"),
    ],
    discussion: """
      Each operation is stored under its SHA-256, with its fragments, also those of other files, and without unnecessary
      white space. Operations need names. Without FILE, the project's graphql-config file names the documents.
      """,
    examples: ["apus bundle src > manifest.json", "apus bundle --format relay src > queries.json"],
    run: .cancelable { (arguments) throws(CommandError) in try BundleCommand(arguments: arguments).run() })

  static let format = CommandDescription(
    name: "format",
    summary: "Format GraphQL documents",
    operands: [.init(name: "FILE|FOLDER|PATTERN", isRequired: false, isRepeatable: true, isFile: true)],
    options: [
      OptionDescription("check", .none, "print the files that would change, change none of them, and exit with 1"),
      OptionDescription("width", .text("N"), "maximum line width, at which lines break as with prettier's printWidth"),
    ],
    discussion: """
      Rewrites files in place and keeps comments; '-' formats standard input to standard output. Without FILE, the
      project's graphql-config file names the documents. It can also set the width, as extensions.apus.format.width.
      """,
    examples: ["apus format", "apus format --check src 'tests/**/*.graphql'"],
    run: .cancelable { (arguments) throws(CommandError) in try FormatCommand(arguments: arguments).run() })

  static let complete = CommandDescription(
    name: "complete",
    summary: "Print completions at a position in a document, best first",
    operands: [.init(name: "FILE", isRequired: true, isFile: true)],
    options: languageOptions,
    discussion: projectSchema,
    examples: ["apus complete birds.graphql --at 3:7", "apus complete birds.graphql --at 3:7 --schema schema.graphql"],
    run: .cancelable { (arguments) throws(CommandError) in try await LanguageCommand(arguments: arguments).run() })

  static let hover = CommandDescription(
    name: "hover",
    summary: "Print hover information for a position in a document",
    operands: [.init(name: "FILE", isRequired: true, isFile: true)],
    options: languageOptions,
    discussion: projectSchema,
    examples: ["apus hover birds.graphql --at 3:7", "apus hover birds.graphql --at 3:7 --schema schema.graphql"],
    run: .cancelable { (arguments) throws(CommandError) in try await LanguageCommand(arguments: arguments).run() })

  static let lsp = CommandDescription(
    name: "lsp",
    summary: "Run the language server for an editor",
    options: [
      OptionDescription(
        "schema", .file("SOURCE"), repeatable: true,
        "schema for files outside any project: a URL, SDL files or introspection JSON"),
      OptionDescription("stdio", .none, "accepted for compatibility; stdio is always used"),
    ] + connection,
    discussion: """
      Speaks the Language Server Protocol 3.17 on standard input and output. Graphql-config files define projects; outside
      of them, the documents of a workspace folder form one project, with the type definitions in it as its schema. A
      schema at a URL is requested only if 'apus trust' allowed it. Docs/Editors.md shows the setup for each editor.
      """,
    examples: ["apus lsp", "apus lsp --schema https://api.example.com/graphql"],
    run: .cancelable { (arguments) throws(CommandError) in try await LanguageServerCommand(arguments: arguments).run() }
  )

  private static let projectSchema =
    "Without --schema, the nearest graphql-config file above FILE names the schema."

  static let generate = CommandDescription(
    name: "generate",
    summary: "Generate Swift models and type-safe selections",
    operands: [.init(name: "ENDPOINT", isRequired: false)],
    options: [
      OptionDescription(
        "config", .file("FILE"), "configuration file (default: apus-generate.yml, or a graphql-config file)"),
      OptionDescription(
        "output", .file("FOLDER"), "output folder, instead of the one in the configuration"),
    ] + connection,
    discussion: """
      ENDPOINT is used for the schema. If apus-generate.yml does not name the schema or the documents, the nearest
      graphql-config file above it does. Only changed files are written. The configuration can only name output folders in
      its project.
      """,
    examples: ["apus generate", "apus generate --config apus-generate.yml --output Sources/API"],
    run: .cancelable { (arguments) throws(CommandError) in try await GenerateCommand(arguments: arguments).run() })

  static let cache = CommandDescription(
    name: "cache",
    summary: "Inspect and edit a cache file",
    operands: [
      .init(
        name: "ACTION", isRequired: true,
        choices: CacheCommand.Action.allCases.map(\.rawValue)),
      .init(name: "KEY", isRequired: false, isRepeatable: true),
    ],
    options: [
      OptionDescription("db", .file("FILE"), "cache file"),
      OptionDescription("output", .choice(of: CacheCommand.Form.self), "output format (default text)"),
    ],
    discussion: """
        keys           list the keys of all records
        show KEY       print the fields of a record
        refs KEY       list the fields that refer to a record
        evict KEY...   remove records; * matches any characters, ? one character
        gc             remove unreachable records, and list dangling references
        stats          print the number of records, by type, and their size
        export         print the whole cache as JSON
        import [FILE]  add the records of an export

      Other programs can have the file open; they are notified of changes.
      """,
    examples: ["apus cache show Bird:1 --db birds.sqlite", "apus cache evict 'Bird:*' --db birds.sqlite"],
    run: .cancelable { (arguments) throws(CommandError) in try await CacheCommand(arguments).run() })

  static let importing = CommandDescription(
    name: "import",
    summary: "Import requests of other programs (\(ImportFormat.names))",
    operands: [.init(name: "FILE|FOLDER", isRequired: true, isRepeatable: true, isFile: true)],
    options: [OptionDescription("to", .file("FOLDER"), "output folder; existing files are never overwritten")],
    discussion: """
      FILE is one of the following. FOLDER has such files.
      \(ImportFormat.helpLines.map { "  \($0)" }.joined(separator: "\n"))
      Give a collection and its environments together. Apus writes a document and a variables file per request, and one
      endpoint per environment to .graphqlrc.yml. It never writes secrets: it prints the names of the environment
      variables to set. It lists skipped items, such as requests that are not GraphQL, and then exits with 1.
      """,
    examples: [
      "apus import birds.postman_collection.json local.postman_environment.json --to birds",
      "apus import requests.http --to birds",
    ],
    run: .cancelable { (arguments) throws(CommandError) in try ImportCommand(arguments: arguments).run() })

  static let login = CommandDescription(
    name: "login",
    summary: "Sign in to a profile",
    operands: [.init(name: "PROFILE", isRequired: true, names: .profiles)],
    options: [
      OptionDescription("no-browser", .none, "print the page to open instead of starting a browser"),
      OptionDescription("env-file", .file("FILE"), "resolve $NAME in configuration from this file"),
    ],
    discussion: """
      The profile's 'auth' in config.yml says how: with a code that you enter on any device (device-code), or in the browser
      of this machine (authorization-code). The tokens are kept in the keyring of your session, or where 'tokens' says, and
      never in a file of Apus. They are renewed automatically. See 'apus help sign-in'.
      """,
    examples: ["apus login birds", "apus login birds --no-browser"],
    run: .cancelable { (arguments) throws(CommandError) in try await LoginCommand(arguments).signIn() })

  static let logout = CommandDescription(
    name: "logout",
    summary: "Sign out of a profile",
    operands: [.init(name: "PROFILE", isRequired: true, names: .profiles)],
    options: [OptionDescription("env-file", .file("FILE"), "resolve $NAME in configuration from this file")],
    discussion: "Removes the profile's tokens from the keyring, and revokes them if the server has an endpoint for it.",
    examples: ["apus logout birds"],
    run: .cancelable { (arguments) throws(CommandError) in try await LoginCommand(arguments).signOut() })

  static let trust = CommandDescription(
    name: "trust",
    summary: "Allow a project's file to send headers and environment variables",
    operands: [.init(name: "FILE", isRequired: false, isFile: true)],
    options: [
      OptionDescription("show", .none, "show its requests and change nothing"),
      OptionDescription("remove", .none, "remove the trust"),
      OptionDescription("yes", .none, "trust it without asking; required without a terminal"),
    ],
    discussion: """
      FILE is a graphql-config file (default: the nearest one in this directory or above) or apus-generate.yml. Apus shows
      every request that the file causes, with its headers and environment variables, and asks for a 'y'. If the path, the
      content or a request changes, it asks again. Commands ($(…)) in such a file are never run.
      """,
    examples: ["apus trust --show", "apus trust .graphqlrc.yml"],
    run: .synchronous { (arguments) throws(CommandError) in try TrustCommand(arguments).run() })

  static let themes = CommandDescription(
    name: "themes",
    summary: "List the color themes",
    examples: ["apus themes", "apus demo --theme dark"],
    run: .synchronous { _ in ThemesCommand.run() })

  static let doctor = CommandDescription(
    name: "doctor",
    summary: "Check the terminal, libraries and configuration",
    discussion: "Exits with 1 if there is a problem.",
    examples: ["apus doctor", "apus doctor > report.txt"],
    run: .cancelable { (arguments) throws(CommandError) in
      DoctorCommand(signIns: await SignInReport.all(arguments)).run()
    })

  static let completions = CommandDescription(
    name: "completions",
    summary: "Print a completion script for bash, zsh or fish",
    operands: [.init(name: "SHELL", isRequired: true, choices: ShellCompletions.shells)],
    discussion: "Docs/Installing.md shows where each shell expects the script.",
    examples: ["apus completions bash > ~/.local/share/bash-completion/completions/apus", "apus completions zsh"],
    run: .synchronous(CompletionsCommand.run))

  /// The commands of one word.
  private static let helpCommands = describedByHelp.map(\.name).filter { !$0.contains(" ") }

  static let help = CommandDescription(
    name: "help",
    summary: "Show help for Apus, a command or a topic",
    operands: [
      .init(
        name: "COMMAND|TOPIC", isRequired: false,
        choices: helpCommands + HelpTopic.names.filter { !helpCommands.contains($0) } + ["topics"]),
      .init(name: "diff|lint", isRequired: false),
    ],
    options: [OptionDescription("manual", .none, "print the manual page (troff)")],
    examples: ["apus help query", "apus help topics"],
    run: .synchronous(HelpCommand.run))

  private static let theme = OptionDescription(
    "theme", .nameOrFile("NAME", .themes), "a theme of 'apus themes', or a base16 or base24 file")

  private static let delayScale = OptionDescription(
    "delay-scale", .text("X"), "multiply the delays of slow fields; 0 removes them (default 1)")

  private static let schemaOption = OptionDescription(
    "schema", .file("SOURCE"), repeatable: true,
    "the schema: a URL, SDL files or introspection JSON, also in a git revision")

  private static let languageOptions: [OptionDescription] =
    [
      OptionDescription("at", .text("LINE:COLUMN"), "the position; both count from 1, columns in UTF-16 code units"),
      schemaOption,
      OptionDescription("output", .choice(of: LanguageCommand.Form.self), "the form to print (default json)"),
    ] + connection

  private static let subscriptionURL = OptionDescription(
    "subscription-url", .text("URL"),
    "URL of subscriptions, if it differs; another origin gets no headers, only the connection payload")

  private static let connectionPayload = OptionDescription(
    "connection-payload", .text("JSON|@FILE"), "payload of connection_init; a file is read for each connection")

  /// Options of all commands that run subscriptions.
  static let subscription: [OptionDescription] = [
    OptionDescription(
      "subscription-transport", .choice(of: SubscriptionOptions.Transport.self),
      "transport of subscriptions (default auto: WebSocket, or HTTP if the server has none)"),
    subscriptionURL,
    OptionDescription(
      "max-reconnects", .text("N"), "reconnect a lost subscription at most N times within two minutes (default 8)"),
    connectionPayload,
  ]

  /// Options of all commands that send requests: `apus help network`.
  static let connection: [OptionDescription] = [
    OptionDescription(
      "header", short: "H", .text("'K: V'|@FILE"), repeatable: true,
      "send this header, or the headers in a file, one per line"),
    OptionDescription(
      "user", short: "u", .text("NAME:PASSWORD"), "basic authentication; $NAME is an environment variable"),
    OptionDescription("netrc", .none, "read the credentials for the host from ~/.netrc"),
    OptionDescription("netrc-file", .file("FILE"), "read the credentials for the host from this file"),
    OptionDescription(
      "cookie-jar", .file("FILE"), "read and write cookies in this file"),
    OptionDescription("env-file", .file("FILE"), "resolve $NAME in configuration from this file"),
    OptionDescription("timeout", .text("S"), "time limit in seconds; for subscriptions, until the first event"),
    OptionDescription(
      "connect-timeout", .text("S"), "time limit for the connection in seconds (default 30)"),
    OptionDescription("unix-socket", .file("FILE"), "connect to this Unix socket instead of the host"),
    OptionDescription("insecure", .none, "accept invalid server certificates"),
    OptionDescription("cacert", .file("FILE"), "trust only the certificate authorities in this PEM file"),
    OptionDescription("cert", .file("FILE"), "client certificate (PEM)"),
    OptionDescription("key", .file("FILE"), "key of the client certificate (PEM)"),
    OptionDescription("proxy", .text("URL"), "use this proxy"),
    OptionDescription(
      "proxy-cacert", .file("FILE"), "trust only the certificate authorities in this PEM file for an https proxy"),
    OptionDescription("proxy-insecure", .none, "accept invalid certificates of an https proxy"),
    OptionDescription("http3", .none, "use HTTP/3 if the server supports it; requires a libcurl with HTTP/3"),
    OptionDescription(
      "redirect-anywhere", .none, "follow redirects of mutations to other hosts, and from https to http"),
    OptionDescription(
      "max-megabytes", .text("N"), "maximum size of a response in MB (default 256 on a terminal, else 1024)"),
  ]
}
