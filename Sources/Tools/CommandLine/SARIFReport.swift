import ApusASCII
import ApusClientNetwork
import ApusJSON

/// Findings in the Static Analysis Results Interchange Format 2.1.0 (OASIS), which code scanning services read. A
/// finding is a result with `ruleId`, `level`, `message` and `locations`.
enum SARIFReport {
  static func json(_ findings: [FileDiagnostic]) -> JSONValue {
    var rules: [String] = []
    for finding in findings where !rules.contains(finding.rule) { rules.append(finding.rule) }
    return [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": [
              "name": "apus", "version": JSONValue(ApusVersion.number),
              "rules": .array(rules.map { ["id": JSONValue($0)] }),
            ]
          ],
          "columnKind": "utf16CodeUnits",
          "results": .array(findings.map(result)),
        ]
      ],
    ]
  }

  private static func result(_ finding: FileDiagnostic) -> JSONValue {
    let primary = finding.places.first.map(location) ?? finding.file.map { location(of: $0) }
    return [
      "ruleId": JSONValue(finding.rule), "level": JSONValue(finding.severity.rawValue),
      "message": ["text": JSONValue(finding.message)], "locations": .array(primary.map { [$0] } ?? []),
      "relatedLocations": .array(finding.places.dropFirst().map(location)),
    ]
  }

  private static func location(_ place: FileDiagnostic.Location) -> JSONValue {
    location(of: place.file, ["startLine": JSONValue(place.line), "startColumn": JSONValue(place.column)])
  }

  private static func location(of file: String, _ region: JSONValue = ["startLine": 1]) -> JSONValue {
    ["physicalLocation": ["artifactLocation": ["uri": JSONValue(uri(file))], "region": region]]
  }

  /// Returns a path as a URI: `my%20birds.graphql`, `file:///home/ann/a.graphql`. Relative paths stay relative; other
  /// characters are percent-encoded (RFC 3986, section 3.3).
  private static func uri(_ path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.encoded(path.utf8, keeping: "/")
  }
}
