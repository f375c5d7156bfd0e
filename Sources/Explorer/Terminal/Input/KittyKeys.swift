/// Parses the keys of the Kitty keyboard protocol: `code:shifted:base;modifiers:event u`. `97:65;2u` is Shift with A,
/// which types `A`.
///
/// Source: https://sw.kovidgoyal.net/kitty/keyboard-protocol/. Keys keep their meaning in other terminals: Ctrl-I is
/// Tab, Ctrl-M is Enter and Ctrl-[ is Esc. Shift has no effect on Esc and Backspace.
enum KittyKeys {
  static func press(_ parameters: ArraySlice<UInt8>) -> KeyPress? {
    guard ControlKeys.numbers(parameters) != nil else { return nil }
    let groups = parameters.split(separator: 0x3B, omittingEmptySubsequences: false).map { group in
      group.split(separator: 0x3A, omittingEmptySubsequences: false).map { Int(String(decoding: $0, as: UTF8.self)) }
    }
    guard let codes = groups.first, let code = codes.first ?? 1 else { return nil }
    let states = groups.count > 1 ? groups[1] : []
    // A key release, or a key with Super or Hyper, which belongs to the desktop.
    let isRelease = states.count > 1 && states[1] == 3
    let bits = max(0, ((states.first ?? 1) ?? 1) - 1)
    guard !isRelease, bits & (8 | 16) == 0 else { return nil }
    var modifiers: KeyModifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 2 != 0 || bits & 32 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    if let key = named(code) { return KeyPress(key, modifiers) }
    var point = code
    let isCommand = !modifiers.isDisjoint(with: [.control, .alt])
    if isCommand, code > 0x7F, codes.count > 2, let base = codes[2], base > 0x20, base < 0x7F {
      // For a letter of another script, use the key's position on the keyboard.
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

  /// Returns the key of a code in the private range, for keys without characters.
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
