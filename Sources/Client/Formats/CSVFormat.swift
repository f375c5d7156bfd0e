/// The encoding of CSV cells (RFC 4180).
package enum CSVFormat {
  /// Returns a cell, quoted if necessary: `"a ""b"", c"` for `a "b", c`. Text that a spreadsheet would interpret as a
  /// formula gets an apostrophe in front: `'=1+1`.
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

/// The encoding of cells in a table with tab-separated columns.
package enum TSVFormat {
  /// Returns a cell with tabs, line ends and backslashes escaped as `\t`, `\n`, `\r` and `\\`.
  package static func cell(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\t": escaped += "\\t"
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\\": escaped += "\\\\"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

/// A table as text for spreadsheets and other programs: a header line, then one line per row.
extension ResultTable {
  /// The table as CSV (RFC 4180), except that lines end in a line feed.
  package var csv: some Sequence<String> { text(separator: ",", cell: CSVFormat.cell) }

  /// The table with tab-separated columns.
  package var tsv: some Sequence<String> { text(separator: "\t", cell: TSVFormat.cell) }

  private func text(separator: String, cell: @escaping (String) -> String) -> some Sequence<String> {
    lines.lazy.map { $0.map(cell).joined(separator: separator) + "\n" }
  }
}
