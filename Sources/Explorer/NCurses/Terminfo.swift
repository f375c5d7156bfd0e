import ApusExplorerTerminal
import CApusNCurses

/// Access to the terminfo entry of the terminal.
///
/// The strings of the entry live as long as the session. They are only read here, before anything is drawn.
enum Terminfo {
  /// Loads the entry of the terminal. If there is none, returns the name of the first entry that can replace it; nil if
  /// the terminal has an entry, or no replacement exists.
  static func fallbackName(_ environment: TerminalEnvironment) -> String? {
    apus_terminfo_load(nil) ? nil : environment.fallbackNames.first { apus_terminfo_load($0) }
  }

  static func string(_ name: String) -> [UInt8]? {
    guard let text = apus_terminfo_string(name) else { return nil }
    return format(text, 0, 0)
  }

  static func number(_ name: String) -> Int? {
    let number = apus_terminfo_number(name)
    return number < 0 ? nil : Int(number)
  }

  static func flag(_ name: String) -> Bool { apus_terminfo_flag(name) }

  /// Returns a capability with up to two parameters, for terminals with their own strings.
  static func formatted(_ name: String, _ first: Int, _ second: Int = 0) -> [UInt8] {
    guard let text = apus_terminfo_string(name) else { return [] }
    return format(text, first, second)
  }

  private static func format(_ text: UnsafePointer<CChar>, _ first: Int, _ second: Int) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      let count = apus_terminfo_format(text, first, second, buffer.baseAddress, buffer.count)
      return buffer.prefix(count).map { UInt8(bitPattern: $0) }
    }
  }

  // MARK: - Properties

  /// Returns the sequences of the keys in the entry.
  static func keySequences() -> TerminfoKeys {
    var sequences = TerminfoKeys()
    func add(_ name: String, _ press: KeyPress) {
      if let bytes = string(name), !bytes.isEmpty { sequences.add(bytes, press) }
    }
    let named: [(String, Key)] = [
      ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("khome", .home), ("kend", .end),
      ("kpp", .pageUp), ("knp", .pageDown), ("kich1", .insert), ("kdch1", .delete), ("kbs", .backspace),
      ("kent", .enter),
    ]
    for (name, key) in named { add(name, KeyPress(key)) }
    add("kcbt", KeyPress(.tab, .shift))
    let shifted: [(String, Key)] = [
      ("kLFT", .left), ("kRIT", .right), ("kri", .up), ("kind", .down), ("kHOM", .home), ("kEND", .end),
      ("kPRV", .pageUp), ("kNXT", .pageDown), ("kIC", .insert), ("kDC", .delete),
    ]
    for (name, key) in shifted { add(name, KeyPress(key, .shift)) }
    // Entries number modified function keys from F13: Shift, Control, both, Alt, then Alt and Shift.
    let layers: [KeyModifiers] = [[], .shift, .control, [.control, .shift], .alt, [.alt, .shift]]
    for number in 1...63 {
      add("kf\(number)", KeyPress(.function((number - 1) % 12 + 1), layers[(number - 1) / 12]))
    }
    return sequences
  }

  /// Returns the number of colors. `NO_COLOR` and other environment variables take precedence over the entry.
  static func colorDepth(_ environment: TerminalEnvironment) -> ColorDepth {
    if environment.forbidsColor { return .mono }
    let colors = number("colors") ?? 0
    if colors > 256 || flag("RGB") || flag("Tc") || environment.claimsDirectColor { return .direct }
    return colors >= 256 ? .indexed256 : colors >= 8 ? .sixteen : .mono
  }

  /// Returns the dialect for writing to this terminal.
  static func dialect(colors: ColorDepth, unicode: Bool, _ environment: TerminalEnvironment) -> TerminalDialect {
    var dialect = TerminalDialect()
    dialect.colors = colors
    dialect.unicode = unicode
    dialect.hasBrightColors = (number("colors") ?? 0) >= 16 || colors > .sixteen
    dialect.erasesWithBackground = flag("bce")
    dialect.erasesCharacters = string("ech") != nil
    // GNU screen shows italics as reverse, whatever the entry says.
    dialect.italic = string("sitm") != nil && !environment.multiplexers.contains(.gnuScreen)
    dialect.wavyUnderline = string("Smulx") != nil || flag("Su") || environment.wavesUnderlines
    dialect.links = speaksECMA48 && !environment.isConsole && !environment.isGNUScreen
    dialect.cursorShapes = string("Ss") != nil
    dialect.writesLastCell = !flag("am") || flag("xenl")
    dialect.attributesWithoutColor = attributesWithoutColor(mask: number("ncv") ?? 0)
    if !speaksECMA48 { dialect.strings = strings(colors: colors) }
    return dialect
  }

  /// Whether the strings of the entry are those of ECMA-48 and need not be looked up.
  private static var speaksECMA48: Bool {
    let escape: [UInt8] = [0x1B, 0x5B]
    guard formatted("cup", 4, 6) == Array("\u{1B}[5;7H".utf8) else { return false }
    return string("setaf") == nil || formatted("setaf", 1).starts(with: escape)
  }

  private static func attributesWithoutColor(mask: Int) -> TextAttributes {
    var attributes: TextAttributes = []
    if mask & 2 != 0 { attributes.formUnion([.underline, .wavyUnderline]) }
    if mask & 4 != 0 { attributes.insert(.reverse) }
    if mask & 16 != 0 { attributes.insert(.dim) }
    if mask & 32 != 0 { attributes.insert(.bold) }
    return attributes
  }

  private static func strings(colors: ColorDepth) -> TerminalDialect.Strings {
    var attributes: [TextAttributes: [UInt8]] = [:]
    let names: [(TextAttributes, String)] = [
      (.bold, "bold"), (.dim, "dim"), (.italic, "sitm"), (.underline, "smul"), (.reverse, "rev"),
    ]
    for (attribute, name) in names { attributes[attribute] = string(name) }
    return TerminalDialect.Strings(
      clear: string("clear") ?? [], resetAttributes: string("sgr0") ?? [], attributes: attributes,
      move: { formatted("cup", $0.row, $0.column) }, foreground: { formatted("setaf", $0) },
      background: { formatted("setab", $0) }, showCursor: string("cnorm") ?? [], hideCursor: string("civis") ?? [])
  }
}
