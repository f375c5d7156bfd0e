/// What the environment's variables tell about the terminal.
package struct TerminalEnvironment: Sendable {
  private let variables: [String: String]

  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  var name: String { variables["TERM"] ?? "" }

  var forbidsColor: Bool { !(variables["NO_COLOR"] ?? "").isEmpty }

  /// `COLORTERM` is inherited, so inside GNU screen, which has no direct colour, it speaks of the terminal around it.
  var claimsDirectColor: Bool {
    let claim = variables["COLORTERM"]
    guard claim == "truecolor" || claim == "24bit" else { return false }
    return !isGNUScreen && !isConsole
  }

  var isTmux: Bool { variables["TMUX"] != nil }

  var isGNUScreen: Bool { name.hasPrefix("screen") && !isTmux }

  /// The text console of the kernel: no mouse, few glyphs.
  var isConsole: Bool { name.hasPrefix("linux") }

  var wavesUnderlines: Bool {
    if isTmux || isGNUScreen { return false }
    if let version = variables["VTE_VERSION"].flatMap({ Int($0) }), version >= 5102 { return true }
    if variables["KITTY_WINDOW_ID"] != nil || variables["WEZTERM_PANE"] != nil { return true }
    return ["foot", "alacritty", "ghostty", "contour"].contains { name.hasPrefix($0) || name.hasPrefix("xterm-\($0)") }
  }
}
