import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLProjects
import ApusGraphQLValidation
import ApusJSON

/// The findings in the files of one project, sorted by file.
struct ValidationReport {
  private let files: [String]
  private let contents: [String: GraphQLSourceFile]
  /// The names as the user wrote them, by resolved path. A project has other names for its files.
  private let namesOfPaths: [FilePath: String]
  private var found: [FileDiagnostic] = []
  private var noticed: [FileDiagnostic] = []

  init(_ files: [GraphQLSourceFile]) {
    self.files = files.map(\.source.name)
    contents = Dictionary(files.map { ($0.source.name, $0) }) { first, _ in first }
    namesOfPaths = Dictionary(files.map { (ProjectSources.resolvedPath(of: $0.source.name), $0.source.name) }) {
      first, _ in first
    }
    for unit in files.flatMap(\.units) where !unit.hasGaps {
      for diagnostic in unit.document.diagnostics {
        let place = unit.document.source.location(at: diagnostic.range.lowerBound)
        found.append(
          FileDiagnostic(
            severity: .error, rule: "SyntaxError", message: diagnostic.message,
            places: [FileDiagnostic.Location(unit.document.source.name, place)]))
      }
    }
  }

  /// Joins the reports of several projects, in the order of their files.
  init(joining reports: [ValidationReport]) {
    files = reports.flatMap(\.files)
    contents = [:]
    namesOfPaths = [:]
    found = reports.flatMap(\.found)
    noticed = reports.flatMap(\.noticed)
  }

  mutating func add(_ errors: [ValidationError]) { found += errors.compactMap { finding(.error, $0) } }
  mutating func addWarnings(_ errors: [ValidationError]) { noticed += errors.compactMap { finding(.warning, $0) } }

  var errors: [FileDiagnostic] { sorted(found) }
  var warnings: [FileDiagnostic] { sorted(noticed) }

  /// The findings as members of an object. Warnings leave it valid.
  var json: [(String, JSONValue)] {
    [
      ("valid", JSONValue(found.isEmpty)), ("errors", .array(errors.map(json))),
      ("warnings", .array(warnings.map(json))),
    ]
  }

  /// Returns the name of a file as the user wrote it.
  private func requestedName(_ source: String) -> String {
    contents[source] != nil ? source : namesOfPaths[ProjectSources.resolvedPath(of: source)] ?? source
  }

  private func finding(_ severity: FileDiagnostic.Severity, _ error: ValidationError) -> FileDiagnostic? {
    let spots = zip(error.sources.map(requestedName), error.locations)
    if spots.contains(where: { hides(error.rule, at: $1, in: $0) }) { return nil }
    guard !error.sources.isEmpty else {
      return FileDiagnostic(severity: severity, rule: error.rule, message: error.fullMessage, file: files.first)
    }
    var places = spots.map { FileDiagnostic.Location($0, $1) }
    // Report it at the first requested file. Errors in the project's other documents were not requested.
    guard let primary = places.firstIndex(where: { contents[$0.file] != nil }) else { return nil }
    places.insert(places.remove(at: primary), at: 0)
    return FileDiagnostic(severity: severity, rule: error.rule, message: error.fullMessage, places: places)
  }

  /// Whether an error is redundant: its document has syntax errors, or has interpolated values and the rule needs the
  /// complete document.
  private func hides(_ rule: String, at location: SourceLocation, in file: String) -> Bool {
    guard let unit = contents[file]?.unit(at: location.offset) else { return false }
    if unit.hasGaps { return !Validator.rulesOfIncompleteText.contains(rule) }
    return unit.document.hasErrors
  }

  /// Returns the findings in the order of the files.
  private func sorted(_ findings: [FileDiagnostic]) -> [FileDiagnostic] {
    let order = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
    return findings.enumerated().sorted {
      (order[$0.element.file ?? ""] ?? 0, $0.offset) < (order[$1.element.file ?? ""] ?? 0, $1.offset)
    }.map(\.element)
  }

  private func json(_ finding: FileDiagnostic) -> JSONValue {
    let locations = finding.places.map { place -> JSONValue in
      var members: [(String, JSONValue)] = [("line", JSONValue(place.line)), ("column", JSONValue(place.column))]
      // A name that must be unique may also be in another file.
      if place.file != finding.file { members.append(("file", JSONValue(place.file))) }
      return .object(members)
    }
    return .object([
      ("severity", JSONValue(finding.severity.rawValue)), ("file", JSONValue(finding.file ?? "")),
      ("rule", JSONValue(finding.rule)),
      ("message", JSONValue(finding.message)), ("locations", .array(locations)),
    ])
  }
}
