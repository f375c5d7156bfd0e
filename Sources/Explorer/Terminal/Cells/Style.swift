/// A color of a cell: the terminal's default, an entry of its palette, or RGB.
package struct Color: Hashable, Sendable {
  // A single word keeps cells at 16 bytes: the kind is in the top byte, with an index or three components below.
  let bits: UInt32

  package enum Kind: Equatable, Sendable {
    case `default`
    case indexed(UInt8)
    case rgb(red: UInt8, green: UInt8, blue: UInt8)
  }

  package static let `default` = Color(bits: 0)

  package static func indexed(_ index: UInt8) -> Color {
    Color(bits: 1 << 24 | UInt32(index))
  }

  package static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
    Color(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
  }

  package var kind: Kind {
    switch bits >> 24 {
    case 1: .indexed(UInt8(truncatingIfNeeded: bits))
    case 2:
      .rgb(
        red: UInt8(truncatingIfNeeded: bits >> 16), green: UInt8(truncatingIfNeeded: bits >> 8),
        blue: UInt8(truncatingIfNeeded: bits))
    default: .default
    }
  }
}

/// Text attributes other than colors.
package struct TextAttributes: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  package static let bold = TextAttributes(rawValue: 1 << 0)
  package static let dim = TextAttributes(rawValue: 1 << 1)
  package static let italic = TextAttributes(rawValue: 1 << 2)
  package static let underline = TextAttributes(rawValue: 1 << 3)
  /// A wavy underline for errors; a straight one if the terminal has none.
  package static let wavyUnderline = TextAttributes(rawValue: 1 << 4)
  package static let reverse = TextAttributes(rawValue: 1 << 5)
  package static let strikethrough = TextAttributes(rawValue: 1 << 6)
}

/// The style of a cell: two colors and attributes.
package struct Style: Equatable, Sendable {
  package var foreground: Color
  package var background: Color
  package var attributes: TextAttributes

  package static let plain = Style()

  package init(
    foreground: Color = .default, background: Color = .default, attributes: TextAttributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// Returns this style on top of another. Default colors are replaced by those below, and attributes are combined.
  ///
  /// A reversed style covers the colors below, because reversing each one would turn a selected row into a patchwork.
  package func over(_ below: Style) -> Style {
    if attributes.contains(.reverse) {
      return Style(foreground: foreground, background: background, attributes: attributes.union(below.attributes))
    }
    return Style(
      foreground: foreground == .default ? below.foreground : foreground,
      background: background == .default ? below.background : background,
      attributes: attributes.union(below.attributes))
  }

  package func with(_ attributes: TextAttributes) -> Style {
    Style(foreground: foreground, background: background, attributes: self.attributes.union(attributes))
  }

  package func on(_ background: Color) -> Style {
    Style(foreground: foreground, background: background, attributes: attributes)
  }
}
