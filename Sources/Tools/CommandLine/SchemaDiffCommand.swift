import ApusClientNetwork
import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusJSON

/// `apus schema diff`: lists the changes between two versions of a schema and, if documents are given, the operations
/// that they affect.
struct SchemaDiffCommand: Sendable {
  enum Form: String, CaseIterable {
    case text, json, markdown, sarif
  }

  /// Values of `--fail-on`; safe changes never fail a run.
  static let limits = Criticality.allCases.filter { $0 != .safe }

  let arguments: ParsedArguments

  func run() async throws(CommandError) -> ExitCode {
    let (oldSource, newSource) = (arguments.operands[0], arguments.operands[1])
    // Check the second source before the first one is fetched.
    if !SchemaSource.isFile(newSource) { _ = try SchemaSource.endpoint(newSource, arguments) }
    let old = try await SchemaSource.load(oldSource, arguments)
    let new = try await SchemaSource.load(newSource, arguments)
    for schema in [old, new] { SchemaSource.warn(of: schema) }
    let hasTexts = !old.isIntrospected && !new.isIntrospected
    let difference = SchemaDiff(from: old, to: new, comparesAppliedDirectives: hasTexts)
    let usage = try usage(of: old)
    let changes = difference.changes.map { ClassifiedChange($0, usage) }.enumerated()
      .sorted { ($0.element.criticality, $0.offset) < ($1.element.criticality, $1.offset) }.map(\.element)
    try CommandError.checkInterruption()
    switch arguments.choice("output", default: Form.text) {
    case .json: StandardStreams.output(line: ["changes": .array(changes.map(\.json))])
    case .markdown: StandardStreams.show(markdown(changes, hasDocuments: usage != nil))
    case .sarif: StandardStreams.output(line: SARIFReport.json(changes.map { $0.finding(in: new) }), isPretty: true)
    case .text:
      StandardStreams.show(lines: changes.map(\.line))
      StandardStreams.narrate("apus: \(summary(changes))")
    }
    guard let limit = arguments.value("fail-on").flatMap(Criticality.init) else { return .success }
    return changes.contains { $0.criticality <= limit } ? .resultErrors : .success
  }

  /// Returns the documents' use of the older schema; `nil` if no documents are named.
  private func usage(of schema: Schema) throws(CommandError) -> DocumentUsage? {
    let words = arguments.values("documents")
    guard !words.isEmpty else { return nil }
    let documents = try ProjectGroup.wholeDocuments(of: NamedFiles.files(named: words, for: .check))
    do throws(TooManyUses) {
      return try DocumentUsage(of: documents, in: schema)
    } catch {
      throw .file("\(error)")
    }
  }

  private func summary(_ changes: [ClassifiedChange]) -> String {
    if changes.isEmpty { return "no changes" }
    return Criticality.allCases.map { criticality in
      "\(changes.filter { $0.criticality == criticality }.count) \(criticality.rawValue)"
    }.joined(separator: ", ")
  }

  private func markdown(_ changes: [ClassifiedChange], hasDocuments: Bool) -> String {
    var text = "### Schema changes: \(summary(changes))\n"
    for criticality in Criticality.allCases {
      let group = changes.filter { $0.criticality == criticality }
      guard !group.isEmpty else { continue }
      let name = criticality.rawValue
      text += "\n#### \(name.prefix(1).uppercased() + name.dropFirst())\n\n"
      text += hasDocuments ? "| where | what | used by |\n|---|---|---|\n" : "| where | what |\n|---|---|\n"
      for change in group {
        let place = change.change.coordinate.map { MarkdownText.code("\($0)") } ?? "schema"
        let used = hasDocuments ? " \(MarkdownText.plain(change.operations.joined(separator: ", "))) |" : ""
        text += "| \(place) | \(MarkdownText.plain(change.change.message)) |\(used)\n"
      }
    }
    return text
  }
}

/// A change with its criticality for the given documents.
private struct ClassifiedChange {
  let change: SchemaChange
  /// `.safe` if no operation is affected.
  let criticality: Criticality
  /// Affected operations; empty without documents.
  let operations: [String]
  private let hasDocuments: Bool

  init(_ change: SchemaChange, _ usage: DocumentUsage?) {
    self.change = change
    operations = usage?.operations(meeting: change).map(\.title) ?? []
    hasDocuments = usage != nil
    criticality = hasDocuments && operations.isEmpty ? .safe : change.criticality
  }

  private var isLowered: Bool { criticality != change.criticality }

  /// The change as one line that begins with its criticality.
  var line: String {
    let message = SingleLineText.line(change.message, limit: 2000)
    if isLowered { return "not used: \(message) [\(change.kind.rawValue), \(change.criticality.rawValue) for others]" }
    let line = "\(criticality.rawValue): \(message) [\(change.kind.rawValue)]"
    guard hasDocuments, criticality != .safe else { return line }
    let more = operations.count > 5 ? " and \(operations.count - 5) more" : ""
    return line + " (used by \(operations.prefix(5).joined(separator: ", "))\(more))"
  }

  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("criticality", JSONValue(criticality.rawValue)), ("type", JSONValue(change.kind.rawValue)),
    ]
    if let coordinate = change.coordinate { members.append(("coordinate", JSONValue("\(coordinate)"))) }
    members.append(("message", JSONValue(change.message)))
    if let old = change.old { members.append(("old", JSONValue(old))) }
    if let new = change.new { members.append(("new", JSONValue(new))) }
    if hasDocuments { members.append(("operations", .array(operations.map { JSONValue($0) }))) }
    if isLowered { members.append(("otherwise", JSONValue(change.criticality.rawValue))) }
    return .object(members)
  }

  func finding(in schema: Schema) -> FileDiagnostic {
    let severity: FileDiagnostic.Severity =
      switch criticality {
      case .breaking: .error
      case .dangerous: .warning
      case .safe: .note
      }
    let file = schema.isIntrospected ? nil : schema.documents.first.map { GitRevision.path(of: $0.source.name) }
    return FileDiagnostic(
      severity: severity, rule: change.kind.rawValue, message: change.message, file: file,
      places: file.flatMap { location(in: schema, file: $0) }.map { [$0] } ?? [])
  }

  /// Returns the location of the change, or of its parent, in the newer schema; `nil` if both were removed.
  private func location(in schema: Schema, file: String) -> FileDiagnostic.Location? {
    for coordinate in change.coordinate?.ancestry ?? [] {
      guard let place = schema.find(coordinate)?.place, place.document === schema.documents.first else {
        continue
      }
      return FileDiagnostic.Location(file, place.document.source.location(at: place.name.lowerBound))
    }
    return nil
  }
}

extension SchemaCoordinate {
  /// The element and its parents, up to the type or directive.
  fileprivate var ancestry: [SchemaCoordinate] {
    switch self {
    case .type, .directive: [self]
    case .member(_, let type): [self, .type(type)]
    case .argument(_, let field, let type): [self, .member(field, of: type), .type(type)]
    case .directiveArgument(_, let directive): [self, .directive(directive)]
    }
  }
}
