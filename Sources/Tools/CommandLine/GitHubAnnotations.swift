/// Findings as workflow commands of GitHub Actions, which appear as annotations on the change:
///
///     ::error file=a.graphql,line=2,col=5,title=FieldsOnCorrectTypeRule::Cannot query field "nam" on type "Bird".
///
/// Source: GitHub Docs, "Workflow commands for GitHub Actions": an error, warning or notice with its location. Percent
/// signs and line breaks are escaped, in properties also colons and commas, so that no text can end a command and begin
/// another.
enum GitHubAnnotations {
  static func line(_ finding: FileDiagnostic) -> String {
    let name = finding.severity == .note ? "notice" : finding.severity.rawValue
    var properties: [String] = []
    if let file = finding.file { properties.append("file=\(property(file))") }
    if let place = finding.places.first { properties += ["line=\(place.line)", "col=\(place.column)"] }
    properties.append("title=\(property(finding.rule))")
    return "::\(name) \(properties.joined(separator: ","))::\(escaped(finding.fullMessage, ""))"
  }

  private static func property(_ text: String) -> String { escaped(text, ":,") }

  private static func escaped(_ text: String, _ also: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if "%\r\n".unicodeScalars.contains(scalar) || also.unicodeScalars.contains(scalar) {
        let code = String(scalar.value, radix: 16, uppercase: true)
        result += "%" + (code.count < 2 ? "0" : "") + code
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
