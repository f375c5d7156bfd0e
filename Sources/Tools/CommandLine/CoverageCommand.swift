import ApusClientFormats
import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// `apus coverage`: reports the schema fields and arguments that operations use, and those that none uses.
struct CoverageCommand: Sendable {
  enum Form: String, CaseIterable {
    case text, json, markdown
  }

  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    let isNamed = !arguments.values("schema").isEmpty
    let groups = try ProjectGroup.groups(try NamedFiles.named(by: arguments, for: .check), isOne: isNamed)
    var reports: [(name: String, coverage: SchemaCoverage)] = []
    for group in groups {
      let documents = try ProjectGroup.wholeDocuments(of: group.files + ProjectSources.imports(of: group.files))
      // A project without executable documents among the named files has nothing to report.
      if documents.isEmpty, groups.count > 1 { continue }
      reports.append((group.name ?? "", try await coverage(of: documents, group)))
    }
    try CommandError.checkInterruption()
    show(reports)
    return .success
  }

  private func coverage(
    of documents: [Document], _ group: ProjectGroup
  ) async throws(CommandError) -> SchemaCoverage {
    let schema = try await schema(group)
    SchemaSource.warn(of: schema)
    do throws(TooManyUses) {
      return try SchemaCoverage(of: documents, in: schema)
    } catch {
      throw .file("\(error)")
    }
  }

  /// Returns the schema named by the user, or the schema of the documents' project.
  private func schema(_ group: ProjectGroup) async throws(CommandError) -> Schema {
    if let schema = try await SchemaSource.load(arguments.values("schema"), arguments) { return schema }
    guard let sources = group.sources, sources.definition.namesSchema, let schema = try await sources.schema(arguments)
    else {
      throw .usage("--schema is missing, and no graphql-config file names a schema", command: "coverage")
    }
    return schema
  }

  /// Prints one report for each project.
  private func show(_ reports: [(name: String, coverage: SchemaCoverage)]) {
    let isOne = reports.count == 1
    switch arguments.choice("output", default: Form.text) {
    case .json:
      let projects = reports.map { ["name": JSONValue($0.name), "coverage": json($0.coverage)] as JSONValue }
      StandardStreams.output(line: isOne ? json(reports[0].coverage) : ["projects": .array(projects)])
    case .markdown:
      for (name, coverage) in reports {
        StandardStreams.show(markdown(coverage, of: isOne ? nil : name) + (isOne ? "" : "\n"))
      }
    case .text:
      for (name, coverage) in reports {
        StandardStreams.show(
          (isOne ? "" : "Project \(TerminalSafeText.of(name)):\n") + text(coverage) + (isOne ? "" : "\n"))
      }
    }
  }

  private func summary(_ coverage: SchemaCoverage) -> [(what: String, used: Int, total: Int)] {
    [("fields", coverage.fields), ("arguments", coverage.arguments)].map { what, members in
      (what, members.filter(\.isUsed).count, members.count)
    }
  }

  private func operations(_ member: SchemaCoverage.Member) -> String {
    member.operations.map(\.title).joined(separator: ", ")
  }

  // MARK: Forms

  private func text(_ coverage: SchemaCoverage) -> String {
    var text = ""
    for (what, used, total) in summary(coverage) { text += "\(used) of \(total) \(what) are used\n" }
    func section(_ title: String, _ members: [SchemaCoverage.Member], _ line: (SchemaCoverage.Member) -> String) {
      guard !members.isEmpty else { return }
      text += "\n\(title):\n"
      for member in members { text += "  \(TerminalSafeText.of(line(member)))\n" }
    }
    let used = (coverage.fields + coverage.arguments).filter(\.isUsed)
    section("Used", used) { "\($0.coordinate): \(operations($0))" }
    section("Deprecated and used", coverage.deprecatedInUse) {
      "\($0.coordinate): \(operations($0)) (\($0.deprecationReason ?? ""))"
    }
    section("Not used", coverage.unused) { "\($0.coordinate)" }
    return text
  }

  private func markdown(_ coverage: SchemaCoverage, of project: String?) -> String {
    var text =
      "### Schema coverage\(project.map { " of \(MarkdownText.plain($0))" } ?? "")\n\n| | used | of |\n|---|---|---|\n"
    for (what, used, total) in summary(coverage) { text += "| \(what) | \(used) | \(total) |\n" }
    if !coverage.deprecatedInUse.isEmpty {
      text += "\n#### Deprecated and used\n\n| where | used by | reason |\n|---|---|---|\n"
      for member in coverage.deprecatedInUse {
        text += "| \(MarkdownText.code("\(member.coordinate)")) | \(MarkdownText.plain(operations(member))) | "
        text += "\(MarkdownText.plain(member.deprecationReason ?? "")) |\n"
      }
    }
    if !coverage.unused.isEmpty {
      text += "\n#### Not used\n\n"
      for member in coverage.unused { text += "- \(MarkdownText.code("\(member.coordinate)"))\n" }
    }
    return text
  }

  private func json(_ coverage: SchemaCoverage) -> JSONValue {
    var members = summary(coverage).map { what, used, total -> (String, JSONValue) in
      (what, ["used": JSONValue(used), "total": JSONValue(total)])
    }
    members.append(
      (
        "types",
        .array(
          coverage.types.map { type in
            ["name": JSONValue(type.name), "fields": .array(type.fields.map(json))]
          })
      ))
    for (name, list) in [("unused", coverage.unused), ("deprecatedInUse", coverage.deprecatedInUse)] {
      members.append((name, .array(list.map { JSONValue("\($0.coordinate)") })))
    }
    return .object(members)
  }

  private func json(_ member: SchemaCoverage.Member) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("coordinate", JSONValue("\(member.coordinate)")),
      ("operations", .array(member.operations.map { JSONValue($0.title) })),
    ]
    if let reason = member.deprecationReason { members.append(("deprecationReason", JSONValue(reason))) }
    if !member.arguments.isEmpty { members.append(("arguments", .array(member.arguments.map(json)))) }
    return .object(members)
  }
}
