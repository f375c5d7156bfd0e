/// A color with red, green and blue components.
package struct RGB: Equatable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a color from `0xRRGGBB`.
  package init(_ hex: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: hex >> 16), UInt8(truncatingIfNeeded: hex >> 8), UInt8(truncatingIfNeeded: hex))
  }
}

/// The colors of a base16 or base24 scheme in the order of their slots: `base00` to `base0F`, optionally followed by
/// `base10` to `base17`.
package struct ThemePalette: Equatable, Sendable {
  package var name: String
  package var colors: [RGB]

  /// Creates a palette; nil unless there are 16 or 24 colors.
  package init?(name: String, colors: [RGB]) {
    guard colors.count == 16 || colors.count == 24 else { return nil }
    self.init(checkedName: name, colors: colors)
  }

  init(checkedName name: String, colors: [RGB]) {
    self.name = name
    self.colors = colors
  }

  /// The color of a slot. For a base24 slot in a base16 scheme, the fallback of the styling guide.
  package subscript(slot: Int) -> RGB {
    if slot < colors.count { return colors[slot] }
    switch slot {
    case 0x10, 0x11: return colors[0x00]
    case 0x12: return colors[0x08]
    case 0x13: return colors[0x0A]
    case 0x14: return colors[0x0B]
    case 0x15: return colors[0x0C]
    case 0x16: return colors[0x0D]
    case 0x17: return colors[0x0E]
    default: return colors[0x05]
    }
  }
}
