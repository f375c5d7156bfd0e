import ApusConfiguration

extension ThemePalette {
  /// The colours of a scheme read from a file.
  package init(_ scheme: ThemeScheme) {
    // The loader has seen to it that there are 16 or 24.
    self.init(checkedName: scheme.name, colors: scheme.palette.map { RGB($0.hex) })
  }
}

extension Theme {
  /// The look of a scheme read from a file.
  package init(
    scheme: ThemeScheme, capabilities: TerminalCapabilities, contrast: ContrastLevel = .normal
  ) {
    self.init(
      palette: ThemePalette(scheme), variant: scheme.variant == .light ? .light : .dark, capabilities: capabilities,
      contrast: contrast)
  }
}
