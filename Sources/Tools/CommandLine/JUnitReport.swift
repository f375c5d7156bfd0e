import ApusFormatting
import ApusExplorerCore

/// Findings as a JUnit report, which build servers show as tests: a test case for each finding, and a passed one for
/// each file without findings. Warnings pass and are in the output.
///
///     <testcase classname="a.graphql" name="FieldsOnCorrectTypeRule at 2:5"><failure …>…</failure></testcase>
enum JUnitReport {
  static func text(_ findings: [FileDiagnostic], of command: String, files: [String]) -> String {
    let found = Set(findings.compactMap(\.file))
    let passed = files.filter { !found.contains($0) }
    let failures = findings.filter { $0.severity == .error }.count
    let counts = "tests=\"\(findings.count + passed.count)\" failures=\"\(failures)\" errors=\"0\""
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
    text += "  <testsuite name=\"\(XMLText.escaped(command))\" \(counts)>\n"
    for file in passed {
      text += "    <testcase classname=\"\(XMLText.escaped(file))\" name=\"\(XMLText.escaped(command))\"/>\n"
    }
    for finding in findings {
      let place = finding.places.first.map { " at \($0.line):\($0.column)" } ?? ""
      text += "    <testcase classname=\"\(XMLText.escaped(finding.file ?? command))\" "
      text += "name=\"\(XMLText.escaped(finding.rule + place))\">"
      if finding.severity == .error {
        text +=
          "<failure type=\"\(XMLText.escaped(finding.rule))\" message=\"\(XMLText.escaped(finding.fullMessage))\">"
        text += "\(XMLText.escaped(finding.line))</failure>"
      } else {
        text += "<system-out>\(XMLText.escaped(finding.line))</system-out>"
      }
      text += "</testcase>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }
}
