import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// Computes the diagnostics of files: syntax, validation rules, deprecations, and fragments that no operation uses.
///
/// A file is validated together with the files whose fragments it needs and those that use the same names, so that its
/// diagnostics do not depend on which files were requested.
struct DiagnosticsFeature {
  let project: Project
  let client: ClientCapabilities
  private let validatedFiles: [TextFile]
  private var found: [FilePath: [JSONValue]] = [:]

  /// Returns the diagnostics of files by path, including files without any.
  static func diagnostics(
    of paths: some Collection<FilePath>, in project: Project, client: ClientCapabilities
  ) -> [FilePath: [JSONValue]] {
    var feature = DiagnosticsFeature(project, paths.sorted().compactMap { project.files[$0] }, client)
    feature.validate()
    return feature.found
  }

  private init(_ project: Project, _ files: [TextFile], _ client: ClientCapabilities) {
    self.project = project
    self.client = client
    validatedFiles = files
    for file in files { found[file.path] = [] }
  }

  private enum Severity: Int {
    case error = 1
    case warning = 2
    case information = 3
  }

  private mutating func validate() {
    for file in validatedFiles {
      for unit in file.units where !unit.hasGaps { addSyntax(unit, file) }
    }
    validateExecutables()
    validateSchema()
  }

  private mutating func addSyntax(_ unit: GraphQLRegion, _ file: TextFile) {
    for diagnostic in unit.document.diagnostics {
      let range = diagnostic.range.lowerBound + unit.start..<diagnostic.range.upperBound + unit.start
      add(diagnostic.message, "SyntaxError", .error, range, file)
    }
  }

  // MARK: Executable documents

  /// Unused fragments are determined for the entire project instead.
  private static let rules =
    EditingDiagnostics.rules(complete: true).filter { $0.name != "NoUnusedFragmentsRule" } + Validator.lints
  private static let lintNames = Set(Validator.lints.map { $0.name })

  private mutating func validateExecutables() {
    let executable = validatedFiles.filter { !$0.executables.isEmpty }
    guard !executable.isEmpty else { return }
    let paths = Set(executable.map(\.path))
    var others = project.index.needed(by: paths)
    for definition in paths.flatMap({ project.index.summaries[$0] ?? [] }) {
      guard let name = definition.name else { continue }
      others.formUnion(
        definition.isFragment
          ? project.index.files(definingFragment: name) : project.index.files(definingOperation: name))
    }
    let files = executable + others.subtracting(paths).sorted().compactMap { project.files[$0] }
    let joined = CombinedDocument(
      files.flatMap { file in file.executables.map { CombinedDocument.Member(file: file, unit: $0) } })
    for error in Validator.validate([joined.document], schema: project.schema, rules: Self.rules) {
      add(error, in: joined, of: paths)
    }
    addUnusedFragments(executable)
  }

  private mutating func add(_ error: ValidationError, in joined: CombinedDocument, of paths: Set<FilePath>) {
    let places = error.ranges.compactMap { range in
      joined.location(of: EditingDiagnostics.head(of: range, in: joined.document.source.bytes))
    }
    // A directive is at fault where it is, whatever leads there.
    let isAtFirst = error.rule == "DeferStreamDirectiveOnValidOperationsRule"
    for place in isAtFirst ? Array(places.prefix(1)) : reportedPlaces(places) where paths.contains(place.file.path) {
      add(error, at: place, of: places)
    }
  }

  private typealias ErrorPlace = (file: TextFile, unit: GraphQLRegion, range: Range<Int>)

  private mutating func add(_ error: ValidationError, at place: ErrorPlace, of places: [ErrorPlace]) {
    let isBroken = place.unit.document.hasErrors || place.unit.hasGaps
    if isBroken, !Validator.rulesOfIncompleteText.contains(error.rule) { return }
    var severity = Severity.error
    var tags: [Int] = []
    switch error.rule {
    case "NoDeprecatedCustomRule":
      severity = .warning
      tags = [2]
    case "NoUnusedVariablesRule": tags = [1]
    case _ where Self.lintNames.contains(error.rule): severity = .information
    default: break
    }
    let related = places.filter { $0.file.path != place.file.path || $0.range != place.range }
      .map { (file: $0.file, range: $0.range) }
    add(error.fullMessage, error.rule, severity, place.range, place.file, tags: tags, related: related)
  }

  /// Returns the locations where an error is reported. If they are in several files, the error is reported in the
  /// file that depends on the others, because it is validated whenever one of them changes, or in each file if none does.
  private func reportedPlaces(_ places: [ErrorPlace]) -> [ErrorPlace] {
    let files = Set(places.map(\.file.path))
    guard files.count > 1 else { return Array(places.prefix(1)) }
    let needing = places.first { place in
      files.subtracting([place.file.path]).isSubset(of: project.index.needed(by: [place.file.path]))
    }
    if let needing { return [needing] }
    return files.sorted().compactMap { path in places.first { $0.file.path == path } }
  }

  private mutating func addUnusedFragments(_ files: [TextFile]) {
    guard files.contains(where: { project.index.summaries[$0.path]?.contains(where: \.isFragment) ?? false }) else {
      return
    }
    let isAlone = isAlone
    let unused = isAlone ? [] : project.index.unusedFragments
    for file in files {
      for unit in file.units where !unit.document.hasErrors {
        let fragments =
          isAlone
          ? unit.document.fragments.filter { project.index.isUnused($0.name.value) }
          : unit.document.fragments.filter { unused.contains($0.name.value) }
        for fragment in fragments
        where !NoUnusedFragmentsRule.isUsedByClient(fragment, schemaOfDocuments(unit.document)) {
          let range = EditingDiagnostics.head(of: fragment.range, in: unit.document.source.bytes)
          add(
            "Fragment \"\(fragment.name.value)\" is never used.", "NoUnusedFragmentsRule", isAlone ? .error : .warning,
            range.lowerBound + unit.start..<range.upperBound + unit.start, file, tags: [1])
        }
      }
    }
  }

  /// Whether the project has a single document, which is not part of a configured project: code cannot use its fragments.
  private var isAlone: Bool {
    switch project.origin {
    case .config: return false
    case .folder, .none: break
    }
    var count = 0
    for file in project.files.values {
      count += file.executables.count
      if count > 1 { return false }
    }
    return count == 1
  }

  private func schemaOfDocuments(_ document: Document) -> Schema? { project.schema?.read(for: [document]) }

  // MARK: Schemas

  private mutating func validateSchema() {
    let files = validatedFiles.filter { project.isSchemaFile($0.path) }
    if !files.isEmpty, let schema = project.schema { validate(schema: schema, in: files) }
    let paths = Set(validatedFiles.map(\.path))
    validateSeparateSchemas()
    let apart = project.definitionsApart
    guard apart.contains(where: { paths.contains($0.file.path) }) else { return }
    let separate = apart.map(\.document)
    // Without a query type they extend the project's schema.
    let isAddition = project.origin.namesSchema && !separate.defineQueries
    let schema = Schema.load(sdl: (isAddition ? project.schema?.documents ?? [] : []) + separate)
    validate(schema: schema, in: apart.map(\.file).filter { paths.contains($0.path) })
  }

  /// Validates the definitions that no project names, each with those that belong to it.
  private mutating func validateSeparateSchemas() {
    let files = validatedFiles.filter { project.separateSchemas[$0.path] != nil }
    var seen: Set<FilePath> = []
    for file in files {
      guard let separate = project.separateSchemas[file.path], seen.insert(separate.first).inserted else { continue }
      let members = files.filter { project.separateSchemas[$0.path]?.first == separate.first }
      validate(schema: separate.schema, in: members, first: separate.first)
    }
  }

  /// - Parameter first: The file for errors without a location, such as a missing query type.
  private mutating func validate(schema: Schema, in files: [TextFile], first: FilePath? = nil) {
    let filesByPath = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
    let findings =
      Validator.validate(schema: schema).map { ($0, Severity.error) }
      + Validator.warnings(schema: schema).map { ($0, .warning) }
    for (error, severity) in findings {
      guard !error.sources.isEmpty else {
        if let file = files.first, file.path == first ?? project.schemaFiles.first ?? file.path,
          !file.definitions.isEmpty
        {
          add(error.message, error.rule, severity, 0..<0, file)
        }
        continue
      }
      // Each location refers to its own source.
      let places = zip(error.sources, zip(error.locations, error.ranges)).compactMap { name, place -> FilePlace? in
        guard let file = project.files[FilePath(name)] else { return nil }
        // While another schema file has syntax errors, the schema was built from an earlier text of this one.
        let start = min(place.0.offset, file.source.bytes.count)
        let whole = start..<min(start + place.1.count, file.source.bytes.count)
        return (file, EditingDiagnostics.head(of: whole, in: file.source.bytes))
      }
      guard
        let place = places.first(where: { place in
          filesByPath[place.file.path] != nil
            && place.file.unit(at: place.range.lowerBound)?.document.hasErrors == false
        })
      else { continue }
      let related = places.filter { $0.file.path != place.file.path || $0.range != place.range }
      add(error.fullMessage, error.rule, severity, place.range, place.file, related: related)
    }
  }

  private typealias FilePlace = (file: TextFile, range: Range<Int>)

  // MARK: Conversion to the protocol

  private mutating func add(
    _ message: String, _ rule: String, _ severity: Severity, _ range: Range<Int>, _ file: TextFile, tags: [Int] = [],
    related: [(file: TextFile, range: Range<Int>)] = []
  ) {
    let message =
      client.takesRelatedInformation
      ? message : Self.message(message, rule, related: related.map { ($0.file, $0.range) })
    var members: [(String, JSONValue)] = [
      ("range", client.encoding.range(of: range, in: file.source)), ("severity", JSONValue(severity.rawValue)),
      ("code", JSONValue(rule)), ("source", "apus"), ("message", JSONValue(message)),
    ]
    if !tags.isEmpty { members.append(("tags", .array(tags.map { JSONValue($0) }))) }
    if client.takesRelatedInformation, !related.isEmpty {
      let places = related.map { file, range -> JSONValue in
        [
          "location": ["uri": JSONValue(file.uri), "range": client.encoding.range(of: range, in: file.source)],
          "message": "related location",
        ]
      }
      members.append(("relatedInformation", .array(places)))
    }
    found[file.path]?.append(.object(members))
  }
}

extension DiagnosticsFeature {
  /// Returns the message with the other places of a name that must be unique, for clients without related information.
  private static func message(_ message: String, _ rule: String, related: [(file: TextFile, range: Range<Int>)])
    -> String
  {
    guard rule.hasPrefix("Unique") || rule == "DeferStreamDirectiveLabelRule", !related.isEmpty else { return message }
    let places = related.map { file, range in
      let place = file.source.location(at: range.lowerBound)
      return "\(file.path):\(place.line):\(place.column)"
    }
    return "\(message) It is also at \(places.joined(separator: ", "))."
  }
}

extension WorkspaceSnapshot {
  /// Handles `textDocument/diagnostic`.
  func pulledDiagnostics(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let (project, file) = try file(params)
    let found = DiagnosticsFeature.diagnostics(of: [file.path], in: project, client: client)
    return ["kind": "full", "items": .array(found[file.path] ?? [])]
  }

  /// Handles `workspace/diagnostic`. Returns the files with diagnostics, and those that only had diagnostics in the
  /// client's previous result.
  func workspaceDiagnostics(_ params: JSONValue) throws(RPCError) -> JSONValue {
    let reportedURIs = Set((params["previousResultIds"] ?? .null).elements.compactMap { $0["uri"]?.string })
    var gone = reportedURIs
    var items: [JSONValue] = []
    for (key, project) in workspace.projects {
      let paths = project.files.keys.filter { workspace.key(of: $0) == key && workspace.hasDiagnostics($0) }
      try Self.checkCancellation()
      for (path, found) in DiagnosticsFeature.diagnostics(of: paths, in: project, client: client).sorted(by: {
        $0.key < $1.key
      }) {
        guard let file = project.files[path], !found.isEmpty || reportedURIs.contains(file.uri) else { continue }
        gone.remove(file.uri)
        items.append([
          "uri": JSONValue(file.uri), "version": file.version.map { JSONValue($0) } ?? .null, "kind": "full",
          "resultId": "1", "items": .array(found),
        ])
      }
    }
    for uri in gone.sorted() {
      items.append(["uri": JSONValue(uri), "version": .null, "kind": "full", "items": []])
    }
    return ["items": .array(items)]
  }
}
