import ApusGraphQLLanguage
import ApusGraphQLValidation
import ApusJSON

/// What was found in the files of one call, file by file.
struct ValidationReport {
  private let files: [String]
  private let known: Set<String>
  /// Files that were not understood whole: what the rules would say of them is no news.
  private let broken: Set<String>
  private var found: [Finding] = []
  private var noticed: [Finding] = []

  init(_ documents: [Document]) {
    files = documents.map(\.source.name)
    known = Set(files)
    broken = Set(documents.filter(\.hasErrors).map(\.source.name))
    for document in documents {
      for diagnostic in document.diagnostics {
        let place = document.source.location(at: diagnostic.range.lowerBound)
        found.append(
          Finding(
            severity: .error, rule: "SyntaxError", message: diagnostic.message,
            places: [Finding.Place(document.source.name, place)]))
      }
    }
  }

  mutating func add(_ errors: [ValidationError]) { found += errors.compactMap { finding(.error, $0) } }
  mutating func addWarnings(_ errors: [ValidationError]) { noticed += errors.compactMap { finding(.warning, $0) } }

  var errors: [Finding] { sorted(found) }
  var warnings: [Finding] { sorted(noticed) }

  func json(withWarnings: Bool) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("valid", JSONValue(found.isEmpty)), ("errors", .array(errors.map(json))),
    ]
    if withWarnings { members.append(("warnings", .array(warnings.map(json)))) }
    return .object(members)
  }

  private func finding(_ severity: Finding.Severity, _ error: ValidationError) -> Finding? {
    if error.sources.contains(where: broken.contains) { return nil }
    guard !error.sources.isEmpty else {
      return Finding(severity: severity, rule: error.rule, message: error.message, file: files.first)
    }
    var places = zip(error.sources, error.locations).map { Finding.Place($0, $1) }
    // It belongs to the first file that was asked for: what is wrong with the project's other documents was not.
    guard let own = places.firstIndex(where: { known.contains($0.file) }) else { return nil }
    places.insert(places.remove(at: own), at: 0)
    return Finding(severity: severity, rule: error.rule, message: error.message, places: places)
  }

  /// In the order of the files.
  private func sorted(_ findings: [Finding]) -> [Finding] {
    let order = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
    return findings.enumerated().sorted {
      (order[$0.element.file ?? ""] ?? 0, $0.offset) < (order[$1.element.file ?? ""] ?? 0, $1.offset)
    }.map(\.element)
  }

  private func json(_ finding: Finding) -> JSONValue {
    let locations = finding.places.map { place -> JSONValue in
      var members: [(String, JSONValue)] = [("line", JSONValue(place.line)), ("column", JSONValue(place.column))]
      // Names that must be unique may meet another file's.
      if place.file != finding.file { members.append(("file", JSONValue(place.file))) }
      return .object(members)
    }
    return .object([
      ("file", JSONValue(finding.file ?? "")), ("rule", JSONValue(finding.rule)),
      ("message", JSONValue(finding.message)), ("locations", .array(locations)),
    ])
  }
}
