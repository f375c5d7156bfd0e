import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// `apus validate`: validates executable documents against a schema or, without one, checks their syntax and the rules that
/// need no schema. Validates type-system documents as part of their project's schema, or as a separate schema.
///
/// The schema is that of `--schema` or of a file's project. All files of one project are validated together: they share
/// fragments, and names must be unique among them. The project's other documents contribute their fragments and are not
/// validated.
struct ValidateCommand: Sendable {
  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    let limits = try limits()
    let isNamed = !arguments.values("schema").isEmpty
    let groups = try ProjectGroup.groups(try NamedFiles.named(by: arguments, for: .checkWithSchema), isOne: isNamed)
    var reports: [(name: String?, report: ValidationReport)] = []
    for group in groups {
      var report = ValidationReport(group.files)
      try await validate(group, limits, &report)
      reports.append((group.name, report))
    }
    try CommandError.checkInterruption()
    ProjectGroup.report(partial: groups.flatMap(\.files))
    let all = ValidationReport(joining: reports.map(\.report))
    let format = arguments.choice("output", default: DiagnosticFormat.text)
    format.print(
      all.errors + all.warnings, of: "apus validate", files: groups.flatMap(\.files).map(\.source.name)
    ) { json(all, reports) }
    let fails =
      !all.errors.isEmpty
      || arguments.choice("fail-on", default: FailureLimit.error) == .warning && !all.warnings.isEmpty
    return fails ? .resultErrors : .success
  }

  /// The severity from which on findings fail a run.
  enum FailureLimit: String, CaseIterable {
    case error, warning
  }

  /// Returns all findings as JSON and, for several projects, also the findings of each.
  private func json(
    _ all: ValidationReport, _ reports: [(name: String?, report: ValidationReport)]
  ) -> JSONValue {
    var members = all.json
    if reports.count > 1 {
      let projects = reports.map { name, report -> JSONValue in
        .object([("name", name.map { JSONValue($0) } ?? .null)] + report.json)
      }
      members.append(("projects", .array(projects)))
    }
    return .object(members)
  }

  private func limits() throws(CommandError) -> OperationLimits {
    var limits = OperationLimits()
    limits.maxDepth = try arguments.count("max-depth")
    limits.maxAliases = try arguments.count("max-aliases")
    limits.maxComplexity = try arguments.number("max-complexity")
    if let size = try arguments.count("list-size") { limits.listSize = Double(size) }
    return limits
  }

  private func validate(
    _ group: ProjectGroup, _ limits: OperationLimits, _ report: inout ValidationReport
  ) async throws(CommandError) {
    let definitions = group.files.map { (file: $0, documents: $0.units.map(\.document).filter(\.isTypeSystem)) }
      .filter { !$0.documents.isEmpty }
    let parts = definitions.filter { group.sources?.isPartOfSchema($0.file) ?? false }
    let additions = definitions.filter { definition in
      !parts.contains { $0.file.source === definition.file.source } && group.sources?.names(definition.file) ?? false
    }.flatMap(\.documents)
    let executables = group.executables
    let addsToSchema = !additions.isEmpty && group.sources?.definition.namesSchema == true && !additions.defineQueries
    var schema: Schema?
    if !executables.isEmpty || !parts.isEmpty || addsToSchema {
      schema = try await SchemaSource.load(arguments.values("schema"), arguments)
      if schema == nil { schema = try await group.sources?.schema(arguments) }
    }
    if let schema, !parts.isEmpty { validate(schema: schema, &report) }
    if !additions.isEmpty {
      validate(schema: Schema.load(sdl: (addsToSchema ? schema?.documents ?? [] : []) + additions), &report)
    }
    validateUnnamed(
      definitions.filter { definition in
        !(group.sources.map { $0.isPartOfSchema(definition.file) || $0.names(definition.file) } ?? false)
      }, &report)
    guard !executables.isEmpty else { return }
    if let schema, parts.isEmpty { SchemaSource.warn(of: schema) }
    try validate(executables, of: group, schema, limits, &report)
  }

  /// Validates the definitions of files that no project names, apart from its schema.
  private func validateUnnamed(
    _ definitions: [(file: GraphQLSourceFile, documents: [Document])], _ report: inout ValidationReport
  ) {
    let files = definitions.map { (ProjectSources.resolvedPath(of: $0.file.source.name), $0.documents) }
    for group in SeparateDefinitions.groups(of: files, areNamedTogether: true) {
      validate(schema: Schema.load(sdl: group.flatMap { files[$0].1 }), &report)
    }
  }

  private func validate(
    _ executables: [Document], of group: ProjectGroup, _ schema: Schema?, _ limits: OperationLimits,
    _ report: inout ValidationReport
  ) throws(CommandError) {
    let all = executables + (try group.others())
    // In a project, code may use a fragment that no operation spreads.
    let isAlone = all.count == 1 && group.sources?.isConfigured != true
    let isUnusedFragments = { (rule: any ValidationRule.Type) in rule.name == NoUnusedFragmentsRule.name }
    report.add(
      Validator.validate(
        all, schema: schema, rules: Validator.documentRules.filter { isAlone || !isUnusedFragments($0) }))
    if !isAlone, all.contains(where: { !$0.operations.isEmpty }) {
      report.addWarnings(Validator.validate(all, schema: schema, rules: [NoUnusedFragmentsRule.self]))
    }
    if limits.areSet { report.add(limits.check(all, schema: schema)) }
    guard arguments.has("lint") else { return }
    report.addWarnings(Validator.validate(all, schema: schema, rules: Validator.lints))
  }

  private func validate(schema: Schema, _ report: inout ValidationReport) {
    report.add(Validator.validate(schema: schema))
    report.addWarnings(Validator.warnings(schema: schema))
    if arguments.has("lint") { report.addWarnings(Validator.validate(schema: schema, rules: Validator.schemaLints)) }
  }
}
