import ApusClientNetwork
import ApusGraphQLLanguage
import ApusJSON

/// A problem that a command found in a file, independent of the output format.
struct FileDiagnostic {
  enum Severity: String { case error, warning, note }

  let severity: Severity
  let rule: String
  let message: String
  /// `nil` if the problem is not in a file.
  let file: String?
  /// The location in the file, followed by related locations in this and other files; empty for a problem with the
  /// whole file.
  let places: [Location]

  init(severity: Severity, rule: String, message: String, file: String? = nil, places: [Location] = []) {
    self.severity = severity
    self.rule = rule
    self.message = message
    self.file = file ?? places.first?.file
    self.places = places
  }

  struct Location {
    let file: String
    let line: Int
    /// The column in UTF-16 code units, from 1.
    let column: Int

    init(_ file: String, _ location: SourceLocation) {
      self.file = file
      line = location.line
      column = location.column
    }
  }

  /// The finding in the format of compiler diagnostics, which editors parse:
  ///
  ///     birds.graphql:2:5: error: Cannot query field "nam" on type "Bird". [FieldsOnCorrectTypeRule]
  var line: String {
    let place = places.first.map { "\($0.file):\($0.line):\($0.column): " } ?? file.map { "\($0): " } ?? ""
    return "\(place)\(severity.rawValue): \(SingleLineText.line(fullMessage, limit: 2000)) [\(rule)]"
  }

  /// The message with the other locations of a duplicate definition, for formats with one location per finding:
  /// `… It is also at b.graphql:3:7.`
  var fullMessage: String {
    guard rule.hasPrefix("Unique") || rule == "DeferStreamDirectiveLabelRule", places.count > 1 else { return message }
    let others = places.dropFirst().map { "\($0.file):\($0.line):\($0.column)" }
    return "\(message) It is also at \(others.joined(separator: ", "))."
  }
}

/// An output format for findings.
enum DiagnosticFormat: String, CaseIterable {
  case text, json, sarif, github, junit

  /// Prints the findings of a command.
  ///
  /// - Parameters:
  ///   - files: All checked files; JUnit also lists those without findings.
  ///   - json: The command's JSON output.
  func print(_ findings: [FileDiagnostic], of command: String, files: [String], json: () -> JSONValue) {
    switch self {
    case .text: StandardStreams.show(lines: findings.map(\.line))
    case .json: StandardStreams.output(line: json())
    case .sarif: StandardStreams.output(line: SARIFReport.json(findings), isPretty: true)
    case .github: StandardStreams.show(lines: findings.map(GitHubAnnotations.line))
    case .junit: StandardStreams.show(JUnitReport.text(findings, of: command, files: files))
    }
  }
}
