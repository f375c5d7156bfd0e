import ApusTestSupport
import Testing

@testable import ApusExplorerTerminal

/// Returns the output for the change from one frame to another, and the resulting screen.
private func update(
  dialect: TerminalDialect = TerminalDialect(), from before: (inout Frame) -> Void = { _ in },
  to after: (inout Frame) -> Void
) -> (last: String, screen: ScreenEmulator) {
  var writer = FrameWriter(dialect: dialect)
  var screen = ScreenEmulator(size: Size(width: 40, height: 6))
  var frame = Frame(size: screen.size)
  before(&frame)
  screen.feed(writer.bytes(for: frame, cursor: nil))
  after(&frame)
  let bytes = writer.bytes(for: frame, cursor: nil)
  screen.feed(bytes)
  return (String(decoding: bytes, as: UTF8.self), screen)
}

extension Frame {
  fileprivate mutating func text(_ text: String, _ column: Int, _ row: Int, _ style: Style = .plain) {
    put(text, at: Point(column: column, row: row), style: style)
  }
}

@Suite struct FrameWriterTests {
  private let green = Style(foreground: .rgb(0, 200, 0), background: .rgb(10, 10, 10))

  @Test func `one typed character needs few bytes`() {
    var writer = FrameWriter(dialect: TerminalDialect())
    var frame = Frame(size: Size(width: 120, height: 40), style: green)
    frame.text("query { bird", 5, 3, green.with(.bold))
    _ = writer.bytes(for: frame, cursor: CursorPlacement(Point(column: 17, row: 3)))
    frame.text("s", 17, 3, green.with(.bold))
    let bytes = writer.bytes(for: frame, cursor: CursorPlacement(Point(column: 18, row: 3)))
    #expect(String(decoding: bytes, as: UTF8.self) == "s")
  }

  @Test func `an unchanged frame writes nothing`() {
    #expect(update(from: { $0.text("hello", 3, 2) }, to: { _ in }).last == "")
  }

  @Test func `only changed cells are written`() {
    let (last, screen) = update(
      from: { $0.text("abcdefghijklmnop", 0, 1) },
      to: {
        $0.text("X", 3, 1); $0.text("Y", 14, 1)
      })
    #expect(last == "\u{1B}[4GX\u{1B}[10CY")
    #expect(screen.lines[1] == "abcXefghijklmnYp")
  }

  private static let swifts = "https://birds.example/swifts"

  private static func linked(_ frame: inout Frame, to target: String = swifts) {
    frame.text("see birds", 2, 1)
    frame.link(FrameLink(row: 1, columns: 6..<11, target: target))
  }

  @Test func `a link is written around its text and only when it changes`() {
    let (last, screen) = update(to: { Self.linked(&$0) })
    #expect(last.contains("see \u{1B}]8;;\(Self.swifts)\u{1B}\\birds\u{1B}]8;;\u{1B}\\"), "\(last.debugDescription)")
    #expect(screen.lines[1] == "  see birds")
    #expect(update(from: { Self.linked(&$0) }, to: { _ in }).last == "")
    #expect(update(from: { $0.text("see birds", 2, 1) }, to: { Self.linked(&$0) }).last.contains(Self.swifts))
  }

  @Test func `text over a link is not part of it`() {
    let (last, _) = update(
      from: { Self.linked(&$0) },
      to: {
        $0.fill(Rect(column: 4, row: 0, width: 20, height: 3), style: .plain)
        $0.text("popup", 6, 1)
      })
    #expect(last.contains("popup") && !last.contains("]8;"), "\(last.debugDescription)")
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "mailto:a@b.example", "https://a.example/\u{1B}]52;c;aGk=\u{7}",
    "https://a.example/\u{9C}", "https://a.example/ b", "https://a.example/\(String(repeating: "x", count: 3000))",
  ])
  func `only plain web URLs are links`(_ target: String) {
    #expect(FrameLink(row: 0, columns: 0..<3, target: target) == nil)
  }

  @Test func `no links are written without terminal support`() {
    var dialect = TerminalDialect()
    dialect.links = false
    #expect(!update(dialect: dialect, to: { Self.linked(&$0) }).last.contains("]8;"))
  }

  @Test func `a short gap is rewritten instead of moving the cursor`() {
    #expect(
      update(
        from: { $0.text("abcdef", 0, 0) },
        to: {
          $0.text("X", 1, 0); $0.text("Y", 4, 0)
        }
      ).last == "\u{1B}[2GXcdY")
  }

  @Test func `blanks are erased with their background`() {
    let (last, screen) = update(from: { $0.fill($0.bounds, with: "x", style: .plain) }) {
      $0.fill(Rect(column: 0, row: 2, width: 40, height: 1), style: green)
      $0.fill(Rect(column: 2, row: 3, width: 20, height: 1), style: green)
    }
    #expect(last == "\u{1B}[3H\u{1B}[48;2;10;10;10m\u{1B}[K\r\n\u{1B}[2C\u{1B}[20X" || last.utf8.count < 60)
    #expect(screen.lines[2] == "")
    #expect(screen.style(at: Point(column: 39, row: 2)).background == green.background)
    #expect(screen.lines[3] == "xx" + String(repeating: " ", count: 20) + String(repeating: "x", count: 18))
  }

  @Test func `blanks are written if erasing loses the color`() {
    var dialect = TerminalDialect()
    dialect.erasesWithBackground = false
    let (last, screen) = update(dialect: dialect) {
      $0.fill(Rect(column: 0, row: 2, width: 40, height: 1), style: green)
    }
    #expect(!last.contains("\u{1B}[K"))
    #expect(screen.style(at: Point(column: 39, row: 2)).background == green.background)
  }

  @Test func `ending attributes does not repeat colors`() {
    let (last, _) = update(to: {
      $0.text("a", 0, 0, green.with(.bold)); $0.text("b", 1, 0, green)
    })
    #expect(last.hasSuffix("ma\u{1B}[22mb"))
  }

  @Test func `the cursor is moved absolutely after an ambiguous cluster`() {
    let (last, screen) = update(from: { $0.text("0123456789", 0, 0) }, to: { $0.text("👨‍👩‍👧", 2, 0) })
    // The following text is rewritten, because a terminal may have drawn the family three times as wide.
    #expect(last.hasSuffix("👨‍👩‍👧\u{1B}[1;5H456789") || last.contains("👨‍👩‍👧\u{1B}[1;5H4567"))
    #expect(screen.lines[0] == "01👨‍👩‍👧456789")
  }

  /// A terminal that draws the family as four pictures would wrap to the next row.
  @Test func `an ambiguous cluster near the edge does not wrap`() {
    let (last, screen) = update(to: { $0.text("👨‍👩‍👧", 36, 0) })
    #expect(last.contains("\u{1B}[?7l👨‍👩‍👧\u{1B}[?7h"))
    #expect(screen.lines[0].hasSuffix("👨‍👩‍👧"))
  }

  @Test func `a frame is enclosed in synchronized output`() {
    var writer = FrameWriter(dialect: TerminalDialect())
    writer.synchronizes = true
    var frame = Frame(size: Size(width: 4, height: 1), style: green)
    let first = String(decoding: writer.bytes(for: frame, cursor: nil), as: UTF8.self)
    #expect(first.hasPrefix("\u{1B}[?2026h\u{1B}[m") && first.hasSuffix("\u{1B}[?2026l"))
    #expect(writer.bytes(for: frame, cursor: nil).isEmpty)
    frame.put("x", at: Point(column: 0, row: 0), style: green)
    #expect(String(decoding: writer.bytes(for: frame, cursor: nil), as: UTF8.self).hasPrefix("\u{1B}[?2026h\u{1B}["))
  }

  @Test func `without Unicode characters become question marks`() {
    var dialect = TerminalDialect()
    dialect.unicode = false
    #expect(update(dialect: dialect, to: { $0.text("é漢e\u{301}x", 0, 0) }).screen.lines[0] == "?? ?x")
  }

  @Test func `with eight colors bright colors are bold`() {
    var dialect = TerminalDialect()
    dialect.hasBrightColors = false
    let screen = update(dialect: dialect, to: { $0.text("x", 0, 0, Style(foreground: .indexed(12))) }).screen
    #expect(screen.style(at: Point(column: 0, row: 0)) == Style(foreground: .indexed(4), attributes: .bold))
  }

  @Test func `leaving resets styles and shows the cursor`() {
    var writer = FrameWriter(dialect: TerminalDialect())
    _ = writer.bytes(for: Frame(size: Size(width: 4, height: 1), style: green), cursor: nil)
    #expect(String(decoding: writer.bytesForLeaving(), as: UTF8.self) == "\u{1B}[m\u{1B}[?25h")
  }

  /// After any sequence of drawing, the screen equals the frame. The message of a failure contains the seed.
  @Test(arguments: 1...20) func `random frames are drawn correctly`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let samples = ["plain", "漢字", "👨‍👩‍👧", "e\u{301}", "❤️", "🇺🇦x", "        ", "            ", "\u{1B}[2J", "क्षि", "का", "|"]
    let styles = [Style.plain, green, green.with(.bold), Style(attributes: .reverse), Style(foreground: .indexed(9))]
    var dialect = TerminalDialect()
    dialect.erasesWithBackground = seed % 2 == 0
    dialect.erasesCharacters = seed % 3 == 0
    var writer = FrameWriter(dialect: dialect)
    let size = Size(width: 24, height: 5)
    var screen = ScreenEmulator(size: size)
    var frame = Frame(size: size, style: green)
    for step in 0..<40 {
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let point = Point(column: .random(in: -3...23, using: &random), row: .random(in: 0...4, using: &random))
        frame.put(
          samples.randomElement(using: &random) ?? "", at: point, style: styles.randomElement(using: &random) ?? .plain)
      }
      let cursor = CursorPlacement(Point(column: step % 24, row: step % 5))
      screen.feed(writer.bytes(for: frame, cursor: cursor))
      #expect(screen.lines == frame.lines, "seed \(seed), step \(step)")
      #expect(screen.cursor == cursor.point && screen.isCursorVisible)
      #expect(screen.complaints == [])
      for row in 0..<5 {
        for column in 0..<24 {
          let point = Point(column: column, row: row)
          let cell = frame.cell(at: point)
          let shown = screen.style(at: point)
          // Of a blank cell only the background, lines and reversal are visible.
          let isSame =
            cell.text == " " && cell.style.attributes.isDisjoint(with: [.reverse, .underline])
            ? shown.background == cell.style.background : shown == cell.style
          #expect(isSame, "seed \(seed), step \(step), \(point)")
        }
      }
    }
  }
}
