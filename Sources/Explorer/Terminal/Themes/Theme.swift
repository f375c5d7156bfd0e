/// The styles of all roles for a color scheme on a type of terminal.
///
/// - Direct color: the colors of the scheme, adjusted if text would not be readable on its background.
/// - 256 colors: the nearest entries of the fixed part of the palette, with contrast checked again.
/// - 16 colors: the terminal's colors on its default background, which the user has configured.
/// - No colors (`NO_COLOR`): bold, dim, underline and reverse.
package struct Theme: Sendable {
  package enum Variant: Equatable, Sendable { case dark, light }
  package enum ContrastLevel: Equatable, Sendable { case normal, high }

  package let name: String
  package let variant: Variant
  package let palette: ThemePalette
  private let styles: [Style]
  private let depth: ColorDepth

  /// Creates a theme. By default, the variant is light if the palette's background is brighter than its text.
  package init(
    palette: ThemePalette, variant: Variant? = nil, capabilities: TerminalCapabilities,
    contrast level: ContrastLevel = .normal
  ) {
    name = palette.name
    self.palette = palette
    let isLight = palette[0x00].luminance > palette[0x05].luminance
    self.variant = variant ?? (isLight ? .light : .dark)
    depth = capabilities.colors
    let painter = StyleMixer(palette: palette, variant: self.variant, depth: capabilities.colors, level: level)
    styles = ThemeRole.allCases.map { painter.style(of: $0.style) }
  }

  package subscript(role: ThemeRole) -> Style { styles[role.rawValue] }

  /// The style of a role on the background of another, such as an error in a popup.
  ///
  /// On a reversed background, and on a colored one with 16 colors, readable combinations are unknown. The text then
  /// has the style of the background's role, and only its glyph shows the meaning.
  package subscript(role: ThemeRole, on other: ThemeRole) -> Style {
    let (own, ground) = (styles[role.rawValue], styles[other.rawValue])
    guard ground.attributes.contains(.reverse) || depth == .sixteen && ground.background != .default else {
      return own.on(ground.background)
    }
    return ground.with(own.attributes.subtracting(.dim))
  }
}

/// Converts role styles to cell styles for a palette and color depth.
private struct StyleMixer {
  var palette: ThemePalette
  var variant: Theme.Variant
  var depth: ColorDepth
  var level: Theme.ContrastLevel
  private let selectionGround: RGB

  init(palette: ThemePalette, variant: Theme.Variant, depth: ColorDepth, level: Theme.ContrastLevel) {
    self.palette = palette
    self.variant = variant
    self.depth = depth
    self.level = level
    selectionGround = Self.selectionGround(of: palette)
  }

  func style(of style: RoleStyle) -> Style {
    switch depth {
    case .mono: return Style(attributes: style.monoAttributes)
    case .sixteen:
      return Style(
        foreground: style.ansiForeground.map { .indexed(readable($0, isOnBadge: style.ansiBackground != nil)) }
          ?? .default,
        background: style.ansiBackground.map { .indexed($0) } ?? .default, attributes: style.ansiAttributes)
    case .indexed256, .direct: break
    }
    let background = style.background.map { color(of: $0) }
    guard let paint = style.foreground else {
      return Style(background: background.map { shown($0) } ?? .default, attributes: style.attributes)
    }
    let minimum = level == .high ? max(7, style.contrast * 1.6) : style.contrast
    let isPlainText = background == palette[0x00]
    let text = readable(
      color(of: paint), on: background ?? palette[0x00], minimum: minimum,
      // Text keeps its color on a selected row, so it must be readable there as well.
      alsoOn: isPlainText ? selectionGround : nil)
    return Style(
      foreground: shown(text), background: background.map { shown($0) } ?? .default, attributes: style.attributes)
  }

  /// Replaces yellow and cyan, which are not readable on white.
  private func readable(_ index: UInt8, isOnBadge: Bool) -> UInt8 {
    guard variant == .light, !isOnBadge else { return index }
    return index == 3 ? 5 : index == 6 ? 4 : index
  }

  private func color(of paint: RoleStyle.Paint) -> RGB {
    switch paint {
    case .slot(0x02): selectionGround
    case .slot(let slot): palette[slot]
    case .blend(let slot, let percent): palette[0x00].mixed(with: palette[slot], Double(percent) / 100)
    }
  }

  /// Returns the scheme's selection background, moved toward its background if text would not be readable on it,
  /// because some schemes use a medium gray.
  private static func selectionGround(of palette: ThemePalette) -> RGB {
    let text = palette[0x05]
    for step in 0..<8 {
      let ground = palette[0x02].mixed(with: palette[0x00], Double(step) / 10)
      if text.contrast(with: ground) >= min(5, text.contrast(with: palette[0x00]) * 0.75) { return ground }
    }
    return palette[0x02].mixed(with: palette[0x00], 0.8)
  }

  /// Returns the color as displayed: with 256 colors, the color of the nearest entry.
  private func seen(_ color: RGB) -> RGB {
    depth == .direct ? color : RGB(paletteIndex: color.nearestIndex)
  }

  private func shown(_ color: RGB) -> Color {
    depth == .direct ? .rgb(color.red, color.green, color.blue) : .indexed(color.nearestIndex)
  }

  /// Moves a color toward white or black, whichever contrasts more with the background, until it is readable.
  private func readable(_ color: RGB, on background: RGB, minimum: Double, alsoOn second: RGB?) -> RGB {
    let ground = seen(background)
    let target = ground.luminance > 0.18 ? RGB(0x000000) : RGB(0xFFFFFF)
    let secondGround = second.map { seen($0) }
    let secondMinimum = min(minimum, 3) * 0.8
    for step in 0...20 {
      let candidate = color.mixed(with: target, Double(step) / 20)
      let visible = seen(candidate)
      guard visible.contrast(with: ground) >= minimum else { continue }
      if let secondGround, visible.contrast(with: secondGround) < secondMinimum { continue }
      return candidate
    }
    return target
  }
}

extension Theme.Variant {
  /// The variant for a terminal background; nil if the color is not RGB.
  package init?(background: Color) {
    guard case .rgb(let red, let green, let blue) = background.kind else { return nil }
    self = RGB(red, green, blue).luminance > 0.4 ? .light : .dark
  }
}
