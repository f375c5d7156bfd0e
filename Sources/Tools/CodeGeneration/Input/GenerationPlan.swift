import ApusConfiguration
import ApusGraphQLProjects

/// The inputs and outputs of code generation: a configuration file with paths relative to its folder.
///
///     schema: schema.graphqls
///     documents: ["queries/**/*.graphql", "!queries/old/**"]
///     output: Sources/API
///     scalars: { DateTime: Date }
///     keyFields: { Bird: id }
public struct GenerationPlan: Sendable {
  /// Settings of code generation.
  public var settings = GenerationSettings()
  /// Sources of the schema: SDL files or patterns, an introspection result, or a URL.
  public var schema: [String] = []
  /// Patterns for document files: `queries/**/*.graphql`. A leading `!` excludes files.
  public var documents: [String] = []
  /// The folder for generated files.
  public var output = ""
  /// Requests for schemas at URLs, each with its own headers.
  package private(set) var requests: [ProjectRequest] = []
  /// The base of relative paths.
  public var folder = "."
  /// An output folder from the caller, relative to the current directory. It overrides the configuration.
  public var namedOutput: String?

  /// File names of configurations.
  public static let fileNames = ["apus-generate.yml", "apus-generate.yaml"]
  /// File names of graphql-config.
  public static let graphqlConfigNames = ProjectFile.graphqlConfigNames

  /// Creates a plan without schema, documents and output.
  public init() {}

  /// The folder of the configuration, and the region that its paths may refer to.
  package var root: ProjectRoot {
    var root = ProjectRoot.project(in: folder)
    root.refusesOthers = refusesOthers
    return root
  }

  /// Whether files of other users are refused, because the user did not name the configuration.
  package var refusesOthers = false
  /// The root of the documents, if another file names them.
  private var documentRoot: ProjectRoot?

  /// Uses the documents of a graphql-config project if the configuration itself names none.
  package mutating func useDocuments(of project: GraphQLConfig.Project, in file: ProjectFile) {
    guard documents.isEmpty else { return }
    documents = project.documentPatterns
    documentRoot = file.root
  }

  /// A source of the schema: files relative to the current directory, or a URL.
  package enum SchemaPart: Sendable {
    case files(FileList)
    case url(String)
  }

  /// Sources that form the schema, in order.
  package var schemaParts: [SchemaPart] {
    let sources = schema.filter { !$0.hasPrefix("!") }
    let patterns = sources.map { source in
      Self.isURL(source) ? nil : ProjectDefinition.filesOfFolder(source, ProjectDefinition.documentEndings, in: folder)
    }
    let excluded = schema.filter { $0.hasPrefix("!") }.map {
      ProjectDefinition.filesOfFolder($0, ProjectDefinition.documentEndings, in: folder)
    }
    // One search for all patterns, since each one visits the same folders.
    let list = root.files(patterns.compactMap(\.self) + excluded, in: folder)
    let index = FilePatternIndex(patterns.map { $0 ?? "" })
    let first = patterns.firstIndex { $0 != nil }
    var lists = [FileList](repeating: FileList(), count: sources.count)
    for file in list.files {
      for part in index.indices(matching: file) { lists[part].files.append(FilePattern.absolute(file, in: folder)) }
    }
    for refusal in list.refusals {
      // A refusal of a whole search belongs to no single pattern.
      if let part = index.indices(matching: refusal.path).min() ?? first { lists[part].refusals.append(refusal) }
    }
    return sources.indices.map { patterns[$0] == nil ? .url(sources[$0]) : .files(lists[$0]) }
  }

  /// Document files relative to the current directory, and those that were refused.
  package var documentFiles: FileList { files(documents, endings: HostLanguage.endings, in: documentsRoot) }

  /// Patterns for documents that no file matches.
  package var unmatchedDocuments: [String] {
    let named = documents.filter { !$0.hasPrefix("!") }
    let patterns = named.map { ProjectDefinition.filesOfFolder($0, HostLanguage.endings, in: folder) }
    let unmatched = Set(documentsRoot.files(patterns, in: folder).unmatched(patterns))
    return zip(named, patterns).filter { unmatched.contains($0.1) }.map(\.0)
  }

  package var documentsRoot: ProjectRoot { documentRoot ?? root }

  /// Whether a source is a URL. As in graphql-config, a leading variable is one: `$BIRDS_URL`.
  private static func isURL(_ source: String) -> Bool { source.contains("://") || source.hasPrefix("$") }

  /// Returns the contents of a file with documents or a part of the schema.
  package func read(_ file: String) throws(FileRefusal) -> [UInt8] {
    do throws(FileRefusal) {
      return try root.read(file)
    } catch {
      guard let documentRoot, case .outside = error.reason else { throw error }
      return try documentRoot.read(file)
    }
  }

  /// Returns the files that match patterns; for a folder, those with one of the endings.
  private func files(_ patterns: [String], endings: [String], in root: ProjectRoot) -> FileList {
    var list = root.files(
      patterns.map { ProjectDefinition.filesOfFolder($0, endings, in: folder) }, in: folder)
    list.files = list.files.map { FilePattern.absolute($0, in: folder) }
    return list
  }

  /// The output folder relative to the current directory.
  public var outputPath: String { namedOutput ?? FilePattern.absolute(output, in: folder) }

  /// Returns the folder for generated files. The folder in an untrusted configuration must be inside its project, which
  /// is its repository, or else its own folder.
  ///
  /// - Throws: `GenerationError` if the folder is outside the project.
  public func outputFolder() throws(GenerationError) -> OutputFolder {
    if let namedOutput { return OutputFolder(namedOutput) }
    return try OutputFolder(outputPath, within: root)
  }

  /// Reads a configuration: an `apus-generate.yml`, or a graphql-config file, whose `extensions.codegen` overrides its
  /// other settings.
  ///
  /// - Parameters:
  /// - hasEndpoint: Whether the schema comes from elsewhere, so that the configuration need not name one.
  /// - output: The folder for generated files relative to the current directory, which overrides the configuration.
  /// - Throws: `GenerationError` with the line if the text is not valid YAML, has an unknown key or value, or lacks a
  ///   schema or an output.
  public init(
    reading text: String, file: String, hasEndpoint: Bool = false, output namedOutput: String? = nil
  ) throws(GenerationError) {
    self.namedOutput = namedOutput
    do throws(ConfigurationError) {
      if ProjectFile.isGraphQLConfig(file) {
        let root = try ProjectFile.tree(Array(text.utf8), file: file)
        let project = Self.project(of: root)
        try read(sources: project)
        if let codegen = project["extensions"]?["codegen"] { try read(codegen, isWhole: false) }
        let excluded = if let exclude = project["exclude"] { try Self.list(exclude, "exclude") } else { [String]() }
        documents += excluded.filter { !$0.hasPrefix("!") }.flatMap { ["!\($0)", "!\($0)/**"] }
      } else {
        try read(try YAMLParser.parse(text, file: file), isWhole: true)
      }
      guard hasEndpoint || !schema.isEmpty else {
        throw ConfigurationError(file: file, "it names no schema ('schema: …')")
      }
      guard namedOutput != nil || !output.isEmpty else {
        throw ConfigurationError(file: file, "it names no output folder ('output: …')")
      }
    } catch {
      throw GenerationError([
        GenerationDiagnostic(file: error.file, line: error.line, column: error.column, message: error.message)
      ])
    }
    folder = "\(FilePath(file).folder)"
  }

  /// Returns the project of a graphql-config file to generate code for: the first with `extensions.codegen`, else the
  /// first.
  private static func project(of root: YAMLNode) -> YAMLNode {
    let projects = root["projects"].flatMap { try? $0.members("projects") }?.map(\.value) ?? []
    return projects.first { $0["extensions"]?["codegen"] != nil } ?? projects.first ?? root
  }

  private mutating func read(sources node: YAMLNode) throws(ConfigurationError) {
    if let schema = node["schema"] { try read(schema: schema) }
    if let documents = node["documents"] { self.documents = try Self.list(documents, "documents") }
  }

  private mutating func read(_ node: YAMLNode, isWhole: Bool) throws(ConfigurationError) {
    try node.allow(
      keys: [
        "schema", "documents", "output", "access", "files", "module", "scalars", "imports", "selections",
        "minify", "keyFields", "headers", "skipInvalid", "mocks",
      ], in: "the configuration")
    try read(sources: node)
    if let output = node["output"] { self.output = try output.string("output") }
    if let access = node["access"] { settings.access = try Self.choice(access, "access") }
    if let files = node["files"] { settings.files = try Self.choice(files, "files") }
    if let module = node["module"] { settings.module = try module.string("module") }
    for member in try node["scalars"]?.members("scalars") ?? [] {
      settings.scalars[member.key] = try member.value.string("the type of the scalar \(member.key)")
    }
    if let imports = node["imports"] { settings.imports = try Self.list(imports, "imports") }
    if let selections = node["selections"] { settings.selections = try Self.selections(selections) }
    if let minify = node["minify"] { settings.minifiesDocuments = try minify.bool("minify") }
    if let mocks = node["mocks"] { settings.mocks = try mocks.bool("mocks") }
    if let skip = node["skipInvalid"] { settings.skipsInvalid = try skip.bool("skipInvalid") }
    for member in try node["keyFields"]?.members("keyFields") ?? [] {
      settings.keyFields[member.key] = try member.value.string("the key fields of \(member.key)")
        .split(separator: " ").map(String.init)
    }
    // The headers of the configuration are sent only to the URLs that it names itself.
    let headers = try Self.headers(node["headers"])
    for index in requests.indices { requests[index].headers += headers }
  }

  private static func headers(_ node: YAMLNode?) throws(ConfigurationError) -> [ProjectRequest.Header] {
    var headers: [ProjectRequest.Header] = []
    for member in try node?.members("headers") ?? [] {
      let text = try member.value.string("the header \(member.key)")
      try Profile.checkHeader(member, text)
      headers.append(ProjectRequest.Header(name: member.key, value: ProjectText(text)))
    }
    return headers
  }

  private mutating func add(schema source: String, headers: [ProjectRequest.Header] = []) {
    schema.append(source)
    guard Self.isURL(source) else { return }
    requests.append(
      ProjectRequest(
        name: "schema", purpose: "the schema of 'apus generate'", url: ProjectText(source), headers: headers))
  }

  private mutating func read(schema node: YAMLNode) throws(ConfigurationError) {
    let nodes: [YAMLNode]
    if case .sequence(let elements) = node.value { nodes = elements } else { nodes = [node] }
    for node in nodes {
      // graphql-config writes a URL with headers as `- https://…: { headers: … }`.
      guard case .mapping(let members) = node.value else {
        add(schema: try node.string("schema"))
        continue
      }
      for member in members {
        add(schema: member.key, headers: try Self.headers(member.value["headers"]))
      }
    }
  }

  private static func list(_ node: YAMLNode, _ what: String) throws(ConfigurationError) -> [String] {
    guard case .sequence(let elements) = node.value else { return [try node.string(what)] }
    var texts: [String] = []
    for element in elements { texts.append(try element.string(what)) }
    return texts
  }

  private static func choice<PopupChoice: CaseIterable & RawRepresentable<String>>(
    _ node: YAMLNode, _ what: String
  ) throws(ConfigurationError) -> PopupChoice {
    guard let choice = PopupChoice(rawValue: try node.string(what)) else {
      throw node.error(
        "\(what) must be one of \(PopupChoice.allCases.map(\.rawValue).filter { $0 != "plugin" }.joined(separator: ", "))"
      )
    }
    return choice
  }

  private static func selections(_ node: YAMLNode) throws(ConfigurationError) -> GenerationSettings.SelectionChoice {
    if case .sequence = node.value { return .some(try list(node, "selections")) }
    return switch try node.string("selections") {
    case "none": .none
    case "all": .all
    default: throw node.error("selections must be none, all, or a list of types and fields")
    }
  }
}
