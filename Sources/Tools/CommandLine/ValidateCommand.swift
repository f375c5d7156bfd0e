import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// `apus validate`: judges executable documents against a schema, or without one by their syntax and the rules that need
/// none; and type-system documents as a schema of their own.
///
/// All files of a kind are judged together: fragments of one are known to the others, and names are unique over all.
struct ValidateCommand: Sendable {
  let arguments: ParsedArguments

  func run() async throws(CommandFailure) -> ExitCode {
    var schema: Schema?
    if let source = arguments.value("schema") {
      let loaded = try await SchemaSource.load(source, arguments)
      SchemaSource.warn(of: loaded)
      schema = loaded
    }
    var documents: [Document] = []
    for file in arguments.operands { documents.append(Document(parsing: try LocalFile.read(file), name: file)) }

    let executable = documents.filter { !$0.isTypeSystem }
    let definitions = documents.filter(\.isTypeSystem)
    var report = ValidationReport(documents)
    report.add(Validator.validate(executable, schema: schema))
    let own = definitions.isEmpty ? nil : Schema.load(sdl: definitions)
    if let own { report.add(Validator.validate(schema: own)) }
    if arguments.has("lint") {
      report.addWarnings(Validator.validate(executable, schema: schema, rules: Validator.lints))
      if let own { report.addWarnings(Validator.validate(schema: own, rules: Validator.schemaLints)) }
    }

    if arguments.value("output") == "json" {
      StandardStreams.output(JSONWriter.compact(report.json(withWarnings: arguments.has("lint"))) + "\n")
    } else {
      for line in report.lines { StandardStreams.show(line + "\n") }
    }
    return report.errors.isEmpty ? .success : .resultHasErrors
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
    let file = error.sources.first ?? files.first ?? ""
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
