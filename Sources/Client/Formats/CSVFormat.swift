/// The encoding of CSV cells (RFC 4180).
package enum CSVFormat {
  /// Returns a cell, quoted if necessary. Text that a spreadsheet would interpret as a formula gets an apostrophe in front.
  package static func cell(_ text: String) -> String {
    var text = text
    if let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first), Double(text) == nil {
      text = "'" + text
    }
    guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return text }
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    return String(quoted) + "\""
  }
}

/// A table as text for spreadsheets and other programs: a header line, then one line per row.
extension ResultTable {
  /// The table as CSV (RFC 4180), except that lines end in a line feed.
  package var csv: some Sequence<String> { text(separator: ",", cell: CSVFormat.cell) }

  /// The table with tab-separated columns. Tabs, line ends and backslashes in cells are escaped as `\t`, `\n`, `\r` and
  /// `\\`.
  package var tsv: some Sequence<String> {
    text(separator: "\t") { cell in
      cell.unicodeScalars.reduce(into: "") { text, scalar in
        switch scalar {
        case "\t": text += "\\t"
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\\": text += "\\\\"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
  }

  private func text(separator: String, cell: @escaping (String) -> String) -> some Sequence<String> {
    lines.lazy.map { $0.map(cell).joined(separator: separator) + "\n" }
  }
}
