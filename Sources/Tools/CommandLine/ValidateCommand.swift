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
    let groups = try ProjectGroup.groups(try NamedFiles.named(by: arguments), isOne: isNamed)
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
    return all.errors.isEmpty ? .success : .resultErrors
  }

  /// Returns all findings as JSON and, for several projects, also the findings of each.
  private func json(
    _ all: ValidationReport, _ reports: [(name: String?, report: ValidationReport)]
  ) -> JSONValue {
    let hasWarnings = arguments.has("lint")
    var members = all.json(withWarnings: hasWarnings)
    if reports.count > 1 {
      let projects = reports.map { name, report -> JSONValue in
        .object([("name", name.map { JSONValue($0) } ?? .null)] + report.json(withWarnings: hasWarnings))
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
    let definitions = group.files.flatMap { file in
      file.units.map(\.document).filter(\.isTypeSystem).map { (file: file, document: $0) }
    }
    let (parts, apart) = definitions.reduce(into: ([Document](), [Document]())) { lists, definition in
      let isPart = group.sources?.isPartOfSchema(definition.file) ?? false
      if isPart { lists.0.append(definition.document) } else { lists.1.append(definition.document) }
    }
    let executables = group.executables
    let addsToSchema = !apart.isEmpty && group.sources?.definition.namesSchema == true && !apart.defineQueries
    var schema: Schema?
    if !executables.isEmpty || !parts.isEmpty || addsToSchema {
      schema = try await SchemaSource.load(arguments.values("schema"), arguments)
      if schema == nil { schema = try await group.sources?.schema(arguments) }
    }
    if let schema, !parts.isEmpty { validate(schema: schema, &report) }
    if !apart.isEmpty {
      validate(schema: Schema.load(sdl: (addsToSchema ? schema?.documents ?? [] : []) + apart), &report)
    }
    guard !executables.isEmpty else { return }
    if let schema, parts.isEmpty { SchemaSource.warn(of: schema) }
    let all = executables + (try group.others())
    report.add(Validator.validate(all, schema: schema))
    if limits.areSet { report.add(limits.check(all, schema: schema)) }
    guard arguments.has("lint") else { return }
    report.addWarnings(Validator.validate(all, schema: schema, rules: Validator.lints))
  }

  private func validate(schema: Schema, _ report: inout ValidationReport) {
    report.add(Validator.validate(schema: schema))
    if arguments.has("lint") { report.addWarnings(Validator.validate(schema: schema, rules: Validator.schemaLints)) }
  }
}
