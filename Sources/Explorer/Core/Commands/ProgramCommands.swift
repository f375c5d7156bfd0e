/// Commands for the program, its panes and layout.
extension Command {
  static let program: [Command] = [
    showPalette, nextPane, previousPane, showHelp, showTopic, quit, copyOrCancel, leave, focusQuery, focusVariables,
    focusResponse, focusDeferred, focusCache, focusHeaders, showJumpLabels, nextLayout, zoomPane, widenTexts,
    narrowTexts, heightenUpper, lowerUpper, pickTheme, nextTheme, pickEndpoint, renewCredentials, showAudits,
    repeatAudit,
    cancelAudit, toggleVim, toggleMouse, suspend,
  ]

  package static let showPalette = Command(
    "showPalette", "Command palette",
    .keys(.everywhere, "Ctrl-P", footer: "commands"),
    inPalette: false
  ) { $0.present(PaletteState(in: $0)) }

  package static let nextPane = Command(
    "nextPane", "Next pane",
    .keys(.everywhere, "F6", footer: "next pane"),
    .keys(.panes, "Tab")
  ) { $0.focus(on: $0.screen.focus.next(by: 1)) }

  package static let previousPane = Command(
    "previousPane", "Previous pane",
    .keys(.everywhere, "Shift-F6"),
    .keys(.panes, "Shift-Tab")
  ) { $0.focus(on: $0.screen.focus.next(by: -1)) }

  package static let showHelp = Command(
    "showHelp", "Help: topics to read, and every key",
    .keys(.everywhere, "F1", footer: "help"),
    .keys(.panes, "?")
  ) { $0.present(HelpState()) }

  package static let showTopic = Command(
    "showTopic", "Read about what is here",
    .keys(.lists, "F3"),
    .keys(.errors, "F3", footer: "what this means"),
    .keys(.difference, "F3"),
    .keys(.help, "F3", footer: "read about it", help: "Read what a topic tells of the key")
  ) { $0.present(TopicState($0.topicHere)) }

  package static let quit = Command("quit", "Quit", .keys(.everywhere, "Ctrl-Q", footer: "quit")) { $0.quit() }

  package static let copyOrCancel = Command(
    "copyOrCancel", "Copy the selection, else cancel what runs",
    .keys(.everywhere, "Ctrl-C", footer: "cancel"),
    inPalette: false
  ) { $0.copyOrCancel() }

  package static let leave = Command(
    "leave", "Leave what lies on top: popup, search, filter, table, zoom",
    .keys(.everywhere, "Esc"),
    inPalette: false
  ) { $0.leave() }

  package static let focusQuery = Command(
    "focusQuery", "Go to the query",
    .keys(.everywhere, "Alt-1"),
    .keys(.choice, "Tab", help: "Go to the error's place in the query")
  ) { $0.focus(on: .query) }

  package static let focusVariables = Command(
    "focusVariables", "Go to the variables",
    .keys(.everywhere, "Alt-2")
  ) { $0.focus(on: .variables) }

  package static let focusResponse = Command(
    "focusResponse", "Go to the response",
    .keys(.everywhere, "Alt-3")
  ) { $0.focus(on: .response) }

  package static let focusDeferred = Command(
    "focusDeferred", "Go to the deferred fragments",
    .keys(.everywhere, "Alt-4")
  ) { $0.focus(on: .deferred) }

  package static let focusCache = Command(
    "focusCache", "Go to the cache",
    .keys(.everywhere, "Alt-5")
  ) { $0.focus(on: .cache) }

  package static let focusHeaders = Command(
    "focusHeaders", "Go to the headers",
    .keys(.everywhere, "Alt-6"),
    .keys(.noSchema, "h", footer: "write headers", help: "Write headers; the server is asked again with them")
  ) { $0.focus(on: .headers) }

  package static let showJumpLabels = Command(
    "showJumpLabels", "Jump to anything in view by its label",
    .keys(.everywhere, "Alt-j")
  ) { _ in [.screen(.labelPlaces)] }

  package static let nextLayout = Command(
    "nextLayout", "Next layout",
    .keys(.everywhere, "F10", "Alt-l")
  ) { $0.follow($0.screen.showNextLayout()) }

  package static let zoomPane = Command(
    "zoomPane", "Give the pane the whole screen, or back",
    .keys(.everywhere, "F11")
  ) { $0.follow($0.screen.changeArrangement { $0.isZoomed.toggle() }) }

  package static let widenTexts = Command(
    "widenTexts", "Widen the texts' column",
    .keys(.everywhere, "Alt-Right")
  ) { $0.follow($0.screen.changeArrangement { $0.grow(width: 5, height: 0) }) }

  package static let narrowTexts = Command(
    "narrowTexts", "Narrow the texts' column",
    .keys(.everywhere, "Alt-Left")
  ) { $0.follow($0.screen.changeArrangement { $0.grow(width: -5, height: 0) }) }

  package static let heightenUpper = Command(
    "heightenUpper", "Heighten the upper panes",
    .keys(.everywhere, "Alt-Shift-Down")
  ) { $0.follow($0.screen.changeArrangement { $0.grow(width: 0, height: 5) }) }

  package static let lowerUpper = Command(
    "lowerUpper", "Lower the upper panes",
    .keys(.everywhere, "Alt-Shift-Up")
  ) { $0.follow($0.screen.changeArrangement { $0.grow(width: 0, height: -5) }) }

  package static let pickTheme = Command(
    "pickTheme", "Themes",
    .keys(.everywhere, "F7"),
    unless: { $0.screen.themes.count < 2 ? "There is no other theme" : nil }
  ) { $0.follow($0.screen.pickTheme()) }

  package static let nextTheme = Command(
    "nextTheme", "Next theme",
    unless: { $0.screen.themes.count < 2 ? "There is no other theme" : nil }
  ) { $0.follow($0.screen.showNextTheme()) }

  package static let pickEndpoint = Command(
    "pickEndpoint", "Open another endpoint: by name, by URL, or one of late",
    .keys(.everywhere, "Alt-s")
  ) { $0.follow($0.pickEndpoint()) }

  package static let renewCredentials = Command(
    "renewCredentials", renewCredentialsTitle,
    unless: { $0.connection.reasonAgainstRenewing }
  ) { _ in [.renewCredentials] }

  /// Also used in messages about rejected credentials.
  package static let renewCredentialsTitle = "Renew credentials"

  package static let showAudits = Command(
    "showAudits", "Audit the server: check it against the specifications",
    .keys(.everywhere, "Alt-A"),
    unless: { $0.reasonAgainstAudits }
  ) { $0.showAudits() }

  package static let repeatAudit = Command(
    "repeatAudit", "Audit the server again",
    .keys(.audits, "r", footer: "again"),
    inPalette: false,
    unless: { $0.audit?.isRunning == true ? "The audit is still running" : $0.reasonAgainstAudits }
  ) { $0.askForAudit() }

  package static let cancelAudit = Command(
    "cancelAudit", "Cancel the audit",
    .keys(.audits, "Ctrl-C", footer: "cancel"),
    inPalette: false,
    unless: { $0.audit?.isRunning == true ? nil : "No audit is running" }
  ) { $0.cancelAudit() }

  package static let toggleVim = Command("toggleVim", "Vim keys on or off") { $0.toggleVimKeys() }

  package static let toggleMouse = Command(
    "toggleMouse", "Mouse: the explorer's or the terminal's",
    .keys(.everywhere, "Alt-m")
  ) { $0.follow($0.screen.toggleMouse()) }

  package static let suspend = Command("suspend", "Suspend, back to the shell") { _ in [.screen(.suspend)] }
}
