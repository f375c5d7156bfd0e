import Testing

@testable import ApusExplorerScreen
@testable import ApusExplorerTerminal

@Suite struct LineCellsTests {
  @Test(
    arguments: [
      "", "plain ascii, with commas", "\ttab\tand \t", "ä", "日本語 and more", "e\u{301}e\u{301} x\u{308}", "a\t\u{301}b",
      "👩‍👩‍👧‍👦 🇩🇪🇫🇷, 1\u{FE0F}\u{20E3} #\u{FE0F}", "क्षि नमस्ते", "\u{1F1E6}x\u{1F1E6}", " \u{301},\u{301}",
    ])
  func `each character has its own cells and columns in a line`(line: String) {
    var column = 0
    var seen: [LineCells.LineCharacter] = []
    LineCells.forEachCharacter(in: line) {
      seen.append($0)
      return true
    }
    #expect(seen.count == line.count)
    for (character, part) in zip(line, seen) {
      #expect(part.columns == column..<(column + character.utf8.count))
      #expect(part.cells == (character == "\t" ? 2 : TextWidth.width(of: character)))
      #expect(part.isBlank == (character == " " || character == "\t" || character == ","))
      column += character.utf8.count
    }
  }

  @Test func `a cell maps to its column, the right half of a wide character to the next`() {
    let line = "a日\tb"
    #expect((0...6).map { LineCells.column(at: $0, in: line) } == [0, 1, 4, 4, 5, 5, 6])
    #expect([0, 1, 4, 5, 6].map { LineCells.cells(before: $0, in: line) } == [0, 1, 3, 5, 6])
  }
}
