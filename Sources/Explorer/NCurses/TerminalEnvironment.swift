import ApusExplorerTerminal

/// Information about the terminal from environment variables.
package struct TerminalEnvironment: Sendable {
  private let variables: [String: String]

  package init(_ variables: [String: String]) {
    self.variables = variables
  }

  var name: String { variables["TERM"] ?? "" }

  /// The terminfo entries to try if the terminal's own is not installed, best first; empty for an unknown terminal.
  var fallbackNames: [String] {
    func isOne(of families: [String]) -> Bool { families.contains { name.hasPrefix($0) } }
    let isMultiplexer = isOne(of: ["tmux", "screen"])
    let isLikeXterm = isOne(of: [
      "xterm", "kitty", "ghostty", "foot", "wezterm", "alacritty", "contour", "rio", "konsole", "vte", "gnome", "st-",
      "rxvt", "mintty", "putty", "iterm", "mlterm", "terminator",
    ])
    let names = isMultiplexer ? ["screen-256color", "xterm-256color"] : isLikeXterm ? ["xterm-256color", "xterm"] : []
    return names.filter { $0 != name }
  }

  var forbidsColor: Bool { !(variables["NO_COLOR"] ?? "").isEmpty }

  /// Whether the environment promises direct color: `COLORTERM=truecolor` or `24bit`. The variable is inherited, so
  /// inside GNU screen, which has no direct color before version 5, it describes the outer terminal. tmux converts any
  /// color for the outer terminal.
  var claimsDirectColor: Bool {
    let claim = variables["COLORTERM"]
    guard claim == "truecolor" || claim == "24bit" else { return false }
    return !isGNUScreen && !isConsole
  }

  /// The background color according to `COLORFGBG`, such as `15;0` or `0;default;15`; nil if the variable has no
  /// number.
  ///
  /// Only black, the six dark colors and dark gray are dark (the 16 colors of xterm).
  var background: Color? {
    guard let last = variables["COLORFGBG"]?.split(separator: ";").last, let index = Int(last), (0...15).contains(index)
    else { return nil }
    return index < 7 || index == 8 ? .rgb(0, 0, 0) : .rgb(255, 255, 255)
  }

  /// The multiplexers between the program and the terminal, innermost first.
  ///
  /// Both set variables for the programs in them, so if both are present, `TERM` decides: `tmux…` is used only by tmux.
  /// `screen…` is used by both, and GNU screen is then assumed to be the inner one, because tmux understands its
  /// sequences.
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

  /// The form of desktop notifications; nil for the kernel console, which has no desktop. Inside a multiplexer, the
  /// variables are those of the terminal in which it was started.
  var notificationForm: NotificationForm? {
    if isConsole { return nil }
    if variables["VTE_VERSION"] != nil || variables["KONSOLE_VERSION"] != nil { return .titled }
    return ["foot", "rxvt"].contains { name.hasPrefix($0) } ? .titled : .text
  }

  /// Whether this is the text console of the kernel, which has no mouse and few glyphs.
  var isConsole: Bool { name.hasPrefix("linux") }

  var wavesUnderlines: Bool {
    if isTmux || isGNUScreen { return false }
    if let version = variables["VTE_VERSION"].flatMap({ Int($0) }), version >= 5102 { return true }
    if variables["KITTY_WINDOW_ID"] != nil || variables["WEZTERM_PANE"] != nil { return true }
    return ["foot", "alacritty", "ghostty", "contour"].contains { name.hasPrefix($0) || name.hasPrefix("xterm-\($0)") }
  }
}
