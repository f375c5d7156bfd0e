import ApusConfiguration
import ApusExplorerTerminal
import FuzzHarness

/// A theme file is a theme or an error. A theme has a style for each role in each color depth.
@main enum ThemeTarget: FuzzTarget {
  static func check(_ bytes: [UInt8]) {
    guard let scheme = try? ThemeScheme(parsing: bytes, file: "theme.yaml") else { return }
    for depth in [ColorDepth.mono, .sixteen, .indexed256, .direct] {
      let capabilities = TerminalCapabilities(colors: depth)
      for level in [Theme.ContrastLevel.normal, .high] {
        let theme = Theme(scheme: scheme, capabilities: capabilities, contrast: level)
        for role in ThemeRole.allCases { _ = (theme[role], theme[role, on: .selection]) }
      }
    }
  }
}
