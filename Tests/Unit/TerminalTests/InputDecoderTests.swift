import ApusExplorerTerminal
import ApusTestSupport
import Testing

/// Decodes bytes that arrive at once, with nothing after them.
private func decoded(_ text: String, sequences: TerminfoKeys = TerminfoKeys()) -> [TerminalEvent] {
  var decoder = InputDecoder(sequences: sequences)
  var events = decoder.feed(text.utf8)
  while decoder.waiting != .no { events += decoder.timeOut() }
  return events
}

/// Decodes bytes that arrive one by one, as over a slow connection.
private func decodedSlowly(_ text: String) -> [TerminalEvent] {
  var decoder = InputDecoder()
  var events: [TerminalEvent] = []
  for byte in text.utf8 { events += decoder.feed([byte]) }
  while decoder.waiting != .no { events += decoder.timeOut() }
  return events
}

@Suite struct InputDecoderTests {
  private static let keys: [(String, String)] = [
    ("a", "a"), ("é", "é"), ("漢", "漢"), ("\r", "Enter"), ("\n", "Ctrl-J"), ("\t", "Tab"), ("\u{7F}", "Backspace"),
    ("\u{08}", "Ctrl-H"), ("\0", "Ctrl-Space"), ("\u{12}", "Ctrl-R"), ("\u{1F}", "Ctrl-_"), ("\u{1B}", "Esc"),
    ("\u{1B}1", "Alt-1"), ("\u{1B}f", "Alt-f"), ("\u{1B}F", "Alt-F"), ("\u{1B}é", "Alt-é"), ("\u{1B}\r", "Alt-Enter"),
    ("\u{1B}\u{7F}", "Alt-Backspace"), ("\u{1B}[", "Alt-["), ("\u{1B}O", "Alt-O"), ("\u{1B}]", "Alt-]"),
    ("\u{1B}[A", "Up"), ("\u{1B}OA", "Up"), ("\u{1B}[1;5C", "Ctrl-Right"), ("\u{1B}[1;2D", "Shift-Left"),
    ("\u{1B}[1;8H", "Ctrl-Alt-Shift-Home"), ("\u{1B}[3~", "Delete"), ("\u{1B}[3;5~", "Ctrl-Delete"),
    ("\u{1B}[5~", "PageUp"), ("\u{1B}[Z", "Shift-Tab"), ("\u{1B}OP", "F1"), ("\u{1B}[11~", "F1"), ("\u{1B}[[A", "F1"),
    ("\u{1B}[15~", "F5"), ("\u{1B}[17~", "F6"), ("\u{1B}[17;2~", "Shift-F6"), ("\u{1B}[32~", "Shift-F6"),
    ("\u{1B}[1;2P", "Shift-F1"), ("\u{1B}[24~", "F12"), ("\u{1B}\u{1B}[A", "Alt-Up"), ("\u{1B}[a", "Shift-Up"),
    ("\u{1B}Oa", "Ctrl-Up"), ("\u{1B}[3^", "Ctrl-Delete"), ("\u{1B}[13;5u", "Ctrl-Enter"),
    ("\u{1B}[27;5;13~", "Ctrl-Enter"), ("\u{1B}[122;6u", "Ctrl-Shift-Z"), ("\u{1B}OM", "Enter"), ("\u{1B}Ok", "+"),
    ("👨‍👩‍👧", "👨‍👩‍👧"), ("न्दी", "न्दी"),
  ]

  @Test(arguments: keys)
  func `keys are decoded`(bytes: String, name: String) throws {
    #expect(decoded(bytes) == [.key(try #require(KeyPress(name)))])
  }

  /// The Kitty keyboard protocol: keys have the same meaning as in other terminals.
  @Test(arguments: [
    ("\u{1B}[27u", "Esc"), ("\u{1B}[27;2u", "Esc"), ("\u{1B}[127;2u", "Backspace"), ("\u{1B}[13;2u", "Shift-Enter"),
    ("\u{1B}[9;2u", "Shift-Tab"), ("\u{1B}[114;5u", "Ctrl-R"), ("\u{1B}[114:82;6u", "Ctrl-Shift-R"),
    ("\u{1B}[105;5u", "Tab"), ("\u{1B}[109;5u", "Enter"), ("\u{1B}[91;5u", "Esc"), ("\u{1B}[32;5u", "Ctrl-Space"),
    ("\u{1B}[47:63;4u", "Alt-?"), ("\u{1B}[102:70;4u", "Alt-F"), ("\u{1B}[45:95;6u", "Ctrl-_"),
    ("\u{1B}[102;3u", "Alt-f"),
    ("\u{1B}[1089::99;5u", "Ctrl-C"), ("\u{1B}[1089;5:1u", "Ctrl-с"), ("\u{1B}[97;69u", "Ctrl-A"),
    ("\u{1B}[102;33u", "Alt-f"),
    ("\u{1B}[57414u", "Enter"), ("\u{1B}[57417;5u", "Ctrl-Left"), ("\u{1B}[57413u", "+"), ("\u{1B}[57376u", "F13"),
    ("\u{1B}[57399;129u", "0"),
  ])
  func `keys of the kitty protocol are decoded`(bytes: String, name: String) throws {
    #expect(decoded(bytes) == [.key(try #require(KeyPress(name)))])
    #expect(decodedSlowly(bytes) == decoded(bytes))
  }

  /// The terminal reports the key of the Latin layout third; without it, the key is that of the layout.
  @Test(arguments: [
    ("\u{1B}[1090::110;3u", "Alt-n"), ("\u{1B}[1090:1058:110;4u", "Alt-N"), ("\u{1B}[957::110;3u", "Alt-n"),
    ("\u{1B}[1503::105;3u", "Alt-i"), ("\u{1B}[1090;3u", "Alt-т"),
  ])
  func `Alt keys of Cyrillic, Greek and Hebrew layouts have the letter of the base key`(
    bytes: String, name: String
  ) throws {
    #expect(decoded(bytes) == [.key(try #require(KeyPress(name)))])
    #expect(decodedSlowly(bytes) == decoded(bytes))
  }

  /// Key releases, keys of the desktop, modifiers alone, media keys, and invalid sequences.
  @Test(arguments: [
    "\u{1B}[97;5:3u", "\u{1B}[97;9u", "\u{1B}[57441;2u", "\u{1B}[57428u", "\u{1B}[u", "\u{1B}[;u", "\u{1B}[:;:u",
    "\u{1B}[99999999999999999999u", "\u{1B}[97:;-1u",
  ])
  func `unused keys are ignored`(bytes: String) {
    #expect(decoded(bytes + "x") == [.key("x")])
  }

  @Test func `terminal responses are not keys`() {
    var decoder = InputDecoder()
    let text = "a\u{1B}[?5u\u{1B}[?2026;2$y\u{1B}[?1004;1$yb\u{1B}[?62;22c\u{1B}[?;$yc\u{1B}[?1$yd"
    var events: [TerminalEvent] = []
    for byte in text.utf8 { events += decoder.feed([byte]) }
    #expect(events == "abcd".map { .key(KeyPress(.character($0))) })
    #expect(
      decoder.takeAnswers() == [
        .keyboardFlags(5), .mode(2026, setting: 2), .mode(1004, setting: 1), .attributes,
      ])
    #expect(decoder.takeAnswers().isEmpty)
    // An Escape pressed just before a response is a separate key.
    #expect(decoder.feed("\u{1B}\u{1B}[?62c".utf8) == [.key("Esc")])
    #expect(decoder.takeAnswers() == [.attributes])
  }

  @Test func `focus events are decoded`() {
    #expect(decoded("\u{1B}[Ia\u{1B}[O") == [.focus(true), .key("a"), .focus(false)])
  }

  @Test func `split sequences are decoded`() {
    #expect(
      decodedSlowly("\u{1B}[1;5Cxé\u{1B}[<0;3;4M\u{1B}[200~a漢\u{1B}[201~") == [
        .key("Ctrl-Right"), .key("x"), .key("é"), .mouse(MouseEvent(.press(.left), at: Point(column: 2, row: 3))),
        .paste("a漢"),
      ])
  }

  @Test func `a lone escape is decoded after a timeout`() {
    var decoder = InputDecoder()
    #expect(decoder.feed([0x1B]) == [])
    #expect(decoder.waiting == .escape)
    #expect(decoder.timeOut() == [.key("Esc")])
    #expect(decoder.waiting == .no)
    #expect(decoded("\u{1B}\u{1B}") == [.key("Esc"), .key("Esc")])
  }

  @Test func `unknown sequences are not typed`() {
    #expect(
      decoded("a\u{1B}[?62;22cb\u{1B}[12;40Rc\u{1B}[?2026;2$yd\u{1B}[5Ie")
        == "abcde".map { .key(KeyPress(.character($0))) })
    #expect(decoded("\u{1B}[999999999999999999999~x") == [.key("x")])
    #expect(decoded("\u{9B}31mx\u{85}").allSatisfy { $0 != .key(KeyPress(.character("\u{9B}"))) })
  }

  @Test func `invalid UTF-8 is ignored`() {
    var decoder = InputDecoder()
    #expect(decoder.feed([0xFF, 0xC3, 0x28, 0x61]) == [.key("("), .key("a")])
    // After Escape, an invalid byte is not a key, not even with a following combining mark; neither is a control
    // character.
    #expect(decoder.feed([0x1B, 0xFC, 0xCC, 0x81]) == [.key(KeyPress(.character("\u{301}")))])
    #expect(decoder.feed("\u{1B}\u{85}".utf8).isEmpty)
  }

  @Test func `pasted text is one event with line feeds`() {
    #expect(
      decoded("\u{1B}[200~query {\r\n\tbirds\r}\n\u{1B}[31m\u{7}\u{1B}[201~x") == [
        .paste("query {\n\tbirds\n}\n[31m"), .key("x"),
      ])
  }

  @Test func `a long paste is decoded in pieces`() {
    var decoder = InputDecoder()
    let text = String(repeating: "fragment F on Bird { id }\n", count: 20_000)
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
    var events: [TerminalEvent] = []
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      events += decoder.feed(bytes[start..<min(bytes.count, start + 4096)])
    }
    #expect(events == [.paste(text)])
  }

  @Test(arguments: [
    ("\u{1B}[<0;10;5M", MouseEvent(.press(.left), at: Point(column: 9, row: 4))),
    ("\u{1B}[<2;1;1m", MouseEvent(.release(.right), at: Point(column: 0, row: 0))),
    ("\u{1B}[<32;11;5M", MouseEvent(.drag(.left), at: Point(column: 10, row: 4))),
    ("\u{1B}[<64;10;5M", MouseEvent(.wheel(.up), at: Point(column: 9, row: 4))),
    ("\u{1B}[<81;300;500M", MouseEvent(.wheel(.down), at: Point(column: 299, row: 499), modifiers: .control)),
    ("\u{1B}[M !\"", MouseEvent(.press(.left), at: Point(column: 0, row: 1))),
    ("\u{1B}[M#!!", MouseEvent(.release(.left), at: Point(column: 0, row: 0))),
  ])
  func `mouse events are decoded`(bytes: String, event: MouseEvent) {
    #expect(decoded(bytes) == [.mouse(event)])
  }

  @Test func `the background color is decoded`() {
    #expect(decoded("\u{1B}]11;rgb:1d1d/2021/ff\u{1B}\\x") == [.background(.rgb(0x1D, 0x20, 0xFF)), .key("x")])
    #expect(decoded("\u{1B}]11;rgb:ffff/ffff/ffff\u{7}") == [.background(.rgb(255, 255, 255))])
    #expect(decoded("\u{1B}]52;c;AAAA\u{7}y") == [.key("y")])
  }

  /// The pieces of a sequence that a slow connection delays beyond the timeout.
  @Test(
    arguments: [
      (["\u{1B}[?62;2", "2cx"], [.key("x")]), (["\u{1B}[?", "1;2cx"], [.key("x")]),
      (["\u{1B}", "[?1;2cx"], [.key("Esc"), .key("x")]), (["\u{1B}[", "?1;2cx"], [.key("Alt-["), .key("x")]),
      (["\u{1B}[?2026", ";", "2$", "yx"], [.key("x")]), (["\u{1B}[1;5", "Cx"], [.key("Ctrl-Right"), .key("x")]),
      (["\u{1B}[<64;10", ";5Mx"], [.mouse(MouseEvent(.wheel(.up), at: Point(column: 9, row: 4))), .key("x")]),
      (["\u{1B}]11;rgb:1d1d/20", "21/ffff\u{1B}\\x"], [.background(.rgb(0x1D, 0x20, 0xFF)), .key("x")]),
      (["\u{1B}]11;rgb:1d1d/2021/ffff\u{1B}", "\\x"], [.background(.rgb(0x1D, 0x20, 0xFF)), .key("x")]),
      (["\u{1B}", "]11;rgb:1d1d/2021/ffff\u{7}x"], [.key("Esc"), .background(.rgb(0x1D, 0x20, 0xFF)), .key("x")]),
      // Keys after an incomplete sequence, and keys that look like one.
      (["\u{1B}]11;rgb:", "xy"], [.key("x"), .key("y")]), (["\u{1B}", "["], [.key("Esc"), .key("[")]),
      (["\u{1B}", "\u{1B}[A"], [.key("Esc"), .key("Up")]),
      (["\u{1B}", "[a", "b"], [.key("Esc"), .key("["), .key("a"), .key("b")]),
    ] as [([String], [TerminalEvent])])
  func `the late rest of a sequence is not typed`(pieces: [String], events: [TerminalEvent]) {
    var decoder = InputDecoder()
    var seen: [TerminalEvent] = []
    for piece in pieces {
      seen += decoder.feed(piece.utf8)
      while decoder.waiting != .no { seen += decoder.timeOut() }
    }
    #expect(seen == events)
  }

  @Test func `a late response is reported as a response`() {
    var decoder = InputDecoder()
    _ = decoder.feed("\u{1B}[?".utf8)
    _ = decoder.timeOut()
    _ = decoder.feed("62;22c".utf8)
    #expect(decoder.takeAnswers() == [.attributes])
  }

  @Test func `responses to queries of other programs are not typed`() {
    #expect(decoded("\u{1B}P>|kitty(0.26.5)\u{1B}\\a") == [.key("a")])
    #expect(decoded("\u{1B}P1+r544e=787465726d\u{1B}\\b\u{1B}P!|7E565445\u{1B}\\c") == [.key("b"), .key("c")])
    #expect(decodedSlowly("\u{1B}P>|kitty(0.26.5)\u{1B}\\a") == [.key("a")])
    #expect(decoded("\u{1B}Pa") == [.key("Alt-P"), .key("a")])
    #expect(decoded("\u{1B}P") == [.key("Alt-P")] && decoded("\u{1B}P1") == [.key("Alt-P"), .key("1")])
  }

  @Test func `keys of the terminfo entry are decoded`() {
    var sequences = TerminfoKeys()
    sequences.add([0x08], KeyPress(.backspace))
    sequences.add(Array("\u{1B}?x".utf8), KeyPress(.function(7)))
    sequences.add(Array("q".utf8), KeyPress(.function(8)))
    #expect(decoded("\u{08}\u{1B}?xq", sequences: sequences) == [.key("Backspace"), .key("F7"), .key("q")])
  }

  /// Random bytes must not crash or block the decoder, and later input must be decoded.
  @Test(arguments: 1...50) func `decoding random bytes never traps or stalls`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var decoder = InputDecoder()
    let alphabet: [UInt8] = [
      0x1B, 0x5B, 0x4F, 0x3B, 0x3C, 0x4D, 0x6D, 0x7E, 0x32, 0x30, 0x5D, 0xC3, 0xE6, 0x00, 0x61, 0x3F, 0x75, 0x24, 0x79,
      0x3A, 0x63, 0x49,
    ]
    for _ in 0..<200 {
      _ = decoder.feed(
        (0..<Int.random(in: 1...9, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
    var turns = 0
    while decoder.waiting != .no, turns < 10_000 {
      _ = decoder.timeOut()
      turns += 1
    }
    #expect(decoder.waiting == .no, "seed \(seed)")
    _ = decoder.feed(Array("\u{1B}[201~".utf8))
    #expect(decoder.feed(Array("z".utf8)).last == .key("z"), "seed \(seed)")
  }
}
