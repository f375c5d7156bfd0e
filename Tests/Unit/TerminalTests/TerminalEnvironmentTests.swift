import ApusExplorerTerminal
import Testing

@testable import ApusExplorerNCurses

/// The terminal and multiplexers as determined by environment variables.
@Suite struct TerminalEnvironmentTests {
  private func environment(_ term: String, _ variables: [String: String] = [:]) -> TerminalEnvironment {
    TerminalEnvironment(variables.merging(["TERM": term, "COLORTERM": "truecolor"]) { first, _ in first })
  }

  private static let tmux = ["TMUX": "/tmp/tmux-0/default,1,0"]
  private static let screen = ["STY": "7.pts-0"]
  private static let both = tmux.merging(screen) { first, _ in first }

  /// Direct color is determined by `COLORTERM`, except in GNU screen, which does not support it. tmux converts colors
  /// itself.
  @Test(
    arguments: [
      ("xterm-256color", [:], [], true), ("tmux-256color", tmux, [.tmux], true),
      ("screen-256color", tmux, [.tmux], true),
      ("screen", tmux, [.tmux], true), ("screen", screen, [.gnuScreen], false),
      ("screen.xterm-256color", screen, [.gnuScreen], false),
      // ssh does not transmit the variables, but `TERM`.
      ("screen-256color", [:], [.gnuScreen], false),
      // GNU screen inside tmux, and tmux inside GNU screen.
      ("screen-256color", both, [.gnuScreen, .tmux], false),
      ("screen.tmux-256color", both, [.gnuScreen, .tmux], false),
      ("tmux-256color", both, [.tmux, .gnuScreen], true),
    ] as [(String, [String: String], [Multiplexer], Bool)])
  func `the innermost multiplexer determines the colors`(
    term: String, variables: [String: String], multiplexers: [Multiplexer], hasDirectColor: Bool
  ) {
    let environment = environment(term, variables)
    #expect(environment.multiplexers == multiplexers)
    #expect(environment.claimsDirectColor == hasDirectColor)
  }

  /// `COLORFGBG` counts if the terminal does not report its background.
  @Test(
    arguments: [
      ("15;0", true), ("7;8", true), ("0;15", false), ("0;7", false), ("0;default;15", false), ("15;default;0", true),
      ("15;default", nil), ("", nil), ("15;99", nil), ("default;-1", nil),
    ] as [(String, Bool?)])
  func `the background is known from the environment`(value: String, isDark: Bool?) {
    let color = environment("rxvt", ["COLORFGBG": value]).background
    #expect(color.flatMap { Theme.Variant(background: $0) } == isDark.map { $0 ? .dark : .light })
  }

  @Test(arguments: [
    ("xterm-kitty", ["xterm-256color", "xterm"]), ("xterm-ghostty", ["xterm-256color", "xterm"]),
    ("foot", ["xterm-256color", "xterm"]), ("wezterm", ["xterm-256color", "xterm"]),
    ("alacritty", ["xterm-256color", "xterm"]), ("rio", ["xterm-256color", "xterm"]),
    ("contour", ["xterm-256color", "xterm"]), ("st-256color", ["xterm-256color", "xterm"]),
    ("xterm-256color", ["xterm"]), ("tmux-256color", ["screen-256color", "xterm-256color"]),
    ("screen.xterm-256color", ["screen-256color", "xterm-256color"]), ("unheard-of", []), ("", []),
  ])
  func `terminals without an entry use one that fits`(term: String, names: [String]) {
    #expect(environment(term).fallbackNames == names)
  }

  @Test(
    arguments: [
      ("xterm-kitty", [:], .text), ("xterm-ghostty", [:], .text), ("xterm-256color", [:], .text),
      ("foot", [:], .titled),
      ("rxvt-unicode-256color", [:], .titled), ("xterm-256color", ["VTE_VERSION": "7200"], .titled),
      ("xterm-256color", ["KONSOLE_VERSION": "230400"], .titled), ("tmux-256color", ["VTE_VERSION": "7200"], .titled),
      ("linux", [:], nil),
    ] as [(String, [String: String], NotificationForm?)])
  func `the terminal determines the form of notifications`(
    term: String, variables: [String: String], form: NotificationForm?
  ) {
    #expect(environment(term, variables).notificationForm == form)
  }
}
