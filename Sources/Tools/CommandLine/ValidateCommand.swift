import ApusGraphQLDifference
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
    let limits = try limits()
    var documents: [Document] = []
    for file in try DocumentFiles.named(by: arguments) {
      documents.append(try file.document())
    }
    var report = ValidationReport(documents)
    for group in try groups(documents.filter { !$0.isTypeSystem }) { try await judge(group, limits, &report) }
    let definitions = documents.filter(\.isTypeSystem)
    if !definitions.isEmpty {
      let own = Schema.load(sdl: definitions)
      report.add(Validator.validate(schema: own))
      if arguments.has("lint") { report.addWarnings(Validator.validate(schema: own, rules: Validator.schemaLints)) }
    }
    try CommandFailure.checkInterruption()
    let format = arguments.choice("output", default: FindingFormat.text)
    format.print(report.errors + report.warnings, of: "apus validate", files: documents.map(\.source.name)) {
      report.json(withWarnings: arguments.has("lint"))
    }
    return report.errors.isEmpty ? .success : .resultHasErrors
  }

  private func limits() throws(CommandFailure) -> OperationLimits {
    var limits = OperationLimits()
    limits.maxDepth = try arguments.count("max-depth")
    limits.maxAliases = try arguments.count("max-aliases")
    limits.maxComplexity = try arguments.number("max-complexity")
    if let size = try arguments.count("list-size") { limits.listSize = Double(size) }
    return limits
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

  private func judge(
    _ group: Group, _ limits: OperationLimits, _ report: inout ValidationReport
  ) async throws(CommandFailure) {
    var schema: Schema?
    if let source = arguments.value("schema") {
      schema = try await SchemaSource.load(source, arguments)
    } else {
      schema = try await group.sources?.schema(arguments)
    }
    if let schema { SchemaSource.warn(of: schema) }
    let others = try group.sources?.documents(but: group.documents.map(\.source.name)) ?? []
    report.add(Validator.validate(group.documents + others, schema: schema))
    if limits.areSet { report.add(limits.check(group.documents + others, schema: schema)) }
    guard arguments.has("lint") else { return }
    report.addWarnings(Validator.validate(group.documents + others, schema: schema, rules: Validator.lints))
  }
}
