/// The control sequences of a terminal for moving the cursor and setting styles.
///
/// Nearly all terminals support ECMA-48 and ISO 8613-6, whose sequences are written without a lookup. For others, the
/// strings of their terminfo entry are used.
package struct TerminalDialect: Sendable {
  /// The sequences of a terminal without ECMA-48.
  package struct Strings: Sendable {
    package var clear: [UInt8]
    package var resetAttributes: [UInt8]
    package var attributes: [TextAttributes: [UInt8]]
    package var move: @Sendable (Point) -> [UInt8]
    package var foreground: @Sendable (Int) -> [UInt8]
    package var background: @Sendable (Int) -> [UInt8]
    package var showCursor: [UInt8]
    package var hideCursor: [UInt8]

    package init(
      clear: [UInt8], resetAttributes: [UInt8], attributes: [TextAttributes: [UInt8]],
      move: @escaping @Sendable (Point) -> [UInt8], foreground: @escaping @Sendable (Int) -> [UInt8],
      background: @escaping @Sendable (Int) -> [UInt8], showCursor: [UInt8], hideCursor: [UInt8]
    ) {
      self.clear = clear
      self.resetAttributes = resetAttributes
      self.attributes = attributes
      self.move = move
      self.foreground = foreground
      self.background = background
      self.showCursor = showCursor
      self.hideCursor = hideCursor
    }
  }

  /// Sequences; nil for ECMA-48.
  package var strings: Strings?
  package var colors: ColorDepth = .direct
  /// Whether colors 8 to 15 exist. Otherwise bold replaces bright colors.
  package var hasBrightColors = true
  package var unicode = true
  /// Whether erasing uses the background color.
  package var erasesWithBackground = true
  package var erasesCharacters = true
  package var italic = true
  package var strikethrough = true
  package var wavyUnderline = true
  package var cursorShapes = true
  /// Whether the terminal supports or ignores hyperlinks (OSC 8).
  package var links = true
  /// Attributes that the terminal cannot combine with colors.
  package var attributesWithoutColor: TextAttributes = []
  /// Whether the last cell of the screen can be written without scrolling.
  package var writesLastCell = true

  package init() {}
}
