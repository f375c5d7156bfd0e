/// How a terminal is told where to write and in which look: the control sequences that a frame's writer needs.
///
/// Nearly every terminal takes the sequences of ECMA-48 and ISO 8613-6, which are written without a look-up. For
/// others the strings of their terminfo entry stand.
package struct TerminalDialect: Sendable {
  /// The sequences of a terminal that does not speak ECMA-48.
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

  /// Nil: ECMA-48.
  package var strings: Strings?
  package var colors: ColorDepth = .direct
  /// Whether colours 8 to 15 exist; where they do not, bold stands for bright.
  package var hasBrightColors = true
  package var unicode = true
  /// Whether what is erased takes the background colour.
  package var erasesWithBackground = true
  package var erasesCharacters = true
  package var italic = true
  package var strikethrough = true
  package var wavyUnderline = true
  package var cursorShapes = true
  /// Whether it knows hyperlinks, or passes over them (OSC 8).
  package var links = true
  /// Attributes that this terminal cannot show together with colours.
  package var attributesWithoutColor: TextAttributes = []
  /// Whether the last cell of the screen can be written without scrolling.
  package var writesLastCell = true

  package init() {}
}
