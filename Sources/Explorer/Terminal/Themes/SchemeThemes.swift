import ApusConfiguration

extension ThemePalette {
  /// The palette of a scheme from a file.
  package init(_ scheme: ThemeScheme) {
    // The loader ensures that there are 16 or 24.
    self.init(checkedName: scheme.name, colors: scheme.palette.map { RGB($0.hex) })
  }
}

extension Theme {
  /// Creates the theme of a scheme from a file.
  package init(
    scheme: ThemeScheme, capabilities: TerminalCapabilities, contrast: ContrastLevel = .normal
  ) {
    self.init(
      palette: ThemePalette(scheme), variant: scheme.variant == .light ? .light : .dark, capabilities: capabilities,
      contrast: contrast)
  }
}
