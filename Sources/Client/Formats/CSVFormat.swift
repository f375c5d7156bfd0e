/// The cells of CSV (RFC 4180).
package enum CSVFormat {
  /// Returns a cell; text that a spreadsheet would take for a formula gets an apostrophe in front.
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

/// A table as text that spreadsheets and other programs read: a line for the columns, a line for each row.
extension ResultTable {
  /// RFC 4180, with the line ends of this system.
  package var csv: some Sequence<String> { text(separator: ",", cell: CSVFormat.cell) }

  /// Columns between tabs; a tab, a line end or a backslash in a cell is written as `\t`, `\n`, `\r` or `\\`.
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
