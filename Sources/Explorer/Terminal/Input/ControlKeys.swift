/// The keys of control bytes and key sequences as sent by xterm, the Linux console, rxvt and similar terminals.
enum ControlKeys {
  /// Returns the key of a byte below 0x20, or of 0x7F.
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

  /// Returns the key of a control sequence; nil if it is not a key. `ESC [ 1 ; 5 A` has the parameters `1;5` and the
  /// final byte `A`: Ctrl-Up.
  static func press(parameters: ArraySlice<UInt8>, final: UInt8) -> KeyPress? {
    guard let numbers = numbers(parameters) else { return nil }
    let first = numbers.first ?? 1
    let modifiers = numbers.count > 1 ? self.modifiers(numbers[1]) : []
    switch final {
    case 0x7E:
      if first == 27, numbers.count > 2 { return press(codePoint: numbers[2], modifiers) }
      return tilde(first).map { KeyPress($0.key, $0.modifiers.union(modifiers)) }
    // In rxvt the final byte contains the modifier.
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

  /// Returns the key of an SS3 sequence (application mode).
  static func shifted(parameters: ArraySlice<UInt8>, final: UInt8) -> KeyPress? {
    let modifiers = numbers(parameters)?.last.map { self.modifiers($0) } ?? []
    switch final {
    case 0x4D: return KeyPress(.enter, modifiers)
    case 0x61...0x64 where parameters.isEmpty: return cursorKey(final - 0x20).map { KeyPress($0, .control) }
    // The digits and symbols of the keypad.
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
    // On the Linux console and in rxvt, F13 to F20 are Shift with F1 to F8.
    case 25, 26: (.function(number - 24), .shift)
    case 28, 29: (.function(number - 25), .shift)
    case 31...34: (.function(number - 26), .shift)
    default: nil
    }
  }

  /// Returns the key of a code point, for terminals that report modifiers on all keys.
  static func press(codePoint: Int, _ modifiers: KeyModifiers) -> KeyPress? {
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

  /// Returns the numeric parameters, using the first of each group (1 and 5 for `1;5:3`); nil for a private sequence.
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
