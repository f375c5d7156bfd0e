import ApusFormatting
import ApusAudit
import ApusClientAPI
import ApusClientNetwork
import ApusExplorerCore
import ApusJSON

/// An output format of `apus audit`.
enum AuditFormat: String, CaseIterable {
  case text, json, junit, markdown, sarif

  func print(_ report: AuditReport) {
    switch self {
    case .text: StandardStreams.show(lines: Self.text(report))
    case .json: StandardStreams.output(line: report.json, isPretty: true)
    case .junit: StandardStreams.show(Self.junit(report))
    case .markdown: StandardStreams.show(Self.markdown(report))
    case .sarif: StandardStreams.output(line: SARIFReport.json(report.findings.map(Self.finding)), isPretty: true)
    }
  }

  private static func text(_ report: AuditReport) -> [String] {
    var lines: [String] = []
    for cause in report.causes {
      let result = cause[0]
      let audit = result.audit
      lines += [
        "\(audit.level.rawValue) \(audit.id)\(result.outcome.isFailure ? "" : " (failed once, then passed)")",
        "  expected: \(audit.expectation)",
        "  found:    \(SingleLineText.line(result.outcome.found ?? "", limit: 400))",
        "  source:   \(audit.source)", "  affects:  \(audit.reason)",
      ]
      if let exchange = result.exchanges.first {
        lines.append("  request:  \(report.requestLine(exchange))")
        lines.append("  bytes:    \(AuditReport.proofLine(exchange))")
      }
      for other in cause.dropFirst() {
        lines.append(
          "  also:     \(other.audit.level.rawValue) \(other.audit.id): \(SingleLineText.line(other.outcome.found ?? ""))"
        )
      }
      lines.append("")
    }
    for case (let audit, .reported(let text)) in report.results.map({ ($0.audit, $0.outcome) }) {
      lines.append("\(audit.level.rawValue) \(audit.id): \(SingleLineText.line(text))")
    }
    let reasons = Dictionary(grouping: report.results.filter { $0.outcome.word == "notApplicable" }) {
      $0.outcome.found ?? ""
    }
    for (reason, results) in reasons.sorted(by: { $0.key < $1.key }) {
      lines.append("not applicable: \(results.map(\.audit.id).joined(separator: ", ")): \(reason)")
    }
    return lines + [report.summary]
  }

  private static func markdown(_ report: AuditReport) -> String {
    var text = "### Audit of \(MarkdownText.plain(report.url))\n\n\(report.summary)\n"
    guard !report.findings.isEmpty else { return text }
    text += "\n| level | audit | expected | found | source |\n|-|-|-|-|-|\n"
    for result in report.findings {
      let audit = result.audit
      let cells = [
        audit.level.rawValue, audit.id, audit.expectation, SingleLineText.line(result.outcome.found ?? ""),
        "\(audit.source)",
      ]
      text += "| \(cells.map { MarkdownText.plain($0) }.joined(separator: " | ")) |\n"
    }
    return text
  }

  private static func finding(_ result: AuditResult) -> FileDiagnostic {
    let severity: FileDiagnostic.Severity = result.outcome.isFailure && result.audit.level == .must ? .error : .warning
    let message = "\(result.audit.expectation); found: \(result.outcome.found ?? "") (\(result.audit.source))"
    return FileDiagnostic(severity: severity, rule: result.audit.id, message: message)
  }

  /// Returns a JUnit report with a test case for each audit: a failed MUST is a failure, an inapplicable audit is skipped.
  private static func junit(_ report: AuditReport) -> String {
    let failures = report.failures(.must).count
    let skipped = report.results.filter { $0.outcome.word == "notApplicable" }.count
    let counts = "tests=\"\(report.results.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites \(counts)>\n"
    text += "  <testsuite name=\"apus audit\" \(counts)>\n"
    for result in report.results {
      let found = XMLText.escaped(result.outcome.found ?? "")
      text += "    <testcase classname=\"\(result.audit.group.rawValue)\" name=\"\(XMLText.escaped(result.audit.id))\">"
      switch result.outcome {
      case .passed: break
      case .failed where result.audit.level == .must:
        text += "<failure type=\"MUST\" message=\"\(XMLText.escaped(result.audit.expectation))\">\(found)</failure>"
      case .failed, .unsteady, .reported: text += "<system-out>\(found)</system-out>"
      case .notApplicable: text += "<skipped message=\"\(found)\"/>"
      }
      text += "</testcase>\n"
    }
    return text + "  </testsuite>\n</testsuites>\n"
  }
}
