import ApusExplorerTerminal
import Testing

/// Draws texts in consecutive rows and returns the rows of the screen.
private func drawn(_ lines: String..., width: Int = 12, from column: Int = 0) -> [String] {
  var frame = Frame(size: Size(width: width, height: lines.count))
  for (row, text) in lines.enumerated() { frame.put(text, at: Point(column: column, row: row), style: .plain) }
  return frame.lines
}

@Suite struct FrameTests {
  @Test func `text is truncated at the right edge`() {
    #expect(drawn("one two three four") == ["one two thre"])
  }

  @Test func `text may start left of the screen`() {
    #expect(drawn("0123456789abcdefghij", from: -5) == ["56789abcdefg"])
  }

  @Test func `wide characters take two cells and are not split`() {
    #expect(drawn("漢字漢字", width: 5) == ["漢字"])
    #expect(drawn("漢字漢字", width: 5, from: -1) == [" 字漢"])
    var frame = Frame(size: Size(width: 6, height: 1))
    frame.put("漢字漢", at: Point(column: 0, row: 0), style: .plain)
    frame.put("x", at: Point(column: 1, row: 0), style: .plain)
    frame.put("y", at: Point(column: 2, row: 0), style: .plain)
    #expect(frame.lines == [" xy 漢"])
  }

  @Test func `grapheme clusters are drawn as a whole`() {
    #expect(drawn("e\u{301}a", "👨‍👩‍👧x", "🇺🇦x", "❤️x") == ["e\u{301}a", "👨‍👩‍👧x", "🇺🇦x", "❤️x"])
    var frame = Frame(size: Size(width: 9, height: 1))
    let end = frame.put("e\u{301}👨‍👩‍👧🇺🇦❤️", at: Point(column: 0, row: 0), style: .plain)
    #expect(end == 7)
    #expect(frame.cell(at: Point(column: 1, row: 0)).width == 2)
    #expect(frame.cell(at: Point(column: 2, row: 0)) == Cell(text: "", style: .plain, width: 0))
  }

  /// The cluster takes three cells. Overwriting one of them removes the entire cluster; writing next to it does not.
  @Test func `a wide cluster is drawn completely or not at all`() {
    #expect(drawn("न्दी|", width: 5) == ["न्दी|"])
    #expect(drawn("xन्दी", width: 3) == ["x"])
    #expect(drawn("न्दीx", from: -1) == ["  x"])
    for column in 0..<3 {
      var frame = Frame(size: Size(width: 6, height: 1))
      frame.put("न्दी|न्दी", at: Point(column: 0, row: 0), style: .plain)
      frame.put("x", at: Point(column: column, row: 0), style: .plain)
      #expect(
        frame.lines == [String(repeating: " ", count: column) + "x" + String(repeating: " ", count: 2 - column) + "|"])
    }
    var frame = Frame(size: Size(width: 7, height: 1))
    frame.put("x|न्दी漢", at: Point(column: 0, row: 0), style: .plain)
    frame.fill(Rect(column: 0, row: 0, width: 2, height: 1), with: ".", style: .plain)
    #expect(frame.lines == ["..न्दी漢"])
  }

  @Test func `control characters are drawn as pictures`() {
    #expect(drawn("a\u{1B}[31m\n\t\u{7F}", "\r\n\u{9B}1m", "\u{202E}evil\u{200B}") == ["a␛[31m␊␉␡", "␍␊�1m", "�evil�"])
    // Tag characters, which belong to the character before them, are shown except in the flag of a region.
    let scotland = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
    #expect(drawn("a\u{E0068}\u{E0069}b", "\u{E0001}", scotland) == ["a��b", "�", scotland])
    #expect(
      drawn("\u{1F3F4}\u{E0068}", "\u{1F426}\u{E0067}\u{E007F}", "\u{1F3F4}\u{E0067}\u{E0020}\u{E0062}\u{E007F}")
        == ["\u{1F3F4}�", "\u{1F426}��", "\u{1F3F4}����"])
  }

  @Test func `a lone combining mark is drawn on a circle`() {
    #expect(drawn("\u{301}") == ["\u{25CC}\u{301}"])
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("漢", 2), ("e\u{301}", 1), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🇺🇦", 2), ("❤", 1), ("❤️", 2), ("1️⃣", 2),
    ("\u{200B}", 1),
    ("\u{1B}", 1), ("\r\n", 2), ("é漢x", 4), ("ｱ", 1), ("️", 1), ("का", 2), ("हिं", 2), ("न्दी", 3), ("क्षि", 3), ("நி", 2),
    ("กำ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("🧑🏽‍🤝‍🧑🏻", 2), ("🇩🇪🇫🇷", 4),
  ])
  func `the width of text is its number of cells`(text: String, width: Int) {
    #expect(TextWidth.width(of: text) == width)
    var frame = Frame(size: Size(width: 20, height: 1))
    #expect(frame.put(text, at: Point(column: 0, row: 0), style: .plain) == width)
  }

  @Test func `truncated text ends with an ellipsis`() {
    #expect(TextWidth.truncated("migration", to: 5) == "migr…")
    #expect(TextWidth.truncated("漢字漢字", to: 6) == "漢字…")
    #expect(TextWidth.truncated("short", to: 5) == "short")
    #expect(TextWidth.truncated("हिन्दी भाषा", to: 6) == "हिन्दी…")
    #expect(TextWidth.truncated("a👨‍👩‍👧👍🏽", to: 4) == "a👨‍👩‍👧…")
    #expect(TextWidth.truncated("🇩🇪🇫🇷🇺🇦", to: 5) == "🇩🇪🇫🇷…")
  }

  @Test func `filling replaces wide characters at its edges`() {
    var frame = Frame(size: Size(width: 8, height: 1))
    frame.put("漢字漢字", at: Point(column: 0, row: 0), style: .plain)
    frame.fill(Rect(column: 3, row: 0, width: 2, height: 1), with: ".", style: .plain)
    #expect(frame.lines == ["漢 .. 字"])
  }
}

@Suite struct LayoutTests {
  @Test func `weighted rows share the remaining space`() {
    let rows = Rect(Size(width: 80, height: 24)).splitRows([.weight(3), .weight(1), .fixed(1), .fixed(1)])
    #expect(rows.map(\.height) == [17, 5, 1, 1])
    #expect(rows.map(\.row) == [0, 17, 22, 23])
  }

  @Test func `minimum sizes are kept if there is space`() {
    let area = Rect(Size(width: 60, height: 16))
    #expect(area.splitColumns([.weight(1, minimum: 30), .weight(3, minimum: 20)]).map(\.width) == [30, 30])
    #expect(area.splitColumns([.fixed(50), .weight(1, minimum: 20)]).map(\.width) == [50, 10])
    #expect(area.splitColumns([.weight(1), .weight(1)], spacing: 1).map(\.width) == [30, 29])
  }

  @Test func `a popup is placed where there is space`() {
    let screen = Rect(Size(width: 40, height: 20))
    #expect(
      screen.popup(Size(width: 20, height: 5), at: Point(column: 30, row: 3))
        == Rect(column: 20, row: 4, width: 20, height: 5))
    #expect(screen.popup(Size(width: 20, height: 5), at: Point(column: 3, row: 17)).row == 12)
  }
}
