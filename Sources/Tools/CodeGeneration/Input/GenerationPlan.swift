import ApusConfiguration
import ApusGraphQLProjects

/// What a generation reads and writes: a configuration file, with its paths taken from the folder that it stands in.
public struct GenerationPlan: Sendable {
  /// What is generated, and how.
  public var settings = GenerationSettings()
  /// Where the schema comes from: SDL files (patterns too), an introspection result, or a URL.
  public var schema: [String] = []
  /// Files of documents, as patterns; those with a `!` before them take files away.
  public var documents: [String] = []
  /// The folder that the generated files go to.
  public var output = ""
  /// The requests for the schemas that are at URLs, each with its own headers; the first is the one that is sent.
  package private(set) var requests: [ProjectRequest] = []
  /// Relative paths begin here.
  public var folder = "."
  /// An output folder that whoever calls has named, from the working folder; it stands before the file's.
  public var namedOutput: String?

  /// The names under which the configuration is looked for.
  public static let fileNames = ["apus-generate.yml", "apus-generate.yaml"]
  /// The names of graphql-config files.
  public static let graphqlConfigNames = ProjectFile.graphqlConfigNames

  /// A plan without schema, documents and output.
  public init() {}

  /// The folder of the configuration, and the region that its paths may reach.
  package var root: ProjectRoot {
    var root = ProjectRoot.project(in: folder)
    root.refusesOthers = refusesOthers
    return root
  }

  /// Whether files of other users are refused: where no user named the configuration.
  package var refusesOthers = false
  /// The root of the documents where another file names them.
  private var documentRoot: ProjectRoot?

  /// Takes the documents that a graphql-config project names, where the configuration itself names none.
  package mutating func takeDocuments(of project: GraphQLConfig.Project, in file: ProjectFile) {
    guard documents.isEmpty else { return }
    documents = project.documentPatterns
    documentRoot = file.root
  }

  /// A source of the schema: files, from the working folder, or a URL.
  package enum SchemaPart: Sendable {
    case files(FileList)
    case url(String)
  }

  /// The sources that make the schema together, in their order.
  package var schemaParts: [SchemaPart] {
    let unwanted = schema.filter { $0.hasPrefix("!") }
    return schema.filter { !$0.hasPrefix("!") }.map { source in
      Self.isURL(source)
        ? .url(source) : .files(files([source] + unwanted, endings: ProjectDefinition.documentEndings, in: root))
    }
  }

  /// The files that hold documents, from the working folder, and those that were refused.
  package var documentFiles: FileList { files(documents, endings: HostLanguage.endings, in: documentsRoot) }

  /// The root of the documents.
  package var documentsRoot: ProjectRoot { documentRoot ?? root }

  /// Whether a source is a URL. One that begins with a variable is, as in a graphql-config file.
  private static func isURL(_ source: String) -> Bool { source.contains("://") || source.hasPrefix("$") }

  /// The bytes of a file that holds documents or a part of the schema.
  package func read(_ file: String) throws(FileRefusal) -> [UInt8] {
    do throws(FileRefusal) {
      return try root.read(file)
    } catch {
      guard let documentRoot, case .outside = error.reason else { throw error }
      return try documentRoot.read(file)
    }
  }

  /// The files that patterns match; of a folder those whose names end in one of the given ways.
  private func files(_ patterns: [String], endings: [String], in root: ProjectRoot) -> FileList {
    var list = root.files(
      patterns.map { ProjectDefinition.filesOfFolder($0, endings, in: folder) }, in: folder)
    list.files = list.files.map { FilePattern.absolute($0, in: folder) }
    return list
  }

  /// The output folder, from the working folder.
  public var outputPath: String { namedOutput ?? FilePattern.absolute(output, in: folder) }

  /// The folder that generated files go to. A configuration that somebody else wrote decides about no place outside its
  /// project: that is the repository that it stands in, or else its own folder.
  ///
  /// - Throws: `GenerationError` where the folder is outside the project.
  public func outputFolder() throws(GenerationError) -> OutputFolder {
    if let namedOutput { return OutputFolder(namedOutput) }
    return try OutputFolder(outputPath, within: root)
  }

  /// Reads a configuration: a file of our own, or a graphql-config file, whose `extensions.codegen` says what it does
  /// not say itself.
  ///
  /// - Parameters:
  ///   - hasEndpoint: The schema comes from elsewhere, so that the configuration need not name one.
  ///   - output: The folder that the generated files go to, from the working folder, whatever the configuration names.
  /// - Throws: `GenerationError` with the line, where the text is no YAML, has a key or a value that is not known, or
  ///   names no schema or no output.
  public init(
    reading text: String, file: String, hasEndpoint: Bool = false, output namedOutput: String? = nil
  ) throws(GenerationError) {
    self.namedOutput = namedOutput
    do throws(ConfigurationError) {
      if ProjectFile.isGraphQLConfig(file) {
        let root = try ProjectFile.tree(Array(text.utf8), file: file)
        let project = Self.project(of: root)
        try read(sources: project)
        if let own = project["extensions"]?["codegen"] { try read(own, isWhole: false) }
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
        Diagnostic(file: error.file, line: error.line, column: error.column, message: error.message)
      ])
    }
    folder = "\(FilePath(file).folder)"
  }

  /// The project of a graphql-config file that code is generated for: the first one that says how, else the first one.
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
    // Those of the configuration go to each URL that it names itself, and to no other.
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
      // graphql-config writes a URL with its headers as `- https://…: { headers: … }`.
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

  private static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ node: YAMLNode, _ what: String
  ) throws(ConfigurationError) -> Choice {
    guard let choice = Choice(rawValue: try node.string(what)) else {
      throw node.error(
        "\(what) is one of \(Choice.allCases.map(\.rawValue).filter { $0 != "plugin" }.joined(separator: ", "))")
    }
    return choice
  }

  private static func selections(_ node: YAMLNode) throws(ConfigurationError) -> GenerationSettings.SelectionChoice {
    if case .sequence = node.value { return .some(try list(node, "selections")) }
    return switch try node.string("selections") {
    case "none": .none
    case "all": .all
    default: throw node.error("selections is none, all, or a list of types and fields")
    }
  }
}
