import ApusExplorerTerminal
import Testing

/// Returns the drawing of an input line in a number of cells.
private func drawn(_ width: Int, _ height: Int, _ draw: (inout Frame, Rect) -> Void) -> [String] {
  var frame = Frame(size: Size(width: width, height: height))
  draw(&frame, frame.bounds)
  return frame.lines
}

struct InputLineTests {
  @Test func `the line scrolls to the cursor`() {
    func line(_ text: String, at offset: Int, width: Int) -> (String, Int) {
      var column = 0
      let lines = drawn(width, 1) { frame, area in
        let line = InputField(text, cursorOffset: offset, in: area)
        line.draw(in: &frame, style: .plain, marks: .plain, glyphs: .unicode)
        column = line.cursor.column
      }
      return (lines[0], column)
    }
    #expect(line("migration", at: 9, width: 12) == ("migration", 9))
    #expect(line("migration", at: 9, width: 6) == ("‹tion", 5))
    // Some text after the cursor stays visible, if there is any.
    #expect(line("migration", at: 8, width: 6) == ("‹tion", 4))
    #expect(line("migration", at: 5, width: 6) == ("‹grat›", 4))
    #expect(line("migration", at: 0, width: 6) == ("migra›", 0))
    #expect(line("鳥の渡りの道", at: 18, width: 7) == ("‹ の道", 6))
    #expect(line("鳥の渡り", at: 6, width: 12) == ("鳥の渡り", 4))
  }

  @Test(arguments: [0, 1, 2, 3]) func `tiny sizes are handled`(size: Int) {
    for width in 0...4 {
      _ = drawn(width, size) { frame, area in
        InputField("漢字", cursorOffset: 3, in: area).draw(in: &frame, style: .plain, marks: .plain, glyphs: .unicode)
      }
    }
  }
}
