import ApusConfiguration
import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLProjects
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON

/// `apus schema lint`: lints a schema by the rules of `config.yml` or another file, and fixes problems that have a certain
/// fix.
struct SchemaLintCommand: Sendable {
  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    let settings = try settings()
    var (schema, files) = try await load()
    SchemaSource.warn(of: schema)
    var findings = SchemaLinter.lint(schema, settings: settings)
    try CommandError.checkInterruption()
    if arguments.has("fix") {
      try fix(schema, files, findings)
      (schema, files) = try await load()
      findings = SchemaLinter.lint(schema, settings: settings)
    }
    let hasPlaces = !schema.isIntrospected
    let printed = findings.map { finding in
      FileDiagnostic(
        severity: finding.severity == .error ? .error : .warning, rule: finding.rule, message: finding.message,
        places: hasPlaces ? [FileDiagnostic.Location(GitRevision.path(of: finding.source), finding.location)] : [])
    }
    let format = arguments.choice("output", default: DiagnosticFormat.text)
    let names = hasPlaces ? schema.documents.map { GitRevision.path(of: $0.source.name) } : arguments.operands
    format.print(printed, of: "apus schema lint", files: names) {
      ["findings": .array(zip(findings, printed).map(json))]
    }
    return findings.contains { $0.severity == .error } ? .resultErrors : .success
  }

  /// Returns the schema of one source, or of several files of definitions together, and the files.
  private func load() async throws(CommandError) -> (Schema, [LocalFile]) {
    let words = arguments.operands
    if words.count == 1, !FilePattern.isFolder(words[0]), !FilePattern.isPattern(words[0]) {
      return (try await SchemaSource.load(words[0], arguments), [LocalFile(named: words[0])])
    }
    let files = try NamedFiles.named(by: arguments, for: .schema)
    return (try SchemaSource.load(files: files), files)
  }

  private func fix(_ schema: Schema, _ files: [LocalFile], _ findings: [LintDiagnostic]) throws(CommandError) {
    guard !schema.isIntrospected else { throw unfixable }
    for document in schema.documents {
      if GitRevision.path(of: document.source.name) != document.source.name {
        throw .usage("--fix cannot change \(document.source.name) in a git revision", command: name)
      }
      guard let text = SchemaLinter.fixed(document, findings) else { continue }
      let file = files.first { FilePath($0.path) == FilePath(document.source.name) }
      try file?.replace(with: text, over: document.source.bytes)
    }
  }

  /// The failure for a source that cannot be fixed. Exit code 2 would mean that nothing was sent.
  private var unfixable: CommandError {
    let source = arguments.operands.first ?? "the project's schema"
    let refusal = CommandError.usage(
      "--fix changes only SDL files (.graphql), not \(source)", command: name)
    return SchemaSource.isFile(source)
      ? refusal : CommandError(exitCode: .resultErrors, message: refusal.message)
  }

  private var name: String { arguments.command.name }

  private func json(_ finding: LintDiagnostic, _ printed: FileDiagnostic) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("severity", JSONValue(finding.severity.rawValue)), ("rule", JSONValue(finding.rule)),
      ("message", JSONValue(finding.message)),
    ]
    if let coordinate = finding.coordinate { members.append(("coordinate", JSONValue("\(coordinate)"))) }
    if let place = printed.places.first {
      members += [
        ("file", JSONValue(place.file)), ("line", JSONValue(place.line)), ("column", JSONValue(place.column)),
      ]
    }
    members.append(("fixable", JSONValue(!finding.fix.isEmpty)))
    return .object(members)
  }

  // MARK: Settings

  private func settings() throws(CommandError) -> [String: SchemaLinter.Setting] {
    do throws(ConfigurationError) {
      guard let file = arguments.value("config") else {
        let settings = try Settings.load()
        try settings.check(.lint)
        return try Self.settings(settings.lint)
      }
      guard let given = try LintSettings.read(file) else {
        throw ConfigurationError(file: file, "No such file or directory")
      }
      return try Self.settings(given)
    } catch {
      throw .file("\(error)")
    }
  }

  /// Checks the settings against the existing rules and options.
  static func settings(_ given: LintSettings) throws(ConfigurationError) -> [String: SchemaLinter.Setting] {
    var settings: [String: SchemaLinter.Setting] = [:]
    for rule in given.rules {
      guard let declaredRule = SchemaLinter.rule(named: rule.entry.name) else {
        let names = SchemaLinter.rules.map { $0.name }
        throw rule.entry.error("unknown rule '\(rule.entry.name)'" + NameSuggestions.hint(rule.entry.name, names))
      }
      var setting = SchemaLinter.Setting()
      if let severity = rule.entry.values.first {
        setting.severity = LintSeverity(rawValue: severity)
        if setting.severity == nil {
          throw rule.entry.error("\(declaredRule.name) must be off, warning or error, not '\(severity)'")
        }
      }
      for option in rule.options { setting.options[option.name] = try values(option, of: declaredRule) }
      settings[declaredRule.name] = setting
    }
    return settings
  }

  private static func values(
    _ option: LintSettings.Entry, of rule: any SchemaLintRule.Type
  ) throws(ConfigurationError) -> [String] {
    guard let declaredOption = rule.options.first(where: { $0.name == option.name }) else {
      let names = rule.options.map(\.name)
      let all = names.isEmpty ? "; it has none" : "; it has \(names.joined(separator: ", "))"
      throw option.error("\(rule.name) has no option '\(option.name)'\(MisspelledName.hint(option.name, names) ?? all)")
    }
    if declaredOption.takesList { return option.values }
    guard option.values.count == 1, declaredOption.choices.contains(option.values[0]) else {
      throw option.error(
        "\(declaredOption.name) of \(rule.name) must be one of \(declaredOption.choices.joined(separator: ", "))")
    }
    return option.values
  }
}
