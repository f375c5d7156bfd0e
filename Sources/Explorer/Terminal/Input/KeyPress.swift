/// Keys held while another is pressed, or a mouse button.
package struct KeyModifiers: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let control = KeyModifiers(rawValue: 1 << 0)
  package static let alt = KeyModifiers(rawValue: 1 << 1)
  package static let shift = KeyModifiers(rawValue: 1 << 2)
}

/// A key: a character or a named one.
package enum Key: Hashable, Sendable {
  case character(Character)
  case enter, escape, tab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case function(Int)
}

/// One press of a key with its modifiers, and the text people write for it: `Ctrl-R`, `Alt-1`, `F5`, `Shift-F6`, `?`.
///
/// One press has one form. With Control a letter is lower case, since a terminal does not tell; Shift is spelled only
/// with named keys, since a character carries it already (`A`, `?`). With Alt the case of a letter counts: `Alt-f`.
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
    // Control with Shift and a letter is a key of its own, in terminals that report it.
    if !(modifiers.contains(.control) && (character.isLetter || character == " ")), character != " " {
      self.modifiers.remove(.shift)
    }
  }

  /// The character that this press types, if it is not a command.
  package var typed: Character? {
    guard case .character(let character) = key, modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
    return character
  }

  private static let names: [(key: Key, name: String)] = [
    (.enter, "Enter"), (.escape, "Esc"), (.tab, "Tab"), (.backspace, "Backspace"), (.delete, "Delete"),
    (.insert, "Insert"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"), (.home, "Home"),
    (.end, "End"), (.pageUp, "PageUp"), (.pageDown, "PageDown"), (.character(" "), "Space"),
  ]

  /// The keys by what may be written for them, in lower case.
  private static let keys: [String: Key] = {
    var keys: [String: Key] = [
      "escape": .escape, "return": .enter, "del": .delete, "ins": .insert, "pgup": .pageUp, "pgdn": .pageDown,
      "pgdown": .pageDown,
    ]
    for (key, name) in names { keys[name.lowercased()] = key }
    for number in 1...24 { keys["f\(number)"] = .function(number) }
    return keys
  }()

  /// Reads the written form, in any case except for single characters; nil if it names no key.
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
    if let known = Self.names.first(where: { $0.key == key }) { return text + known.name }
    switch key {
    case .function(let number): return text + "F\(number)"
    case .character(let character):
      return text + (modifiers.contains(.control) ? character.uppercased() : String(character))
    default: return text
    }
  }
}

extension KeyPress: ExpressibleByStringLiteral {
  /// For key tables in code: a literal that names no key is a mistake of the programmer.
  package init(stringLiteral text: String) {
    guard let press = KeyPress(text) else { preconditionFailure("\(text) names no key") }
    self = press
  }
}
