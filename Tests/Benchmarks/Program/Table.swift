/// A table of text with headings. The first column is left-aligned, the others are right-aligned.
struct Table {
  private var rows: [[String]]

  init(_ headings: [String]) { rows = [headings] }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// Formats a number with three significant digits; a dash means that it was not measured.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "–" }
    if value >= 100 { return String(Int(value.rounded())) }
    let scale: Double = value >= 10 ? 10 : value >= 1 ? 100 : 1000
    return String((value * scale).rounded() / scale)
  }

  func print() {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    for row in rows {
      let cells = zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + padding : padding + cell.0
      }
      Swift.print(cells.joined(separator: "  "))
    }
    Swift.print()
  }
}
