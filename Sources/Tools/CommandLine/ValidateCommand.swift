import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// `apus validate`: judges executable documents against a schema, or without one by their syntax and the rules that need
/// none; and type-system documents as a schema of their own.
///
/// The schema is the one that is named, or that of the project that a file belongs to. All files that are judged by one
/// schema are judged together: fragments of one are known to the others, and names are unique over all. The other
/// documents of a project are known too, and not judged.
struct ValidateCommand: Sendable {
  let arguments: ParsedArguments

  /// Documents that are judged together.
  private struct Group {
    let sources: ProjectSources?
    var documents: [Document] = []
  }

  func run() async throws(CommandFailure) -> ExitCode {
    var documents: [Document] = []
    for file in try DocumentFiles.named(by: arguments) {
      documents.append(Document(parsing: try LocalFile.read(file), name: file))
    }
    var report = ValidationReport(documents)
    for group in try groups(documents.filter { !$0.isTypeSystem }) { try await judge(group, &report) }
    let definitions = documents.filter(\.isTypeSystem)
    if !definitions.isEmpty {
      let own = Schema.load(sdl: definitions)
      report.add(Validator.validate(schema: own))
      if arguments.has("lint") { report.addWarnings(Validator.validate(schema: own, rules: Validator.schemaLints)) }
    }
    if arguments.value("output") == "json" {
      StandardStreams.output(JSONWriter.compact(report.json(withWarnings: arguments.has("lint"))) + "\n")
    } else {
      for line in report.lines { StandardStreams.show(line + "\n") }
    }
    return report.errors.isEmpty ? .success : .resultHasErrors
  }

  private func groups(_ documents: [Document]) throws(CommandFailure) -> [Group] {
    if arguments.value("schema") != nil { return [Group(sources: nil, documents: documents)] }
    var groups: [Group] = []
    for document in documents {
      let sources = try ProjectSources.find(for: document.source.name)
      let index = groups.firstIndex { $0.sources == sources } ?? groups.endIndex
      if index == groups.endIndex { groups.append(Group(sources: sources)) }
      groups[index].documents.append(document)
    }
    return groups
  }

  private func judge(_ group: Group, _ report: inout ValidationReport) async throws(CommandFailure) {
    var schema: Schema?
    if let source = arguments.value("schema") {
      schema = try await SchemaSource.load(source, arguments)
    } else {
      schema = try await group.sources?.schema(arguments)
    }
    if let schema { SchemaSource.warn(of: schema) }
    let others = try group.sources?.documents(but: group.documents.map(\.source.name)) ?? []
    report.add(Validator.validate(group.documents + others, schema: schema))
    guard arguments.has("lint") else { return }
    report.addWarnings(Validator.validate(group.documents + others, schema: schema, rules: Validator.lints))
  }
}

/// What was found in the files of one call, file by file.
struct ValidationReport {
  private struct Finding {
    let file: String
    let rule: String
    let message: String
    let locations: [(file: String, location: SourceLocation)]
  }

  private let files: [String]
  /// Files that were not understood whole: what the rules would say of them is no news.
  private let broken: Set<String>
  private var found: [Finding] = []
  private var warnings: [Finding] = []

  init(_ documents: [Document]) {
    files = documents.map(\.source.name)
    broken = Set(documents.filter(\.hasErrors).map(\.source.name))
    for document in documents {
      for diagnostic in document.diagnostics {
        let place = document.source.location(at: diagnostic.range.lowerBound)
        found.append(
          Finding(
            file: document.source.name, rule: "SyntaxError", message: diagnostic.message,
            locations: [(document.source.name, place)]))
      }
    }
  }

  mutating func add(_ errors: [ValidationError]) { found += errors.compactMap(finding) }
  mutating func addWarnings(_ errors: [ValidationError]) { warnings += errors.compactMap(finding) }

  var errors: [String] { sorted(found).map { line($0, "error") } }
  var lines: [String] { errors + sorted(warnings).map { line($0, "warning") } }

  func json(withWarnings: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("valid", JSONValue(found.isEmpty)), ("errors", .array(sorted(found).map(json))),
    ]
    if withWarnings { members.append(("warnings", .array(sorted(warnings).map(json)))) }
    return .object(members)
  }

  private func finding(_ error: ValidationError) -> Finding? {
    // What is wrong with the project's other documents was not asked.
    guard let file = error.sources.isEmpty ? files.first ?? "" : error.sources.first(where: files.contains) else {
      return nil
    }
    if error.sources.contains(where: broken.contains) { return nil }
    return Finding(
      file: file, rule: error.rule, message: error.message, locations: Array(zip(error.sources, error.locations)))
  }

  /// In the order of the files.
  private func sorted(_ findings: [Finding]) -> [Finding] {
    let order = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
    return findings.enumerated().sorted {
      (order[$0.element.file] ?? 0, $0.offset) < (order[$1.element.file] ?? 0, $1.offset)
    }.map(\.element)
  }

  private func line(_ finding: Finding, _ severity: String) -> String {
    let place = finding.locations.first.map { ":\($0.location.line):\($0.location.column)" } ?? ""
    return "\(finding.file)\(place): \(severity): \(finding.message) [\(finding.rule)]"
  }

  private func json(_ finding: Finding) -> JSONValue {
    let locations = finding.locations.map { file, location -> JSONValue in
      var members: [(String, JSONValue)] = [
        ("line", JSONValue(location.line)), ("column", JSONValue(location.column)),
      ]
      // Names that must be unique may meet another file's.
      if file != finding.file { members.append(("file", JSONValue(file))) }
      return .object(members)
    }
    return .object([
      ("file", JSONValue(finding.file)), ("rule", JSONValue(finding.rule)), ("message", JSONValue(finding.message)),
      ("locations", .array(locations)),
    ])
  }
}
