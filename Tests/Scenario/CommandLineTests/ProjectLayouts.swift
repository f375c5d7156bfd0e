import Testing

/// A folder of files with the expected results of all commands and the language server.
struct ProjectLayout: Sendable, CustomTestStringConvertible {
  let name: String
  let files: [String: String]
  /// The operands of the commands; empty if a graphql-config file names the documents.
  var words: [String] = []
  /// The expected errors as `file:line:column rule`.
  var errors: [String] = []
  /// The documents of the project that `format` would change.
  var unformatted: [String] = []
  /// The files that no command reads and that the server does not report.
  var untouched: [String] = []
  /// The bundled operations; `nil` if errors in the documents prevent bundling.
  var operations: [String]?
  /// Whether `apus generate` reads every file that has an error. It requires a schema, and skips separate definitions and
  /// literals with interpolated values.
  var isGenerated = true
  /// A position in a file, and a name that is completed there.
  var probe: (file: String, line: Int, column: Int, label: String)?

  var testDescription: String { name }

  /// Whether `apus generate` finds the project: by a graphql-config file in the folder, without operands.
  var isConfigured: Bool {
    let names = [".graphqlrc", "graphql.config", "package.json"]
    return words.isEmpty && isGenerated && files.keys.contains { name in names.contains(where: name.hasPrefix) }
  }

  /// Whether the schema comes from an endpoint, which the server requests in the background.
  var hasEndpoint: Bool { files.values.contains { $0.contains(Self.endpoint) } }

  /// Whether the graphql-config file has several projects, of which code is generated for the first.
  var hasProjects: Bool { files.values.contains { $0.hasPrefix("projects:") } }
}

extension ProjectLayout {
  private static let schema = "type Query { a: Int bird: Bird }\ntype Bird { name: String }\n"
  private static let other = "type Query { b: Int }\n"
  /// The URL of a server with `schema`, as a placeholder in files.
  static let endpoint = "ENDPOINT"
  /// The response to an introspection query of `schema`.
  static let introspection = """
    {"data": {"__schema": {"queryType": {"name": "Query"}, "directives": [], "types": [
      {"kind": "SCALAR", "name": "String"}, {"kind": "SCALAR", "name": "Int"},
      {"kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [
        {"name": "a", "args": [], "type": {"kind": "SCALAR", "name": "Int"}},
        {"name": "bird", "args": [], "type": {"kind": "OBJECT", "name": "Bird"}}]},
      {"kind": "OBJECT", "name": "Bird", "interfaces": [], "fields": [
        {"name": "name", "args": [], "type": {"kind": "SCALAR", "name": "String"}}]}]}}}
    """
  private static let plain = "schema: schema.graphql\ndocuments: src/**/*.graphql\n"
  private static let field = "FieldsOnCorrectTypeRule"

  /// A project with one schema and a document in another language, which selects an unknown field.
  private static func embedded(
    _ name: String, _ file: String, _ text: String, at place: String?, operations: [String]? = nil,
    isUnformatted: Bool = false
  ) -> ProjectLayout {
    ProjectLayout(
      name: name,
      files: ["schema.graphql": schema, ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src\n", file: text],
      errors: place.map { ["\(file):\($0) \(field)"] } ?? [], unformatted: isUnformatted ? [file] : [],
      operations: operations)
  }

  static let all: [ProjectLayout] =
    configurations + specialFolders + documents + severalProjects + schemas + unnamed + tools + languages + texts
    + absent

  private static let configurations: [ProjectLayout] = [
    (".graphqlrc.yml", plain), (".graphqlrc", plain), ("graphql.config.yml", plain),
    (".graphqlrc.json", #"{"schema": "schema.graphql", "documents": "src/**/*.graphql"}"#),
    ("graphql.config.toml", "schema = 'schema.graphql'\ndocuments = 'src/**/*.graphql'\n"),
    ("package.json", #"{"name": "x", "graphql": {"schema": "schema.graphql", "documents": ["src/**/*.graphql"]}}"#),
  ].map { name, text in
    ProjectLayout(
      name: "configuration in \(name)",
      files: [
        name: text, "schema.graphql": schema, "src/q.graphql": "query Q { a wrong }", "other/x.graphql": "{ x }",
      ],
      errors: ["src/q.graphql:1:13 \(field)"], unformatted: ["src/q.graphql"], untouched: ["other/x.graphql"],
      operations: ["Q"], probe: ("src/q.graphql", 1, 11, "bird"))
  }

  /// The folder in front of a pattern is never a pattern. The pattern would match the other folder.
  private static let specialFolders: [ProjectLayout] = [
    ("b{x}", "bx"), ("{{cookiecutter.slug}}", "cookiecutter.slug"), ("a*", "ab"), ("q?", "qa"), ("[ab]", "a"),
    ("{a,b}", "a"), ("@(a)", "a"), ("!(a)", "b"), ("(main)", "main"),
  ].flatMap { folder, other in
    ["src/**/*.graphql", "src", "./src/q.graphql"].map { documents in
      ProjectLayout(
        name: "a configuration in \(folder) with \(documents)",
        files: [
          "\(folder)/.graphqlrc.yml": "schema: '*.graphqls'\ndocuments: '\(documents)'\nexclude: '*/old.graphql'\n",
          "\(folder)/s.graphqls": schema, "\(folder)/src/q.graphql": "query Q { a wrong }",
          "\(folder)/src/old.graphql": "query Q { b }", "\(other)/s.graphqls": Self.other,
          "\(other)/src/q.graphql": "query Q { b }",
        ], words: [folder], errors: ["\(folder)/src/q.graphql:1:13 \(field)"],
        unformatted: ["\(folder)/s.graphqls", "\(folder)/src/q.graphql"],
        untouched: ["\(folder)/src/old.graphql", "\(other)/s.graphqls", "\(other)/src/q.graphql"], operations: ["Q"])
    }
  }

  private static let documents: [ProjectLayout] = [
    ProjectLayout(
      name: "an existing folder with brackets is literal",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: ['app/[slug]/*.graphql', 'app/(main)/q.graphql']\n",
        "schema.graphql": schema, "app/[slug]/q.graphql": "query Q { a wrong }", "app/s/q.graphql": "query R { a }",
        "app/(main)/q.graphql": "query M { a }", "app/main/q.graphql": "query N { a }",
      ], errors: ["app/[slug]/q.graphql:1:13 \(field)"],
      unformatted: ["app/(main)/q.graphql", "app/[slug]/q.graphql"],
      untouched: ["app/s/q.graphql", "app/main/q.graphql"], operations: ["M", "Q"]),
    ProjectLayout(
      name: "patterns have nested braces, brackets and groups",
      files: [
        ".graphqlrc.yml":
          "schema: schema.graphql\ndocuments: ['{src,lib/{a,b}}/*.graphql', '[xy]/!(old).graphql', 'z/@(m|n)/*.graphql']\n",
        "schema.graphql": schema, "src/q.graphql": "query A { a wrong }", "lib/b/q.graphql": "query B { a }",
        "x/q.graphql": "query C { a }", "x/old.graphql": "query D { a }", "z/n/q.graphql": "query E { a }",
        "z/o/q.graphql": "query F { a }",
      ], errors: ["src/q.graphql:1:13 \(field)"],
      unformatted: ["lib/b/q.graphql", "src/q.graphql", "x/q.graphql", "z/n/q.graphql"],
      untouched: ["x/old.graphql", "z/o/q.graphql"], operations: ["A", "B", "C", "E"]),
    ProjectLayout(
      name: "documents are a folder",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src\n", "schema.graphql": schema,
        "src/deep/q.graphql": "query Q { wrong }",
      ], errors: ["src/deep/q.graphql:1:11 \(field)"], unformatted: ["src/deep/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "a pattern takes files away",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: [src/*.graphql, '!src/old.graphql']\n",
        "schema.graphql": schema, "src/q.graphql": "query Q { a }", "src/old.graphql": "query Q { wrong }",
      ], unformatted: ["src/q.graphql"], untouched: ["src/old.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "exclude is a pattern",
      files: [
        ".graphqlrc.yml": plain + "exclude: '**/__generated__/**'\n", "schema.graphql": schema,
        "src/q.graphql": "query Q { a }", "src/__generated__/q.graphql": "query Q { wrong }",
      ], unformatted: ["src/q.graphql"], untouched: ["src/__generated__/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "exclude is a folder",
      files: [
        ".graphqlrc.yml": plain + "exclude: src/vendor\n", "schema.graphql": schema, "src/q.graphql": "query Q { a }",
        "src/vendor/q.graphql": "query Q { wrong }",
      ], unformatted: ["src/q.graphql"], untouched: ["src/vendor/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "exclude is a list, documents are a folder",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src\nexclude: [src/x.graphql, src/y/]\n",
        "schema.graphql": schema, "src/q.graphql": "query Q { a }", "src/x.graphql": "{ wrong }",
        "src/y/z.graphql": "{ wrong }",
      ], unformatted: ["src/q.graphql"], untouched: ["src/x.graphql", "src/y/z.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "exclude also holds for a folder that is named",
      files: [
        ".graphqlrc.yml": plain + "exclude: src/vendor\n", "schema.graphql": schema, "src/q.graphql": "query Q { a }",
        "src/vendor/q.graphql": "query Q { wrong }",
      ], words: ["src"], unformatted: ["src/q.graphql"], untouched: ["src/vendor/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "include names files of a project",
      files: [
        ".graphqlrc.yml":
          "projects:\n  one: { schema: one.graphql, include: more/*.graphql }\n  two: { schema: two.graphql, documents: src/*.graphql }\n",
        "one.graphql": schema, "two.graphql": other, "more/q.graphql": "query Q { b }",
        "src/r.graphql": "query R { b }",
      ], words: ["more", "src"], errors: ["more/q.graphql:1:11 \(field)"],
      unformatted: ["more/q.graphql", "src/r.graphql"]),
    ProjectLayout(
      name: "fragments come from all documents",
      files: [
        ".graphqlrc.yml": plain, "schema.graphql": schema, "src/q.graphql": "query Q { bird { ...F } }",
        "src/f.graphql": "fragment F on Bird { name }",
      ], unformatted: ["src/f.graphql", "src/q.graphql"], operations: ["Q"], probe: ("src/q.graphql", 1, 22, "F")),
  ]

  private static let two =
    "projects:\n  one: { schema: one.graphql, documents: one/*.graphql }\n"
    + "  two: { schema: two.graphql, documents: two/*.graphql }\n"

  private static let severalProjects: [ProjectLayout] = [
    ProjectLayout(
      name: "two projects have separate schemas",
      files: [
        ".graphqlrc.yml": two, "one.graphql": schema, "two.graphql": other, "one/q.graphql": "query Q { a b }",
        "two/q.graphql": "query Q { a b }",
      ], errors: ["one/q.graphql:1:13 \(field)", "two/q.graphql:1:11 \(field)"],
      unformatted: ["one/q.graphql", "two/q.graphql"], operations: ["Q", "Q"]),
    ProjectLayout(
      name: "both schemas of two projects are validated if all files are named",
      files: [
        ".graphqlrc.yml": two, "one.graphql": schema, "two.graphql": other, "one/q.graphql": "query Q { a }",
        "two/q.graphql": "query Q { b }",
      ], words: ["."], unformatted: ["one.graphql", "one/q.graphql", "two.graphql", "two/q.graphql"],
      operations: ["Q", "Q"]),
    ProjectLayout(
      name: "fragments of one project are unknown in the other",
      files: [
        ".graphqlrc.yml": two, "one.graphql": schema, "two.graphql": schema,
        "one/f.graphql": "query U { ...F } fragment F on Query { a }",
        "two/q.graphql": "query Q { ...F }",
      ], errors: ["two/q.graphql:1:14 KnownFragmentNamesRule"], unformatted: ["one/f.graphql", "two/q.graphql"]),
    ProjectLayout(
      name: "the default project has the other files",
      files: [
        ".graphqlrc.yml":
          "projects:\n  default: { schema: one.graphql }\n  two: { schema: two.graphql, documents: two/*.graphql }\n",
        "one.graphql": schema, "two.graphql": other, "x/q.graphql": "query Q { b }", "two/r.graphql": "query R { b }",
      ], words: ["x", "two"], errors: ["x/q.graphql:1:11 \(field)"], unformatted: ["two/r.graphql", "x/q.graphql"],
      operations: ["Q", "R"]),
    ProjectLayout(
      name: "a file of no project has no schema",
      files: [
        ".graphqlrc.yml": two, "one.graphql": schema, "two.graphql": other, "x/q.graphql": "query Q { anything }",
        "x/r.graphql": "query R($v: Int, $v: Int) { anything(v: $v) }",
      ], words: ["x"], errors: ["x/r.graphql:1:10 UniqueVariableNamesRule"],
      unformatted: ["x/q.graphql", "x/r.graphql"]),
    ProjectLayout(
      name: "two projects share a file of fragments",
      files: [
        ".graphqlrc.yml":
          "projects:\n  one: { schema: schema.graphql, documents: [one/*.graphql, shared/*.graphql] }\n"
          + "  two: { schema: schema.graphql, documents: [two/*.graphql, shared/*.graphql] }\n",
        "schema.graphql": schema, "shared/f.graphql": "fragment F on Query { a }", "one/q.graphql": "query Q { ...F }",
        "two/q.graphql": "query Q { ...F wrong }",
      ], errors: ["two/q.graphql:1:16 \(field)"], unformatted: ["one/q.graphql", "shared/f.graphql", "two/q.graphql"],
      operations: ["Q", "Q"]),
    ProjectLayout(
      name: "each package of a repository has a configuration",
      files: [
        ".git/HEAD": "", "a/.graphqlrc.yml": "schema: s.graphql\ndocuments: '*.graphql'\n", "a/s.graphql": schema,
        "a/q.graphql": "query Q { b }", "b/.graphqlrc.yml": "schema: s.graphql\ndocuments: '*.graphql'\n",
        "b/s.graphql": other, "b/q.graphql": "query Q { b }",
      ], words: ["."], errors: ["a/q.graphql:1:11 \(field)"],
      unformatted: ["a/q.graphql", "a/s.graphql", "b/q.graphql", "b/s.graphql"], operations: ["Q", "Q"]),
    ProjectLayout(
      name: "a repository's documents include those of a package with a configuration",
      files: [
        ".git/HEAD": "", ".graphqlrc.yml": "schema: s.graphql\ndocuments: [q.graphql, a/q.graphql]\n",
        "s.graphql": other, "q.graphql": "query Q { b }", "a/.graphqlrc.yml": "schema: s.graphql\n",
        "a/s.graphql": schema, "a/q.graphql": "query P { b }",
      ], words: ["."], errors: ["a/q.graphql:1:11 \(field)"],
      unformatted: ["a/q.graphql", "a/s.graphql", "q.graphql", "s.graphql"], operations: ["P", "Q"]),
    ProjectLayout(
      name: "a package's configuration comes before the repository's",
      files: [
        ".git/HEAD": "", ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src/*.graphql\n",
        "schema.graphql": schema, "src/q.graphql": "query Q { a }",
        "package/.graphqlrc.yml": "schema: s.graphql\ndocuments: '*.graphql'\n", "package/s.graphql": other,
        "package/q.graphql": "query Q { a }",
      ], words: ["src", "package"], errors: ["package/q.graphql:1:11 \(field)"],
      unformatted: ["package/q.graphql", "package/s.graphql", "src/q.graphql"]),
  ]

  private static func sources(_ name: String, _ schema: String, _ files: [String: String], _ errors: [String])
    -> ProjectLayout
  {
    ProjectLayout(
      name: name,
      files: [
        ".graphqlrc.yml": "schema: \(schema)\ndocuments: src/*.graphql\n",
        "src/q.graphql": "query Q { a bird { name nick } c wrong }",
      ].merging(files) { $1 }, errors: errors, unformatted: ["src/q.graphql"], operations: ["Q"],
      probe: ("src/q.graphql", 1, 11, "bird"))
  }

  private static let addition = "extend type Query { c: Int }\nextend type Bird { nick: String }\n"
  private static let onlyWrong = ["src/q.graphql:1:34 \(field)"]

  private static let schemas: [ProjectLayout] = [
    sources(
      "a schema in two files", "[schema.graphql, more.graphql]", ["schema.graphql": schema, "more.graphql": addition],
      onlyWrong),
    sources(
      "a schema by a pattern", "schema/*.graphqls", ["schema/a.graphqls": schema, "schema/b.graphqls": addition],
      onlyWrong),
    sources(
      "a schema in a folder", "schema", ["schema/a.graphql": schema, "schema/b/c.graphqls": addition], onlyWrong),
    sources(
      "a schema without a file that is taken away", "[schema/*.graphql, '!schema/old.graphql']",
      ["schema/a.graphql": schema, "schema/b.graphql": addition, "schema/old.graphql": schema], onlyWrong
    ).leaving("schema/old.graphql"),
    sources(
      "an introspection result", "schema.json", ["schema.json": introspection],
      ["src/q.graphql:1:25 \(field)", "src/q.graphql:1:32 \(field)", "src/q.graphql:1:34 \(field)"]),
    sources(
      "an introspection result and definitions", "[schema.json, client.graphql]",
      ["schema.json": introspection, "client.graphql": addition], onlyWrong),
    sources(
      "definitions before an introspection result", "[client.graphql, schema.json]",
      ["schema.json": introspection, "client.graphql": addition], onlyWrong),
    sources(
      "an endpoint", endpoint, [:],
      ["src/q.graphql:1:25 \(field)", "src/q.graphql:1:32 \(field)", "src/q.graphql:1:34 \(field)"]),
    sources("an endpoint and definitions", "[\(endpoint), client.graphql]", ["client.graphql": addition], onlyWrong),
    sources("definitions before an endpoint", "[client.graphql, \(endpoint)]", ["client.graphql": addition], onlyWrong),
    sources(
      "an endpoint with headers and a pattern", "[{ \(endpoint): { headers: { X-Team: birds } } }, 'client/*.graphql']",
      ["client/a.graphql": addition], onlyWrong),
    sources(
      "a schema file with another ending", "schema.sdl", ["schema.sdl": schema + addition], onlyWrong),
    sources(
      "definitions in TypeScript", "[schema.graphql, types.ts]",
      ["schema.graphql": schema, "types.ts": "export const types = gql`\n\(addition)`\n"], onlyWrong),
    sources(
      "a schema file imports another", "schema.graphql",
      ["schema.graphql": "# import Bird from 'more.graphql'\n" + schema, "more.graphql": addition], onlyWrong),
    ProjectLayout(
      name: "two schema files define a type",
      files: [
        ".graphqlrc.yml": "schema: 'schema/*.graphql'\ndocuments: src/*.graphql\n", "schema/a.graphql": schema,
        "schema/b.graphql": "type Bird { nick: String }\n", "src/q.graphql": "query Q { a wrong }",
      ], words: ["."], errors: ["schema/a.graphql:2:6 UniqueTypeNamesRule", "src/q.graphql:1:13 \(field)"],
      unformatted: ["schema/a.graphql", "schema/b.graphql", "src/q.graphql"]),
    ProjectLayout(
      name: "definitions apart from the schema add to it",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src/*.graphql\n", "schema.graphql": schema,
        "src/client.graphql": "extend type Query { c: Gone }\n",
      ], errors: ["src/client.graphql:1:24 KnownTypeNamesRule"], unformatted: ["src/client.graphql"],
      isGenerated: false),
  ]

  private static let clientOnly = "schema: client/schema.graphql\ndocuments: client/src\n"

  /// Definitions in files that no project names are separate from its schema, whatever is open.
  private static let unnamed: [ProjectLayout] = [
    ProjectLayout(
      name: "a client and subgraphs in one repository",
      files: [
        ".git/HEAD": "", ".graphqlrc.yml": clientOnly, "client/schema.graphql": schema,
        "client/src/q.graphql": "query Q { a wrong }",
        "subgraphs/a/schema.graphql": "type Query { b: P }\ntype P @key(fields: \"id\") { id: ID c: Missing }\n",
        "subgraphs/b/schema.graphql":
          "extend schema @link(url: \"https://specs.apollo.dev/federation/v2.3\", import: [\"@key\"])\ntype P @key(fields: \"id\") { id: ID }\n",
        "subgraphs/b/more.graphql": "extend type P { d: Int }\n",
      ], words: ["."],
      errors: ["client/src/q.graphql:1:13 \(field)", "subgraphs/a/schema.graphql:2:39 KnownTypeNamesRule"],
      unformatted: [
        "client/schema.graphql", "client/src/q.graphql", "subgraphs/a/schema.graphql", "subgraphs/b/more.graphql",
        "subgraphs/b/schema.graphql",
      ], operations: ["Q"]),
    ProjectLayout(
      name: "two unnamed files with a schema are separate",
      files: [
        ".graphqlrc.yml": clientOnly, "client/schema.graphql": schema, "client/src/q.graphql": "query Q { a }",
        "x/one.graphql": "schema { query: Root }\ntype Root { a: Int }\n",
        "x/two.graphql": "schema { query: Root }\ntype Root { a: Gone }\n",
      ], words: ["."], errors: ["x/two.graphql:2:16 KnownTypeNamesRule"],
      unformatted: ["client/schema.graphql", "client/src/q.graphql", "x/one.graphql", "x/two.graphql"],
      operations: ["Q"]),
    ProjectLayout(
      name: "the unnamed files of a folder are one schema",
      files: [
        ".graphqlrc.yml": clientOnly, "client/schema.graphql": schema, "client/src/q.graphql": "query Q { a }",
        "x/one.graphql": "type Query { p: P }\n", "x/two.graphql": "type P { a: Int b: Gone }\n",
      ], words: ["."], errors: ["x/two.graphql:1:20 KnownTypeNamesRule"],
      unformatted: ["client/schema.graphql", "client/src/q.graphql", "x/one.graphql", "x/two.graphql"],
      operations: ["Q"]),
    ProjectLayout(
      name: "unnamed definitions beside two projects",
      files: [
        ".graphqlrc.yml": two, "one.graphql": schema, "two.graphql": other, "one/q.graphql": "query Q { a }",
        "two/q.graphql": "query Q { b }", "x/s.graphql": "type Query { a: Gone }\n",
      ], words: ["."], errors: ["x/s.graphql:1:17 KnownTypeNamesRule"],
      unformatted: ["one.graphql", "one/q.graphql", "two.graphql", "two/q.graphql", "x/s.graphql"],
      operations: ["Q", "Q"]),
  ]

  private static let nullability =
    "extend schema @link(url: \"https://specs.apollo.dev/nullability/v0.4\", import: [\"@catch\", \"@semanticNonNull\", \"CatchTo\"])\n"

  /// A client with its server's schema and local fields, and the subgraphs of that server.
  private static let showcase: [String: String] = {
    let link = "extend schema @link(url: \"https://specs.apollo.dev/federation/v2.3\", import: [\"@key\"])\n"
    return [
      ".git/HEAD": "", "codegen.ts": "", "client/schema.graphql": schema,
      "client/src/localSchema.graphql": "extend type Query { isOpen: Boolean }\n",
      "client/src/a.ts": "gql`query A { a isOpen @client wrong }`\n",
      "subgraphs/a/schema.graphql": link
        + "type Query { b: P }\ntype P @key(fields: \"id\") { id: ID c: Gone }\n",
      "subgraphs/b/schema.graphql": link + "type P @key(fields: \"id\") { id: ID d: Int }\n",
    ]
  }()

  /// Layouts of projects for other tools.
  private static let tools: [ProjectLayout] = [
    ProjectLayout(
      name: "an Apollo Kotlin project with linked directives",
      files: [
        ".graphqlrc.yml": "schema: src/*.graphqls\ndocuments: src/*.graphql\n",
        "src/extra.graphqls": nullability + "extend type Bird { nick: String @semanticNonNull }\n",
        "src/schema.graphqls": schema,
        "src/q.graphql": "query Q { bird { name @catch(to: NULL) nick @catchByDefault } }",
      ], errors: ["src/q.graphql:1:45 KnownDirectivesRule"], unformatted: ["src/q.graphql"], operations: nil
    ).notGenerated(),
    ProjectLayout(
      name: "an Apollo Kotlin project without links",
      files: [
        ".graphqlrc.yml": "schema: src/*.graphqls\ndocuments: src/*.graphql\n",
        "src/extra.graphqls": "extend type Bird @typePolicy(keyFields: \"name\")\n", "src/schema.graphqls": schema,
        "src/q.graphql": "query Q($a: Int @optional) { wrong(a: $a) }",
      ], errors: ["src/q.graphql:1:30 \(field)"], unformatted: ["src/q.graphql"], operations: nil
    ).notGenerated(),
    ProjectLayout(
      name: "a Relay client and the type definitions of two servers",
      files: [
        ".git/HEAD": "", "relay.config.json": "{}",
        ".graphqlrc.yml":
          "projects:\n  public: { schema: 'server/public/*.graphql', documents: 'client/**/*.ts' }\n"
          + "  private: { schema: ['server/private/*.graphql', 'server/shared.graphql'] }\n",
        "server/public/schema.graphql": schema, "server/public/more.graphql": addition,
        "server/private/schema.graphql": "type Query { ping: Pong }\n",
        "server/shared.graphql": "type Pong { a: Int }\n",
        "client/a.ts": "graphql`query aQuery { c bird { ...a_bird __id } }`\n",
        "client/b.ts": "graphql`fragment a_bird on Bird @inline { nick gone }`\n",
      ], words: ["."], errors: ["client/b.ts:1:48 \(field)"],
      unformatted: [
        "server/private/schema.graphql", "server/public/more.graphql", "server/public/schema.graphql",
        "server/shared.graphql",
      ]),
    ProjectLayout(
      name: "an Apollo client with a local schema beside subgraphs, without a configuration", files: showcase,
      words: ["."],
      errors: ["client/src/a.ts:1:32 \(field)", "subgraphs/a/schema.graphql:3:39 KnownTypeNamesRule"],
      unformatted: [
        "client/schema.graphql", "client/src/localSchema.graphql", "subgraphs/a/schema.graphql",
        "subgraphs/b/schema.graphql",
      ], operations: nil),
    ProjectLayout(
      name: "an Apollo client with a local schema beside subgraphs, with a configuration",
      files: showcase.merging([
        ".graphqlrc.yml":
          "schema: [client/schema.graphql, client/src/localSchema.graphql]\ndocuments: client/src/*.ts\n"
      ]) { $1 }, words: ["."],
      errors: ["client/src/a.ts:1:32 \(field)", "subgraphs/a/schema.graphql:3:39 KnownTypeNamesRule"],
      unformatted: [
        "client/schema.graphql", "client/src/localSchema.graphql", "subgraphs/a/schema.graphql",
        "subgraphs/b/schema.graphql",
      ], operations: nil),
    ProjectLayout(
      name: "an Apollo Kotlin module with two services",
      files: [
        ".graphqlrc.yml":
          "projects:\n  one: { schema: 'main/one/*.graphqls', documents: 'main/one/**/*.graphql' }\n"
          + "  two: { schema: 'main/two/*.graphqls', documents: 'main/two/**/*.graphql' }\n",
        "main/one/schema.graphqls": schema + "enum Size { type }\n",
        "main/one/extra.graphqls":
          "extend schema @link(url: \"https://specs.apollo.dev/kotlin_labs/v0.5/\", import: [\"@mapTo\", \"@targetName\"])\n"
          + "extend scalar ID @mapTo(builtIn: Long)\nextend enum Size { type @targetName(name: \"type_\") }\n",
        "main/one/q.graphql": "query One { a wrong }", "main/two/schema.graphqls": other,
        "main/two/q.graphql": "query Two { b wrong }",
      ], errors: ["main/one/q.graphql:1:15 \(field)", "main/two/q.graphql:1:15 \(field)"],
      unformatted: ["main/one/q.graphql", "main/two/q.graphql"], operations: ["One", "Two"]
    ).notGenerated(),
    ProjectLayout(
      name: "a Relay client with schema extensions, and the schema of another service",
      files: [
        ".git/HEAD": "", "relay.config.json": #"{"schemaExtensions": ["client/ext"]}"#,
        "graphql.config.yml":
          "projects:\n  app: { schema: ['server/types/*.graphql', 'client/ext/*.graphql'], documents: 'client/**/*.ts' }\n"
          + "  hub: { schema: server/hub.graphql, documents: 'server/queries/*.graphql' }\n",
        "server/types/Query.graphql": schema, "server/types/Bird.graphql": addition,
        "client/ext/local.graphql": "extend type Bird { isOpen: Boolean }\n",
        "client/a.ts": "graphql`query aQuery { c bird { isOpen ...b_bird } }`\n",
        "client/b.ts": "graphql`fragment b_bird on Bird @inline { name __id gone }`\n",
        "server/hub.graphql": other, "server/queries/b.graphql": "query Hub { b wrong }",
      ], words: ["."], errors: ["client/b.ts:1:53 \(field)", "server/queries/b.graphql:1:15 \(field)"],
      unformatted: [
        "client/ext/local.graphql", "server/hub.graphql", "server/queries/b.graphql", "server/types/Bird.graphql",
        "server/types/Query.graphql",
      ], operations: nil),
    ProjectLayout(
      name: "a folder without a configuration and with code",
      files: ["schema.graphql": schema, "src/a.ts": "gql`query T { wrong }`\n"], words: ["."],
      errors: ["src/a.ts:1:15 \(field)"], unformatted: ["schema.graphql"], operations: ["T"]),
    ProjectLayout(
      name: "fragments and variables that an interpolated value may explain",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src\n", "schema.graphql": schema,
        "src/a.ts": "gql`query A($v: Int) { ...Gone a }\n${GONE}`\n",
        "src/b.ts": "gql`query B($v: Int) { ...G a }`\n", "src/c.ts": "gql`fragment G on Query { ${FIELDS} a }`\n",
        "src/d.ts": "gql`query D($v: Int) { ...Gone a }`\n", "src/e.ts": "gql`query E($v: Int) { a }\n${GONE}`\n",
      ],
      errors: [
        "src/d.ts:1:13 NoUnusedVariablesRule", "src/d.ts:1:27 KnownFragmentNamesRule",
        "src/e.ts:1:13 NoUnusedVariablesRule",
      ]
    ).notGenerated(),
    ProjectLayout(
      name: "values in the code of a schema",
      files: [
        ".graphqlrc.yml": "schema: schema.ts\ndocuments: src\n",
        "schema.ts": "export const s = gql`type Query { a(n: Int = ${n}): Int }`\n",
        "src/q.graphql": "query Q { a wrong }",
      ], errors: ["src/q.graphql:1:13 \(field)"], unformatted: ["src/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "paths with variables",
      files: [
        ".graphqlrc.yml": "schema: ${APUS_TEST_GONE:schema.graphql}\ndocuments: 'src/${APUS_TEST_GONE:*}.graphql'\n",
        "schema.graphql": schema, "src/q.graphql": "query Q { a wrong }",
      ], errors: ["src/q.graphql:1:13 \(field)"], unformatted: ["src/q.graphql"], operations: ["Q"]),
  ]

  private static let languages: [ProjectLayout] = [
    embedded(
      "TypeScript, a tag", "src/a.ts", "const q = gql`\n  query Q { a nam }\n`\n", at: "2:15", operations: ["Q"],
      isUnformatted: true),
    embedded(
      "TypeScript, a tag with types", "src/a.ts", "gql<Data<X>, () => void>`query Q { a nam }`\n", at: "1:38",
      operations: ["Q"]),
    embedded(
      "TypeScript, a tag with literal types", "src/a.ts", "gql<`${A}>`, B[\"x>\"]>`query Q { a nam }`\n", at: "1:35",
      operations: ["Q"]),
    embedded(
      "TypeScript, a call with types", "src/a.ts", "graphql<A>(`query Q { a nam }`)\n", at: "1:25", operations: ["Q"]),
    embedded(
      "JavaScript, a comment", "src/a.js", "f(/* GraphQL */ `query Q { a nam }`)\n", at: "1:30", operations: ["Q"]),
    embedded(
      "columns count UTF-16 units", "src/a.ts", "f('🐦é', gql`query Q { a nam }`)\n", at: "1:26", operations: ["Q"]),
    embedded(
      "Vue", "src/a.vue", "<script setup>\nconst q = gql`query Q { a nam }`\n</script>\n", at: "2:27", operations: ["Q"]
    ),
    embedded("Svelte", "src/a.svelte", "<script>gql`query Q { a nam }`</script>\n", at: "1:25", operations: ["Q"]),
    embedded(
      "Python", "src/a.py", "q = gql(\"\"\"\n  query Q { a nam }\n\"\"\")\n", at: "2:15", operations: ["Q"],
      isUnformatted: true),
    embedded(
      "Python, joined strings", "src/a.py",
      "q = gql(\"query Q { a nam \" + MORE + \"}\")\nr = gql(\"query R { a \" \"nam }\")\n", at: nil),
    embedded(
      "Python, formatted strings", "src/a.py",
      "q = gql(f\"query Q {{ {x} nam }}\")\nr = gql(\"query R {{ a nam }}\".format(x))\ns = gql(\"{ nam %s }\" % x)\n",
      at: nil),
    embedded(
      "Swift", "src/a.swift", "let q = /* GraphQL */ \"\"\"\n  query Q { a nam }\n  \"\"\"\n", at: "2:15",
      operations: ["Q"], isUnformatted: true),
    embedded(
      "Swift, a raw string", "src/a.swift", "let q = /* GraphQL */ #\"query Q { a nam }\"#\n", at: "1:37",
      operations: ["Q"]),
    embedded(
      "Swift, a long raw string", "src/a.swift", "let q = ##\"\"\"\n  #graphql\n  query Q { a nam }\n  \"\"\"##\n",
      at: "3:15", operations: ["Q"], isUnformatted: true),
    embedded(
      "Markdown, a fence with attributes", "src/a.md", "```graphql title=\"Birds\" {2}\nquery Q { a nam }\n```\n",
      at: "2:13", operations: ["Q"]),
    embedded(
      "Markdown, attributes in braces", "src/a.md", "~~~ {.graphql .wide}\nquery Q { a nam }\n~~~\n", at: "2:13",
      operations: ["Q"]),
    embedded(
      "Markdown, a fence after a tab", "src/a.md", "- Birds:\n\t```graphql\n\tquery Q { a nam }\n\t```\n", at: "3:14",
      operations: ["Q"]),
    embedded("a value in a template", "src/a.ts", "gql`query Q { a ${more} nam }`\n", at: "1:25").notGenerated(),
    ProjectLayout(
      name: "a fragment in TypeScript is used in GraphQL",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: 'src/*.{graphql,ts}'\n", "schema.graphql": schema,
        "src/f.ts": "export const f = gql`fragment F on Bird { nick }`\n", "src/q.graphql": "query Q { bird { ...F } }",
      ], errors: ["src/f.ts:1:43 \(field)"], unformatted: ["src/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "other languages count only where documents name them",
      files: [
        ".graphqlrc.yml": plain, "schema.graphql": schema, "src/q.graphql": "query Q { a }",
        "src/a.ts": "gql`query T { wrong }`\n",
      ], words: ["src"], unformatted: ["src/q.graphql"], untouched: ["src/a.ts"], operations: ["Q"]),
  ]

  private static let texts: [ProjectLayout] = [
    ProjectLayout(
      name: "empty files and comments are documents",
      files: [
        ".graphqlrc.yml": plain, "schema.graphql": schema, "src/empty.graphql": "", "src/blank.graphql": "\n \n",
        "src/comment.graphql": "# to do\n", "src/q.graphql": "query Q { a }",
      ], unformatted: ["src/blank.graphql", "src/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "an empty literal",
      files: [
        ".graphqlrc.yml": "schema: schema.graphql\ndocuments: src\n", "schema.graphql": schema,
        "src/a.ts": "gql``; gql`query Q { a }`\n",
      ], operations: ["Q"]),
    ProjectLayout(
      name: "a syntax error",
      files: [".graphqlrc.yml": plain, "schema.graphql": schema, "src/q.graphql": "query Q { a("],
      errors: ["src/q.graphql:1:13 SyntaxError"]),
    ProjectLayout(
      name: "lines end with CRLF",
      files: [".graphqlrc.yml": plain, "schema.graphql": schema, "src/q.graphql": "query Q {\r\n  wrong\r\n}\r\n"],
      errors: ["src/q.graphql:2:3 \(field)"], unformatted: ["src/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "an import of a file outside the documents",
      files: [
        ".graphqlrc.yml": plain, "schema.graphql": schema,
        "src/q.graphql": "# import F from '../shared/f.graphql'\nquery Q { bird { ...F } }",
        "shared/f.graphql": "#import \"g.graphql\"\nfragment F on Bird { ...G }",
        "shared/g.graphql": "fragment G on Bird { name }",
      ], unformatted: ["src/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "two files define an operation",
      files: [
        ".graphqlrc.yml": plain, "schema.graphql": schema, "src/a.graphql": "query Q { a }",
        "src/b.graphql": "query Q { a }",
      ], errors: ["src/a.graphql:1:7 UniqueOperationNamesRule", "src/b.graphql:1:7 UniqueOperationNamesRule"],
      unformatted: ["src/a.graphql", "src/b.graphql"]),
  ]

  private static let absent: [ProjectLayout] = [
    ProjectLayout(
      name: "no configuration: the folder's definitions are the schema",
      files: ["schema.graphql": schema, "q.graphql": "query Q { a wrong }"], words: ["."],
      errors: ["q.graphql:1:13 \(field)"], unformatted: ["q.graphql", "schema.graphql"],
      probe: ("q.graphql", 1, 11, "bird")),
    ProjectLayout(
      name: "no configuration and no definitions",
      files: ["q.graphql": "query Q { anything }", "r.graphql": "query R($v: Int) { a }"], words: ["."],
      errors: ["r.graphql:1:9 NoUnusedVariablesRule"], unformatted: ["q.graphql", "r.graphql"]),
    ProjectLayout(
      name: "no documents match",
      files: [".graphqlrc.yml": plain, "schema.graphql": schema, "q.graphql": "query Q { wrong }"],
      words: ["q.graphql"],
      errors: ["q.graphql:1:11 \(field)"], unformatted: ["q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "one of two schema patterns matches nothing",
      files: [
        ".graphqlrc.yml": "schema: [schema.graphql, gone/*.graphql]\ndocuments: src\n", "schema.graphql": schema,
        "src/q.graphql": "query Q { wrong }",
      ], errors: ["src/q.graphql:1:11 \(field)"], unformatted: ["src/q.graphql"], operations: ["Q"]),
    ProjectLayout(
      name: "a project without a schema",
      files: [".graphqlrc.yml": "documents: src\n", "src/q.graphql": "query Q($v: Int) { a }"],
      errors: ["src/q.graphql:1:9 NoUnusedVariablesRule"], unformatted: ["src/q.graphql"], operations: ["Q"],
      isGenerated: false),
  ]

  private func notGenerated() -> ProjectLayout {
    var layout = self
    layout.isGenerated = false
    return layout
  }

  private func leaving(_ file: String) -> ProjectLayout {
    var layout = self
    layout.untouched.append(file)
    return layout
  }
}
