import ApusExplorerTerminal
import Testing

private func theme(
  _ colors: ColorDepth, _ palette: ThemePalette = .builtInDark, contrast: Theme.ContrastLevel = .normal
) -> Theme {
  Theme(palette: palette, capabilities: TerminalCapabilities(colors: colors), contrast: contrast)
}

private func rgb(_ color: Color) -> RGB? {
  switch color.kind {
  case .rgb(let red, let green, let blue): RGB(red, green, blue)
  case .indexed(let index) where index >= 16: RGB(paletteIndex: index)
  default: nil
  }
}

@Suite struct ThemeTests {
  /// The roles of text that must be readable.
  private static let readRoles: [ThemeRole] = [
    .text, .accent, .title, .error, .warning, .success, .info, .pending, .keyword, .field, .argument, .type, .variable,
    .directive, .string, .number, .constant, .enumValue, .objectKey, .popup, .footerKey, .footerText, .statusLine,
    .statusError, .searchMatch,
  ]

  @Test(arguments: [ThemePalette.builtInDark, .builtInLight], [ColorDepth.direct, .indexed256])
  func `text has enough contrast`(palette: ThemePalette, colors: ColorDepth) throws {
    let theme = theme(colors, palette)
    for role in Self.readRoles {
      let foreground = try #require(rgb(theme[role].foreground), "\(role)")
      let background = try #require(rgb(theme[role].background), "\(role)")
      #expect(foreground.contrast(with: background) >= 4.4, "\(role)")
    }
  }

  @Test func `contrast is added to a flat palette`() throws {
    let grey = try #require(ThemePalette(name: "fog", colors: Array(repeating: RGB(0x777777), count: 16)))
    for colors in [ColorDepth.direct, .indexed256] {
      let style = theme(colors, grey)[.text]
      let foreground = try #require(rgb(style.foreground))
      #expect(foreground.contrast(with: try #require(rgb(style.background))) >= 4.4)
    }
  }

  @Test func `high contrast has a ratio of seven`() throws {
    let style = theme(.direct, contrast: .high)[.muted]
    let foreground = try #require(rgb(style.foreground))
    #expect(foreground.contrast(with: try #require(rgb(style.background))) >= 7)
  }

  @Test func `without colors roles differ by attributes`() {
    let theme = theme(.mono)
    for role in ThemeRole.allCases {
      #expect(theme[role].foreground == .default && theme[role].background == .default)
    }
    #expect(theme[.selection].attributes == .reverse)
    #expect(theme[.unfocusedSelection].attributes == .underline)
    #expect(theme[.error].attributes.contains(.bold))
    #expect(theme[.errorMark].attributes.contains(.wavyUnderline))
    #expect(theme[.focusBorder] != theme[.border])
    #expect(theme[.fresh] != .plain)
  }

  @Test func `sixteen color themes keep the terminal's background`() {
    let theme = theme(.sixteen)
    for role in [ThemeRole.text, .keyword, .string, .error, .muted, .popup, .footerText] {
      #expect(theme[role].background == .default, "\(role)")
      // Black, white and bright black may be the background.
      #expect(![.indexed(0), .indexed(7), .indexed(8), .indexed(15)].contains(theme[role].foreground), "\(role)")
    }
    #expect(theme[.selection].attributes.contains(.reverse))
  }

  @Test func `a selection keeps the color of its text`() {
    let theme = theme(.direct)
    let selected = theme[.selection].over(theme[.string])
    #expect(selected.foreground == theme[.string].foreground)
    #expect(selected.background == theme[.selection].background)
  }

  @Test func `a reversed selection has one style`() {
    let theme = theme(.sixteen)
    let selected = theme[.selection].over(theme[.string])
    #expect(selected.foreground == .default && selected.background == .default)
    #expect(selected.attributes.contains(.reverse))
  }

  @Test(arguments: [ColorDepth.mono, .sixteen]) func `states on the status line keep its background`(colors: ColorDepth)
  {
    let theme = theme(colors)
    let line = theme[.statusLine]
    for role in [ThemeRole.fulfilled, .pending, .failed, .warning] {
      let style = theme[role, on: .statusLine]
      #expect(style.foreground == line.foreground && style.background == line.background)
      #expect(style.attributes.isSuperset(of: line.attributes))
    }
  }

  @Test func `the variant follows from the palette`() {
    #expect(theme(.direct, .builtInDark).variant == .dark)
    #expect(theme(.direct, .builtInLight).variant == .light)
  }

  @Test(arguments: [(0x000000, 16), (0xFFFFFF, 231), (0xFF0000, 196), (0x808080, 244), (0x5F87AF, 67)])
  func `the nearest of 256 is found`(hex: UInt32, index: UInt8) {
    #expect(RGB(hex).nearestIndex == index)
  }

  @Test func `palettes have 16 or 24 colors`() {
    #expect(ThemePalette(name: "x", colors: Array(repeating: RGB(0), count: 24)) != nil)
    #expect(ThemePalette(name: "x", colors: Array(repeating: RGB(0), count: 17)) == nil)
  }
}
