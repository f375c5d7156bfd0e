import ApusExplorerTerminal

/// What the environment's variables tell about the terminal.
package struct TerminalEnvironment: Sendable {
  private let variables: [String: String]

  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  var name: String { variables["TERM"] ?? "" }

  var forbidsColor: Bool { !(variables["NO_COLOR"] ?? "").isEmpty }

  /// `COLORTERM` is inherited, so inside GNU screen, which has no direct colour before version 5, it speaks of the terminal
  /// around it. tmux takes any colour and makes of it what the terminal around it has.
  var claimsDirectColor: Bool {
    let claim = variables["COLORTERM"]
    guard claim == "truecolor" || claim == "24bit" else { return false }
    return !isGNUScreen && !isConsole
  }

  /// What stands between the program and the terminal, the innermost first.
  ///
  /// Both leave their variables to what runs in them, so with both `TERM` decides: `tmux…` is tmux's alone. With `screen…`,
  /// which both of them set, GNU screen is taken for the inner one: what it understands, tmux does, too.
  var multiplexers: [Multiplexer] {
    let hasTmux = variables["TMUX"] != nil
    let hasScreen = variables["STY"] != nil || (name.hasPrefix("screen") && !hasTmux)
    switch (hasTmux, hasScreen) {
    case (true, true): return name.hasPrefix("screen") ? [.gnuScreen, .tmux] : [.tmux, .gnuScreen]
    case (true, false): return [.tmux]
    case (false, true): return [.gnuScreen]
    case (false, false): return []
    }
  }

  var isTmux: Bool { multiplexers.first == .tmux }

  var isGNUScreen: Bool { multiplexers.first == .gnuScreen }

  /// The console of the kernel has no desktop around it. Behind a multiplexer the variables are those of the terminal in
  /// which it was started.
  var notificationForm: NotificationForm? {
    if isConsole { return nil }
    if variables["VTE_VERSION"] != nil || variables["KONSOLE_VERSION"] != nil { return .titled }
    return ["foot", "rxvt"].contains { name.hasPrefix($0) } ? .titled : .text
  }

  /// The text console of the kernel: no mouse, few glyphs.
  var isConsole: Bool { name.hasPrefix("linux") }

  var wavesUnderlines: Bool {
    if isTmux || isGNUScreen { return false }
    if let version = variables["VTE_VERSION"].flatMap({ Int($0) }), version >= 5102 { return true }
    if variables["KITTY_WINDOW_ID"] != nil || variables["WEZTERM_PANE"] != nil { return true }
    return ["foot", "alacritty", "ghostty", "contour"].contains { name.hasPrefix($0) || name.hasPrefix("xterm-\($0)") }
  }
}
