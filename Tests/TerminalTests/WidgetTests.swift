import ExplorerTerminal
import Testing

private let look = Appearance(theme: .builtIn(capabilities: TerminalCapabilities(colors: .direct)))
private let plainLook = Appearance(
  theme: .builtIn(capabilities: TerminalCapabilities(colors: .mono)), glyphs: .ascii)

/// What a drawing looks like in so many cells.
private func drawn(_ width: Int, _ height: Int, _ draw: (inout Frame, Rect) -> Void) -> [String] {
  var frame = Frame(size: Size(width: width, height: height))
  draw(&frame, frame.bounds)
  return frame.lines
}

@Suite struct WidgetTests {
  @Test func aPaneShowsItsTitleItsFiguresAndTheFocus() {
    let pane = Pane(
      "Response", number: 3, badge: [Span("12/40", .plain)], note: [Span("filter", .plain)], isFocused: true)
    #expect(
      drawn(30, 3) { pane.draw(in: $1, of: &$0, look: look) } == [
        "┏━ 3 Response ━━━━━━━ 12/40 ━┓", "┃                            ┃", "┗━ filter ━━━━━━━━━━━━━━━━━━━┛",
      ])
    let calm = Pane("Response", isFocused: false)
    #expect(drawn(14, 2) { calm.draw(in: $1, of: &$0, look: look) } == ["╭─ Response ─╮", "╰────────────╯"])
    #expect(drawn(14, 2) { calm.draw(in: $1, of: &$0, look: plainLook) } == ["+- Response -+", "+------------+"])
  }

  @Test func figuresGiveWayToTheTitle() {
    let pane = Pane("Response", badge: [Span("12345", .plain)], isFocused: false)
    #expect(drawn(16, 2) { pane.draw(in: $1, of: &$0, look: look) }[0] == "╭─ Response ───╮")
    #expect(drawn(8, 2) { pane.draw(in: $1, of: &$0, look: look) }[0] == "╭─ Res─╮")
  }

  @Test func aListFollowsItsSelection() {
    let window = ListWindow(count: 100, selected: 50, offset: 0)
    let lines = drawn(12, 4) { frame, area in
      ListView(window, isFocused: true).draw(in: area, of: &frame, look: look) { [Span("row \($0)", look[.text])] }
    }
    #expect(lines == ["row 47     │", "row 48     █", "row 49     │", "row 50     │"])
    #expect(window.offset(showing: 10, margin: 2) == 43)
    #expect(ListWindow(count: 5, selected: 4, offset: 90).offset(showing: 10) == 0)
  }

  @Test func theSelectedRowKeepsItsColours() {
    var frame = Frame(size: Size(width: 10, height: 2))
    ListView(ListWindow(count: 2, selected: 1), isFocused: true).draw(in: frame.bounds, of: &frame, look: look) { _ in
      [Span("x", look[.string])]
    }
    let selected = frame.cell(at: Point(column: 0, row: 1)).style
    #expect(selected.foreground == look[.string].foreground)
    #expect(selected.background == look[.selection].background)
    #expect(frame.cell(at: Point(column: 9, row: 1)).style.background == look[.selection].background)
  }

  @Test func aLongLineShowsThatItGoesOn() {
    let line = [Span("0123456789", look[.text])]
    #expect(drawn(6, 1) { $0.putLine(line, in: $1, look: look) } == ["01234›"])
    #expect(drawn(6, 1) { $0.putLine(line, in: $1, scrolledBy: 2, look: look) } == ["‹3456›"])
    #expect(drawn(6, 1) { $0.putLine(line, in: $1, scrolledBy: 4, look: look) } == ["‹56789"])
    #expect(drawn(10, 1) { $0.putLine(line, in: $1, look: look) } == ["0123456789"])
  }

  @Test func aTableAlignsItsColumns() {
    let table = TableView(
      [.init("key", .weight(1)), .init("size", .fixed(5), isRightAligned: true)], ListWindow(count: 2), isFocused: true)
    let lines = drawn(16, 3) { frame, area in
      table.draw(in: area, of: &frame, look: look) { row, column in
        [Span(column == 0 ? "Bird:\(row)" : "\(row * 1200)", look[.text])]
      }
    }
    #expect(lines == ["key         size", "Bird:0         0", "Bird:1      1200"])
  }

  @Test func theScrollBarReachesBothEnds() {
    #expect(Scrollbar(total: 100, offset: 0, visible: 10).thumb(height: 10) == 0..<1)
    #expect(Scrollbar(total: 100, offset: 90, visible: 10).thumb(height: 10) == 9..<10)
    #expect(Scrollbar(total: 5, offset: 0, visible: 10).thumb(height: 10) == 0..<10)
    #expect(Scrollbar(total: 100, offset: 0, visible: 10).offset(atRow: 9, height: 10) == 90)
  }

  @Test func anInputLineScrollsToItsCursor() {
    func line(_ text: String, at offset: Int, width: Int) -> (String, Int) {
      var column = 0
      let lines = drawn(width, 1) { frame, area in
        let line = InputLine(text, cursorOffset: offset, in: area)
        line.draw(in: &frame, style: .plain, marks: .plain, glyphs: look.glyphs)
        column = line.cursor.column
      }
      return (lines[0], column)
    }
    #expect(line("migration", at: 9, width: 12) == ("migration", 9))
    #expect(line("migration", at: 9, width: 6) == ("‹tion", 5))
    // What follows the cursor is seen, too, as long as there is some.
    #expect(line("migration", at: 8, width: 6) == ("‹tion", 4))
    #expect(line("migration", at: 5, width: 6) == ("‹grat›", 4))
    #expect(line("migration", at: 0, width: 6) == ("migra›", 0))
    #expect(line("鳥の渡りの道", at: 18, width: 7) == ("‹ の道", 6))
    #expect(line("鳥の渡り", at: 6, width: 12) == ("鳥の渡り", 4))
  }

  @Test func theFooterLeavesOutWhatDoesNotFit() {
    let footer = KeyFooter([.init("F5", "Run"), .init("F1", "Help"), .init("Ctrl-Q", "Quit")])
    var places: [Rect] = []
    #expect(drawn(20, 1) { places = footer.draw(in: $1, of: &$0, look: look) } == [" F5 Run  F1 Help"])
    #expect(places.map(\.column) == [1, 9])
  }

  @Test func tabsScrollToTheChosenOne() {
    let tabs = TabBar(["first", "second", "third"], selected: 2)
    #expect(drawn(16, 1) { tabs.draw(in: $1, of: &$0, look: look) } == [" second  third"])
  }

  @Test func aProgressBarFillsInSteps() {
    #expect(drawn(4, 1) { ProgressBar(fraction: 0.5).draw(in: $1, of: &$0, look: look) } == ["██"])
    #expect(drawn(4, 1) { ProgressBar(fraction: 0.625).draw(in: $1, of: &$0, look: look) } == ["██▌"])
    #expect(drawn(4, 1) { ProgressBar(fraction: 2).draw(in: $1, of: &$0, look: plainLook) } == ["####"])
    #expect(Spinner.glyph(-1, .ascii) == "\\")
  }

  @Test func textWrapsBetweenWords() {
    #expect(Paragraph.wrap("one two three", width: 8) == ["one two", "three"])
    #expect(Paragraph.wrap("a\n\nb", width: 8) == ["a", "", "b"])
    #expect(Paragraph.wrap("- a list entry", width: 9) == ["- a list", "  entry"])
    #expect(Paragraph.wrap("unbreakable", width: 4) == ["unbr", "eaka", "ble"])
    #expect(Paragraph.wrap("漢字漢字", width: 5) == ["漢字", "漢字"])
    #expect(Paragraph.wrap("漢", width: 1) == ["漢"])
  }

  @Test func aStatusLineKeepsItsRightSide() {
    let line = StatusLine(left: [Span("a very long message", .plain)], right: [Span("200 OK", .plain)])
    #expect(drawn(16, 1) { line.draw(in: $1, of: &$0, look: look) } == ["a very l› 200 OK"])
  }

  @Test(arguments: [0, 1, 2, 3]) func nothingBreaksInTinyPlaces(size: Int) {
    for width in 0...4 {
      _ = drawn(width, size) { frame, area in
        let inside = Pane("Title", number: 1, badge: [Span("9", .plain)], isFocused: true).draw(
          in: area, of: &frame, look: look)
        PopupBox("Box").draw(in: area, of: &frame, look: look)
        ListView(ListWindow(count: 9, selected: 8), isFocused: false).draw(in: inside, of: &frame, look: look) { _ in
          [Span("漢字", .plain)]
        }
        InputLine("漢字", cursorOffset: 3, in: area).draw(in: &frame, style: .plain, marks: .plain, glyphs: look.glyphs)
        KeyFooter([.init("F1", "Help")]).draw(in: area, of: &frame, look: look)
        TabBar(["a", "b"], selected: 1).draw(in: area, of: &frame, look: look)
        ProgressBar(fraction: nil, tick: 7).draw(in: area, of: &frame, look: look)
        TableView([.init("a", .fixed(5))], ListWindow(count: 9), isFocused: true).draw(in: area, of: &frame, look: look)
        {
          _, _ in [Span("x", .plain)]
        }
      }
    }
  }
}
