import ApusExplorerTerminal

/// Converts between cells and UTF-8 columns of a line. A tab is drawn as two spaces.
enum LineCells {
  struct LineCharacter {
    let columns: Range<Int>
    let cells: Int
    /// Whether a line may be wrapped after the character: GraphQL whitespace, including commas.
    let isBlank: Bool
  }

  static func cells(before column: Int, in line: String) -> Int {
    var cells = 0
    forEachCharacter(in: line) { character in
      guard character.columns.lowerBound < column else { return false }
      cells += character.cells
      return true
    }
    return cells
  }

  /// Returns the column of the character at a cell; after the text, its end.
  static func column(at cell: Int, in line: String) -> Int {
    var left = cell
    var column = 0
    forEachCharacter(in: line) { character in
      let width = character.cells
      if left < width {
        // A click on the right half of a wide character is after it.
        if width > 1, left * 2 >= width { column = character.columns.upperBound }
        return false
      }
      left -= width
      column = character.columns.upperBound
      return true
    }
    return column
  }

  /// Calls `body` with each character until it returns false. A line may have hundreds of thousands of characters: an
  /// ASCII byte followed by another one needs no Unicode segmentation.
  static func forEachCharacter(in line: String, _ body: (LineCharacter) -> Bool) {
    let bytes = line.utf8
    var index = bytes.startIndex
    var column = 0
    while index < bytes.endIndex {
      let byte = bytes[index]
      var next = bytes.index(after: index)
      var cells = 1
      if byte >= 0x80 || (next < bytes.endIndex && bytes[next] >= 0x80) {
        next = line.index(after: index)
        cells = TextWidth.width(of: line[index])
      }
      let end = column + bytes.distance(from: index, to: next)
      let isTab = byte == 0x09 && end == column + 1
      let isBlank = isTab || end == column + 1 && (byte == 0x20 || byte == 0x2C)
      guard body(LineCharacter(columns: column..<end, cells: isTab ? 2 : cells, isBlank: isBlank)) else { return }
      column = end
      index = next
    }
  }
}
