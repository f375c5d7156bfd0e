/// What control bytes and key sequences mean, as xterm, the Linux console, rxvt and their kin send them.
enum ControlKeys {
  /// A byte below 0x20, or 0x7F.
  static func press(_ byte: UInt8) -> KeyPress {
    switch byte {
    case 0x00: KeyPress(.character(" "), .control)
    case 0x09: KeyPress(.tab)
    case 0x0D: KeyPress(.enter)
    case 0x1B: KeyPress(.escape)
    case 0x7F: KeyPress(.backspace)
    case 0x01...0x1A: KeyPress(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    default: KeyPress(.character(Character(Unicode.Scalar((byte & 0x1F) + 0x40))), .control)
    }
  }

  /// A control sequence; nil for one that is no key.
  static func press(parameters: ArraySlice<UInt8>, final: UInt8) -> KeyPress? {
    guard let numbers = numbers(parameters) else { return nil }
    let first = numbers.first ?? 1
    let modifiers = numbers.count > 1 ? self.modifiers(numbers[1]) : []
    switch final {
    case 0x7E:
      if first == 27, numbers.count > 2 { return press(codePoint: numbers[2], modifiers) }
      return tilde(first).map { KeyPress($0.key, $0.modifiers.union(modifiers)) }
    // rxvt: the final byte carries the modifier.
    case 0x5E: return tilde(first).map { KeyPress($0.key, $0.modifiers.union(.control)) }
    case 0x40: return tilde(first).map { KeyPress($0.key, $0.modifiers.union([.control, .shift])) }
    case 0x61...0x64: return cursorKey(final - 0x20).map { KeyPress($0, .shift) }
    case 0x75: return KittyKeys.press(parameters)
    case 0x5A: return KeyPress(.tab, modifiers.union(.shift))
    case 0x52 where numbers.count != 2 || first != 1: return parameters.isEmpty ? KeyPress(.function(3)) : nil
    default:
      guard first == 1 || numbers.isEmpty else { return nil }
      return cursorKey(final).map { KeyPress($0, modifiers) }
    }
  }

  /// A key in application mode.
  static func shifted(parameters: ArraySlice<UInt8>, final: UInt8) -> KeyPress? {
    let modifiers = numbers(parameters)?.last.map { self.modifiers($0) } ?? []
    switch final {
    case 0x4D: return KeyPress(.enter, modifiers)
    case 0x61...0x64 where parameters.isEmpty: return cursorKey(final - 0x20).map { KeyPress($0, .control) }
    // The keypad's digits and signs.
    case 0x6A...0x79: return KeyPress(.character(Character(Unicode.Scalar(final - 0x40))), modifiers)
    case 0x58: return KeyPress(.character("="), modifiers)
    default: return cursorKey(final).map { KeyPress($0, modifiers) }
    }
  }

  private static func cursorKey(_ final: UInt8) -> Key? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    case 0x50...0x53: .function(Int(final) - 0x4F)
    default: nil
    }
  }

  private static func tilde(_ number: Int) -> (key: Key, modifiers: KeyModifiers)? {
    switch number {
    case 1, 7: (.home, [])
    case 2: (.insert, [])
    case 3: (.delete, [])
    case 4, 8: (.end, [])
    case 5: (.pageUp, [])
    case 6: (.pageDown, [])
    case 11...15: (.function(number - 10), [])
    case 17...21: (.function(number - 11), [])
    case 23, 24: (.function(number - 12), [])
    // F13 to F20 are Shift with F1 to F8 on the Linux console and in rxvt.
    case 25, 26: (.function(number - 24), .shift)
    case 28, 29: (.function(number - 25), .shift)
    case 31...34: (.function(number - 26), .shift)
    default: nil
    }
  }

  /// A key told by its code point, as terminals do that report modifiers on all keys.
  fileprivate static func press(codePoint: Int, _ modifiers: KeyModifiers) -> KeyPress? {
    switch codePoint {
    case 9: return KeyPress(.tab, modifiers)
    case 13: return KeyPress(.enter, modifiers)
    case 27: return KeyPress(.escape, modifiers)
    case 8, 127: return KeyPress(.backspace, modifiers)
    default:
      guard codePoint >= 32, let scalar = Unicode.Scalar(UInt32(clamping: codePoint)),
        scalar.properties.generalCategory != .privateUse, scalar.properties.generalCategory != .control
      else { return nil }
      return KeyPress(.character(Character(scalar)), modifiers)
    }
  }

  private static func modifiers(_ parameter: Int) -> KeyModifiers {
    let bits = max(0, parameter - 1)
    var modifiers: KeyModifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 2 != 0 || bits & 8 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    return modifiers
  }

  /// Parameters as numbers, only the first of each group; nil for a private sequence.
  static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int]? {
    guard !parameters.isEmpty else { return [] }
    var numbers: [Int] = []
    for part in parameters.split(separator: 0x3B, omittingEmptySubsequences: false) {
      var number = 0
      for byte in part {
        if byte == 0x3A { break }
        guard (0x30...0x39).contains(byte) else { return nil }
        number = min(number * 10 + Int(byte - 0x30), 0x10FFFF)
      }
      numbers.append(part.isEmpty ? 1 : number)
    }
    return numbers
  }
}

/// A key as the Kitty keyboard protocol tells it: `code:shifted:base;modifiers:event u`.
///
/// https://sw.kovidgoyal.net/kitty/keyboard-protocol/ A key means what it means in every other terminal: Ctrl-I is Tab,
/// Ctrl-M Enter and Ctrl-[ Esc; and with Shift, Esc and Backspace are what they are without.
enum KittyKeys {
  static func press(_ parameters: ArraySlice<UInt8>) -> KeyPress? {
    guard ControlKeys.numbers(parameters) != nil else { return nil }
    let groups = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map { group in
      group.split(separator: 0x3A, omittingEmptySubsequences: false).map { Int(String(decoding: $0, as: UTF8.self)) }
    }
    guard let codes = groups.first, let code = codes.first ?? 1 else { return nil }
    let states = groups.count > 1 ? groups[1] : []
    // A key that was let go, or one held with Super or Hyper: the desktop's.
    let isRelease = states.count > 1 && states[1] == 3
    let bits = max(0, ((states.first ?? 1) ?? 1) - 1)
    guard !isRelease, bits & (8 | 16) == 0 else { return nil }
    var modifiers: KeyModifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 2 != 0 || bits & 32 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    if let key = named(code) { return KeyPress(key, modifiers) }
    var point = code
    if modifiers.contains(.control), code > 0x7F, codes.count > 2, let base = codes[2], base > 0x20, base < 0x7F {
      // A letter of another script: the key's place on the keyboard is what is meant.
      point = base
    } else if modifiers.contains(.shift), codes.count > 1, let shifted = codes[1] {
      point = shifted
    }
    switch (point, modifiers.contains(.control)) {
    case (0x5B, true): return KeyPress(.escape, modifiers.subtracting([.control, .shift]))
    case (0x69, true): return KeyPress(.tab, modifiers.subtracting(.control))
    case (0x6D, true): return KeyPress(.enter, modifiers.subtracting(.control))
    case (8, _), (27, _), (127, _): return ControlKeys.press(codePoint: point, modifiers.subtracting(.shift))
    default: return ControlKeys.press(codePoint: point, modifiers)
    }
  }

  /// Keys that write nothing have numbers in a private range.
  private static func named(_ code: Int) -> Key? {
    let signs = Array("0123456789./*-+")
    let keys: [Key] = [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete]
    switch code {
    case 57376...57387: return .function(code - 57363)
    case 57399...57413: return .character(signs[code - 57399])
    case 57414: return .enter
    case 57415: return .character("=")
    case 57416: return .character(",")
    case 57417...57426: return keys[code - 57417]
    default: return nil
    }
  }
}

/// What terminals answer when asked what they can do, without the `?` that marks an answer.
enum AnswerReport {
  static func answer(_ parameters: ArraySlice<UInt8>, final: UInt8) -> TerminalAnswer? {
    switch final {
    case 0x75: return ControlKeys.numbers(parameters).map { .keyboardFlags($0.first ?? 0) }
    case 0x63: return ControlKeys.numbers(parameters).map { _ in .attributes }
    case 0x79 where parameters.last == 0x24:
      // Neither number may be left out.
      guard let numbers = ControlKeys.numbers(parameters.dropLast()), numbers.count == 2,
        parameters.dropLast().split(separator: 0x3B).count == 2
      else { return nil }
      return .mode(numbers[0], setting: numbers[1])
    default: return nil
    }
  }
}

/// What terminals report of the mouse.
enum MouseReport {
  /// `button;column;row`, with `M` for a press and `m` for a release.
  static func sgr(_ parameters: ArraySlice<UInt8>, final: UInt8) -> MouseEvent? {
    guard final == 0x4D || final == 0x6D, let numbers = ControlKeys.numbers(parameters), numbers.count == 3 else {
      return nil
    }
    return event(code: numbers[0], column: numbers[1], row: numbers[2], isRelease: final == 0x6D)
  }

  /// Three bytes, each with 32 added; a release does not tell its button.
  static func legacy(_ bytes: [UInt8]) -> MouseEvent? {
    guard bytes.count == 3, bytes.allSatisfy({ $0 >= 32 }) else { return nil }
    let code = Int(bytes[0]) - 32
    let isRelease = code & 0b11 == 3 && code & 0b110_0000 == 0
    return event(
      code: isRelease ? code & ~0b11 : code, column: Int(bytes[1]) - 32, row: Int(bytes[2]) - 32, isRelease: isRelease)
  }

  private static func event(code: Int, column: Int, row: Int, isRelease: Bool) -> MouseEvent? {
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    let point = Point(column: max(0, column - 1), row: max(0, row - 1))
    if code & 64 != 0 {
      let directions: [MouseEvent.Direction] = [.up, .down, .left, .right]
      return isRelease ? nil : MouseEvent(.wheel(directions[code & 3]), at: point, modifiers: modifiers)
    }
    let buttons: [MouseEvent.Button] = [.left, .middle, .right]
    guard code & 128 == 0, code & 3 < 3 else { return nil }
    let button = buttons[code & 3]
    if code & 32 != 0 { return MouseEvent(.drag(button), at: point, modifiers: modifiers) }
    return MouseEvent(isRelease ? .release(button) : .press(button), at: point, modifiers: modifiers)
  }
}

/// What terminals answer when asked for a colour.
enum ColorReport {
  /// `11;rgb:RRRR/GGGG/BBBB`, with one to four digits each.
  static func background(_ bytes: ArraySlice<UInt8>) -> Color? {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasPrefix("11;rgb:") || text.hasPrefix("11;rgba:") else { return nil }
    let parts = text.drop { $0 != ":" }.dropFirst().split(separator: "/").prefix(3)
    let values = parts.compactMap { part -> UInt8? in
      guard (1...4).contains(part.utf8.count), let value = UInt32(part, radix: 16) else { return nil }
      let largest = (UInt32(1) << (4 * UInt32(part.utf8.count))) - 1
      return UInt8(value * 255 / largest)
    }
    guard values.count == 3 else { return nil }
    return .rgb(values[0], values[1], values[2])
  }
}
