import ApusGraphQLSchema

extension DialectSelection {
  /// Creates the dialects of a project: those selected by its graphql-config file, else those detected from the files of
  /// other tools.
  ///
  /// - Parameters:
  ///    - settings: The values of `extensions.apus.dialect`: names of dialects, or `none`.
  ///    - root: The root of the project's files; `nil` for no project.
  ///    - folder: The folder in which and above which files of other tools are searched for.
  package init(settings: [String], root: ProjectRoot?, folder: FilePath) {
    self.init()
    guard settings.isEmpty else {
      detects = false
      dialects = Set(settings.compactMap(Dialect.init))
      return
    }
    guard let root else { return }
    for (dialect, names) in Self.marks {
      if let file = root.nearestFile(named: names, from: folder) { add(dialect, "found \(file)") }
    }
    let package = root.packageKeys(from: folder)
    if package.keys.contains("relay") || package.dependencies.contains("relay-compiler") {
      add(.relay, "package.json configures it")
    }
  }

  /// The configuration files of the tools that use a dialect.
  private static let marks: [(Dialect, [String])] = [
    (.relay, ["js", "cjs", "mjs", "ts", "json"].map { "relay.config.\($0)" }),
    (.houdini, ["js", "cjs", "mjs", "ts"].map { "houdini.config.\($0)" }),
    (.apollo, ["js", "cjs", "mjs", "ts"].map { "apollo.config.\($0)" } + ["apollo-codegen-config.json"]),
  ]

  private mutating func add(_ dialect: Dialect, _ reason: String) {
    guard dialects.insert(dialect).inserted else { return }
    reasons[dialect] = reason
  }

  /// The possible values of a setting.
  package static var names: [String] { Dialect.allCases.map(\.rawValue) + ["none"] }

  /// Returns the values of a setting that are not names of dialects.
  package static func unknownNames(in settings: [String]) -> [String] { settings.filter { !names.contains($0) } }
}

extension ProjectDefinition {
  /// The dialects that the project selects or that are detected from its files.
  package var dialects: DialectSelection {
    switch self {
    case .config(let config, let project):
      DialectSelection(settings: project.dialectSetting, root: root, folder: FilePath(config.file.folder))
    case .folder(let folder): DialectSelection(settings: [], root: root, folder: FilePath(folder))
    case .none: .automatic
    }
  }

  /// The folders and files with Relay's schema extensions, as far as its configuration can be read.
  package var relaySchemaExtensions: [FilePath] {
    switch self {
    case .config(let config, _): root?.relaySchemaExtensions(from: FilePath(config.file.folder)) ?? []
    case .folder(let folder): root?.relaySchemaExtensions(from: FilePath(folder)) ?? []
    case .none: []
    }
  }
}
