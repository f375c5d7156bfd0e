import ApusExplorerTerminal
import Testing

@testable import ApusExplorerNCurses

/// What the variables of a session tell about the terminal and what stands before it.
@Suite struct TerminalEnvironmentTests {
  private func environment(_ term: String, _ variables: [String: String] = [:]) -> TerminalEnvironment {
    TerminalEnvironment(variables.merging(["TERM": term, "COLORTERM": "truecolor"]) { first, _ in first })
  }

  private static let tmux = ["TMUX": "/tmp/tmux-0/default,1,0"]
  private static let screen = ["STY": "7.pts-0"]
  private static let both = tmux.merging(screen) { first, _ in first }

  /// Direct colour is taken from `COLORTERM` but inside GNU screen, which would misread it; tmux makes of it what it can.
  @Test(
    arguments: [
      ("xterm-256color", [:], [], true), ("tmux-256color", tmux, [.tmux], true),
      ("screen-256color", tmux, [.tmux], true),
      ("screen", tmux, [.tmux], true), ("screen", screen, [.gnuScreen], false),
      ("screen.xterm-256color", screen, [.gnuScreen], false),
      // Over ssh the variables stay behind, the name does not.
      ("screen-256color", [:], [.gnuScreen], false),
      // GNU screen inside tmux, and tmux inside GNU screen.
      ("screen-256color", both, [.gnuScreen, .tmux], false),
      ("screen.tmux-256color", both, [.gnuScreen, .tmux], false),
      ("tmux-256color", both, [.tmux, .gnuScreen], true),
    ] as [(String, [String: String], [Multiplexer], Bool)])
  func theInnermostMultiplexerDecidesOnColours(
    term: String, variables: [String: String], multiplexers: [Multiplexer], hasDirectColor: Bool
  ) {
    let environment = environment(term, variables)
    #expect(environment.multiplexers == multiplexers)
    #expect(environment.claimsDirectColor == hasDirectColor)
  }

  @Test(
    arguments: [
      ("xterm-kitty", [:], .text), ("xterm-ghostty", [:], .text), ("xterm-256color", [:], .text),
      ("foot", [:], .titled),
      ("rxvt-unicode-256color", [:], .titled), ("xterm-256color", ["VTE_VERSION": "7200"], .titled),
      ("xterm-256color", ["KONSOLE_VERSION": "230400"], .titled), ("tmux-256color", ["VTE_VERSION": "7200"], .titled),
      ("linux", [:], nil),
    ] as [(String, [String: String], NotificationForm?)])
  func theTerminalDecidesOnTheFormOfNotifications(
    term: String, variables: [String: String], form: NotificationForm?
  ) {
    #expect(environment(term, variables).notificationForm == form)
  }
}
