extension ThemePalette {
  /// The default theme for dark terminals: a night sky with the colors of dusk.
  package static let builtInDark = ThemePalette(
    unchecked: "Apus dark",
    [
      0x151B23, 0x1D2530, 0x2C3846, 0x57677A, 0x93A1B2, 0xD3DAE3, 0xE6EBF1, 0xF7F9FB,
      0xF2777A, 0xF2A25C, 0xEFC76A, 0x8CCB7E, 0x6CC7C1, 0x6FB3F2, 0xC59BEE, 0xC98A6B,
    ])

  /// The default theme for light terminals.
  package static let builtInLight = ThemePalette(
    unchecked: "Apus light",
    [
      0xFBFAF7, 0xF0EEE8, 0xDDE3EA, 0xA3A9AF, 0x5D6670, 0x2A323B, 0x1B2128, 0x0F1419,
      0xC4313A, 0xB65A0E, 0x8F6A00, 0x2F7D32, 0x0F7A7A, 0x1F63B5, 0x8438A8, 0x8A4B2A,
    ])

  private init(unchecked name: String, _ colors: [UInt32]) {
    self.init(checkedName: name, colors: colors.map { RGB($0) })
  }
}

extension Theme {
  /// Returns the default theme.
  package static func builtIn(_ variant: Variant = .dark, capabilities: TerminalCapabilities) -> Theme {
    Theme(
      palette: variant == .dark ? .builtInDark : .builtInLight, variant: variant, capabilities: capabilities)
  }
}
