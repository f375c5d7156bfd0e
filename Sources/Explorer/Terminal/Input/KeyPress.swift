/// The modifiers of a key press or mouse event.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let control = KeyModifiers(rawValue: 1 << 0)
  package static let alt = KeyModifiers(rawValue: 1 << 1)
  package static let shift = KeyModifiers(rawValue: 1 << 2)
}

/// A key: a character or a named key.
package enum Key: Hashable, Sendable {
  case character(Character)
  case enter, escape, tab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
}

/// A key press with modifiers. Its text form is `Ctrl-R`, `Alt-1`, `F5`, `Shift-F6`, `?`.
///
/// Each key press has one normalized form. With Control a letter is lowercase, because terminals do not report its
/// case. Shift is used only with named keys, because characters include it (`A`, `?`). With Alt the case of a letter
/// matters: `Alt-f`.
package struct KeyPress: Hashable, Sendable {
  package var key: Key
  package var modifiers: KeyModifiers

  package init(_ key: Key, _ modifiers: KeyModifiers = []) {
    self.key = key
    self.modifiers = modifiers
    guard case .character(let character) = key else { return }
    if modifiers.contains(.control), let lower = character.lowercased().first, character.isLetter {
      self.key = .character(lower)
    } else if modifiers.contains(.shift), character.isLetter, let upper = character.uppercased().first {
      self.key = .character(upper)
    }
    // Control with Shift and a letter is a separate key in terminals that report it.
    if !(modifiers.contains(.control) && (character.isLetter || character == " ")), character != " " {
      self.modifiers.remove(.shift)
    }
  }

  /// The character to insert, unless the press is a command.
  package var typed: Character? {
    guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
    return character
  }

  private static let names: [(key: Key, name: String)] = [
    (.enter, "Enter"), (.escape, "Esc"), (.tab, "Tab"), (.backspace, "Backspace"), (.delete, "Delete"),
    (.insert, "Insert"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"),
    (.end, "End"), (.pageUp, "PageUp"), (.pageDown, "PageDown"), (.character(" "), "Space"),
  ]

  /// Keys by their names in lowercase, including aliases such as `pgup` and `return`.
  private static let keys: [String: Key] = {
    var keys: [String: Key] = [
      "escape": .escape, "return": .enter, "del": .delete, "ins": .insert, "pgup": .pageUp, "pgdn": .pageDown,
      "pgdown": .pageDown,
    ]
    for (key, name) in names { keys[name.lowercased()] = key }
    for number in 1...24 { keys["f\(number)"] = .function(number) }
    return keys
  }()

  /// Parses the text form, ignoring case except for single characters; nil if it is invalid. `ctrl-r`, `C-r` and
  /// `Ctrl-R` are the same key.
  package init?(_ text: String) {
    var rest = text[...]
    var modifiers: KeyModifiers = []
    while let dash = rest.utf8.firstIndex(of: UInt8(ascii: "-")), rest.utf8.index(after: dash) < rest.endIndex {
      switch rest[..<dash].lowercased() {
      case "ctrl", "control", "c": modifiers.insert(.control)
      case "alt", "meta", "m", "a": modifiers.insert(.alt)
      case "shift", "s": modifiers.insert(.shift)
      default: return nil
      }
      rest = rest[rest.utf8.index(after: dash)...]
    }
    guard let first = rest.first else { return nil }
    if rest.dropFirst().isEmpty {
      self.init(.character(first), modifiers)
    } else if let key = Self.keys[rest.lowercased()] {
      self.init(key, modifiers)
    } else {
      return nil
    }
  }
}

extension KeyPress: CustomStringConvertible {
  package var description: String {
    var text = ""
    if modifiers.contains(.control) { text += "Ctrl-" }
    if modifiers.contains(.alt) { text += "Alt-" }
    if modifiers.contains(.shift) { text += "Shift-" }
    if let named = Self.names.first(where: { $0.key == key }) { return text + named.name }
    switch key {
    case .function(let number): return text + "F\(number)"
    case .character(let character):
      return text + (modifiers.contains(.control) ? character.uppercased() : String(character))
    case .enter, .escape, .tab, .backspace, .delete, .insert, .up, .down, .left, .right, .home, .end, .pageUp,
      .pageDown:
      return text
    }
  }
}

extension KeyPress: ExpressibleByStringLiteral {
  /// Creates a key press for key tables in code. An invalid literal traps.
  package init(stringLiteral text: String) {
    guard let press = KeyPress(text) else { preconditionFailure("\(text) names no key") }
    self = press
  }
}
